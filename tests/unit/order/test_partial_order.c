/* SPDX-License-Identifier: Apache-2.0 */
/* Placing ops and taking them back. */
#include "fixture.h"
#include "graphs.h"
#include "model.h"
#include "ops.h"
#include "order/partial_order.h"
#include "random_body.h"

static void placing_a_whole_order_evaluates_it(void **state)
{
    swp_context *ctx = *state;
    swp_dag dag;
    swp_partial partial;
    const swp_search search = {.max_vgpr = SWP_NO_VGPR_LIMIT};
    const swp_loop_body body =
        graph_with(ctx, OPS(unit_op('F', 20), unit_op('M', 16), unit_op('M', 16)), "0>1");
    assert_ok(ctx, swp_order_dag_build(ctx, &body, &search, &dag));
    assert_ok(ctx, swp_order_partial_new(ctx, &dag, &partial));
    swp_order_partial_place(&partial, 0);
    assert_int_equal(swp_order_partial_start(&partial, 1), 20);
    assert_int_equal(swp_order_partial_start(&partial, 2), 0);
    swp_order_partial_place(&partial, 2);
    assert_int_equal(swp_order_partial_start(&partial, 1), 20);
    swp_order_partial_place(&partial, 1);
    assert_int_equal(partial.makespan, 36);
}

static void what_may_come_next_follows_edges_halves_and_the_last_compute(void **state)
{
    swp_context *ctx = *state;
    swp_dag dag;
    swp_partial partial;
    const swp_search search = {
        .max_vgpr = SWP_NO_VGPR_LIMIT, .halves = true, .max_globals_per_block = 1};
    const swp_loop_body body =
        graph_with(ctx,
                   OPS(unit_op('L', 1), unit_op('L', 1), unit_op('M', 1), unit_op('M', 1),
                       unit_op('M', 1), unit_op('M', 1), unit_op('M', 1), unit_op('M', 1)),
                   "4>5");
    const swp_order_rules rules = swp_order_rules_of(&search);
    assert_ok(ctx, swp_order_dag_build(ctx, &body, &search, &dag));
    assert_ok(ctx, swp_order_partial_new(ctx, &dag, &partial));
    assert_true(swp_order_partial_allows(&partial, 0, &rules));
    /* Two loads are left for the one block behind this MMA and the next. */
    assert_false(swp_order_partial_allows(&partial, 2, &rules));
    assert_false(swp_order_partial_allows(&partial, 4, &rules));
    swp_order_partial_place(&partial, 0);
    assert_false(swp_order_partial_allows(&partial, 1, &rules));
    assert_true(swp_order_partial_allows(&partial, 2, &rules));
    swp_order_partial_place(&partial, 2);
    assert_true(swp_order_partial_allows(&partial, 1, &rules));
    assert_false(swp_order_partial_allows(&partial, 3, &rules));
    swp_order_partial_place(&partial, 1);
    swp_order_partial_place(&partial, 3);
    assert_true(swp_order_partial_allows(&partial, 4, &rules));
    assert_false(swp_order_partial_allows(&partial, 5, &rules));
}

/* Forwards, all the way back, forwards again: the figures are those of a fresh evaluation. */
static void undo_restores_everything(void **state)
{
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        test_random random = random_for_case(5, i);
        swp_context *ctx = swp_context_new(NULL);
        const body_shape shape = {random_int(&random, 2, 20), false, 15};
        const swp_loop_body body = random_body(ctx, &random, &shape);
        const swp_search search = {.lds_contention_penalty = 6, .max_vgpr = SWP_NO_VGPR_LIMIT};
        const model_problem problem = model_of(&body, &search);
        const model_order seed = model_seed(&problem);
        swp_dag dag;
        swp_partial partial;
        assert_ok(ctx, swp_order_dag_build(ctx, &body, &search, &dag));
        assert_ok(ctx, swp_order_partial_new(ctx, &dag, &partial));
        for (int round = 0; round < 3; round++) {
            while (partial.count > 0 && random_chance(&random, 90))
                swp_order_partial_undo(&partial);
            while (partial.count < shape.count)
                swp_order_partial_place(&partial, seed.items[partial.count]);
            assert_int_equal(partial.makespan, seed.makespan);
            assert_int_equal(partial.peak, seed.peak);
        }
        swp_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(placing_a_whole_order_evaluates_it),
        CONTEXT_TEST(what_may_come_next_follows_edges_halves_and_the_last_compute),
        cmocka_unit_test(undo_restores_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
