/* SPDX-License-Identifier: Apache-2.0 */
/* A body as the schedulers see it. */
#include "fixture.h"
#include "graphs.h"
#include "ops.h"
#include "order/dag.h"

static swp_dag build(swp_context *ctx, const swp_loop_body *body, swp_search search)
{
    swp_dag dag;
    assert_ok(ctx, swp_order_dag_build(ctx, body, &search, &dag));
    return dag;
}

static void tails_are_the_longest_paths_after_the_finish(void **state)
{
    const swp_loop_body body = graph_with(
        *state, OPS(unit_op('F', 20), unit_op('M', 16), unit_op('V', 5), unit_op('X', 7)),
        "0>1 0>2 2>3");
    const swp_dag dag = build(*state, &body, (swp_search){0});
    const int64_t tails[] = {16, 0, 7, 0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(dag.ops[i].tail, tails[i]);
}

static void the_port_is_a_unit_only_with_a_penalty(void **state)
{
    const swp_loop_body body = graph_with(
        *state, OPS(unit_op('L', 9), unit_op('M', 4), unit_op('V', 3), unit_op('X', 2)), "");
    swp_dag dag = build(*state, &body, (swp_search){0});
    assert_int_equal(dag.ops[0].unit, SWP_UNIT_NONE);
    dag = build(*state, &body, (swp_search){.lds_contention_penalty = 6});
    assert_int_equal(dag.ops[0].unit, SWP_UNIT_PORT);
    assert_int_equal(dag.ops[0].busy, 6);
    assert_int_equal(dag.ops[1].unit, SWP_UNIT_MMA);
    assert_int_equal(dag.ops[1].busy, 4);
    assert_int_equal(dag.ops[2].unit, SWP_UNIT_VALU);
    assert_int_equal(dag.ops[3].unit, SWP_UNIT_NONE);
}

static void edges_count_once_and_only_at_distance_0(void **state)
{
    swp_loop_body body =
        graph_with(*state, OPS(unit_op('F', 1), unit_op('M', 1), unit_op('M', 1)), "0>1 0>1 0>2");
    body.edges.items[2].distance = 1;
    const swp_dag dag = build(*state, &body, (swp_search){0});
    assert_int_equal(dag.ops[0].succ_count, 1);
    assert_int_equal(dag.ops[1].pred_count, 1);
    assert_int_equal(dag.ops[2].pred_count, 0);
}

static void halves_split_in_the_middle(void **state)
{
    const swp_loop_body body = graph_with(
        *state, OPS(unit_op('M', 1), unit_op('M', 1), unit_op('M', 1), unit_op('M', 1)), "");
    swp_dag dag = build(*state, &body, (swp_search){.halves = true});
    assert_int_equal(dag.half_size, 2);
    assert_int_equal(dag.ops[1].half, 0);
    assert_int_equal(dag.ops[2].half, 1);
    dag = build(*state, &body, (swp_search){0});
    assert_int_equal(dag.half_size, 4);
    assert_int_equal(dag.ops[3].half, 0);
}

/* 1 is like 0; 2 has another latency; 3 has another predecessor; 4 is in the other half. */
static void a_twin_differs_in_its_index_alone(void **state)
{
    const swp_loop_body body =
        graph_with(*state,
                   OPS(unit_op('F', 5), unit_op('F', 5), unit_op('F', 6), unit_op('F', 5),
                       unit_op('F', 5), unit_op('M', 1), unit_op('M', 1), unit_op('M', 1)),
                   "2>3");
    const swp_dag dag = build(*state, &body, (swp_search){.halves = true});
    assert_int_equal(dag.ops[0].twin, -1);
    assert_int_equal(dag.ops[1].twin, 0);
    assert_int_equal(dag.ops[2].twin, -1);
    assert_int_equal(dag.ops[3].twin, -1);
    assert_int_equal(dag.ops[4].twin, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(tails_are_the_longest_paths_after_the_finish),
        CONTEXT_TEST(the_port_is_a_unit_only_with_a_penalty),
        CONTEXT_TEST(edges_count_once_and_only_at_distance_0),
        CONTEXT_TEST(halves_split_in_the_middle),
        CONTEXT_TEST(a_twin_differs_in_its_index_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
