/* SPDX-License-Identifier: Apache-2.0 */
/* greedy_schedule and simple_greedy_schedule (docs/scheduling.md, "Greedy"). */
#include "fixture.h"
#include "graphs.h"
#include "ops.h"
#include "swp/solve.h"

static void the_declaration_order_stays_where_it_is_legal(void **state)
{
    swp_context *ctx = *state;
    swp_order order = {0};
    const swp_loop_body body = graph_with(
        ctx, OPS(unit_op('F', 20), unit_op('M', 1), unit_op('L', 9), unit_op('M', 1)), "0>1 0>3");
    assert_ok(ctx, swp_greedy_schedule(ctx, &body, 2, 1, &order));
    assert_order(&order, "0 1 2 3");
    assert_ok(ctx, swp_simple_greedy_schedule(ctx, &body, &order));
    assert_order(&order, "0 1 2 3");
}

/* One half of two blocks: 0 waits for 3; 1 is ready first, then 2 ends the block. */
static void each_step_takes_the_lowest_ready_op(void **state)
{
    swp_context *ctx = *state;
    swp_order order = {0};
    const swp_loop_body body = graph_with(
        ctx,
        OPS(unit_op('F', 1), unit_op('F', 1), unit_op('M', 1), unit_op('F', 1), unit_op('M', 1)),
        "3>0 0>4");
    assert_ok(ctx, swp_greedy_schedule(ctx, &body, 1, 2, &order));
    assert_order(&order, "1 2 3 0 4");
    assert_ok(ctx, swp_simple_greedy_schedule(ctx, &body, &order));
    assert_order(&order, "1 2 3 0 4");
}

static void ops_after_the_last_compute_of_a_half_are_an_error(void **state)
{
    swp_context *ctx = *state;
    swp_order order = {0};
    const swp_loop_body body = graph_with(
        ctx, OPS(unit_op('M', 1), unit_op('L', 1), unit_op('L', 1), unit_op('M', 1)), "");
    assert_status(ctx, swp_greedy_schedule(ctx, &body, 2, 1, &order), SWP_INVALID);
    assert_diag(ctx, "E0402", "op 1");
}

/* The same where the half has fewer COMPUTEs than blocks: 1 is still left after the last one. */
static void ops_after_the_last_compute_are_an_error_whatever_the_number_of_blocks(void **state)
{
    swp_context *ctx = *state;
    swp_order order = {0};
    const swp_loop_body body = graph_with(
        ctx, OPS(unit_op('M', 1), unit_op('L', 1), unit_op('L', 1), unit_op('M', 1)), "");
    assert_status(ctx, swp_greedy_schedule(ctx, &body, 2, 2, &order), SWP_INVALID);
    assert_diag(ctx, "E0402", "op 1");
}

static void more_computes_than_blocks_are_an_error(void **state)
{
    swp_context *ctx = *state;
    swp_order order = {0};
    const swp_loop_body body = graph_with(
        ctx, OPS(unit_op('M', 1), unit_op('M', 1), unit_op('M', 1), unit_op('M', 1)), "");
    assert_status(ctx, swp_greedy_schedule(ctx, &body, 2, 1, &order), SWP_INVALID);
    assert_diag(ctx, "E0402", "op 1");
}

static void a_half_that_waits_for_a_later_one_is_an_error(void **state)
{
    swp_context *ctx = *state;
    swp_order order = {0};
    const swp_loop_body body = graph_with(
        ctx, OPS(unit_op('F', 1), unit_op('M', 1), unit_op('F', 1), unit_op('M', 1)), "2>1");
    assert_status(ctx, swp_greedy_schedule(ctx, &body, 2, 1, &order), SWP_INVALID);
    assert_diag(ctx, "E0402", "op 1");
}

/* Three halves of one block each: the counts come from the caller. */
static void any_number_of_halves_is_taken(void **state)
{
    swp_context *ctx = *state;
    swp_order order = {0};
    const swp_loop_body body = graph_with(ctx,
                                          OPS(unit_op('M', 1), unit_op('F', 1), unit_op('F', 1),
                                              unit_op('M', 1), unit_op('F', 1), unit_op('M', 1)),
                                          "1>0");
    assert_ok(ctx, swp_greedy_schedule(ctx, &body, 3, 1, &order));
    assert_order(&order, "1 0 2 3 4 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_declaration_order_stays_where_it_is_legal),
        CONTEXT_TEST(each_step_takes_the_lowest_ready_op),
        CONTEXT_TEST(ops_after_the_last_compute_of_a_half_are_an_error),
        CONTEXT_TEST(ops_after_the_last_compute_are_an_error_whatever_the_number_of_blocks),
        CONTEXT_TEST(more_computes_than_blocks_are_an_error),
        CONTEXT_TEST(a_half_that_waits_for_a_later_one_is_an_error),
        CONTEXT_TEST(any_number_of_halves_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
