/* SPDX-License-Identifier: Apache-2.0 */
/* The resource model and the lower bound (docs/scheduling.md), worked by hand. */
#include "fixture.h"
#include "graphs.h"
#include "ops.h"
#include "swp/solve.h"

static void expect_makespan(swp_context *ctx, const swp_loop_body *body, swp_order order,
                            int penalty, int64_t makespan)
{
    swp_evaluation found;
    assert_ok(ctx, swp_evaluate_schedule(ctx, body, &order, penalty, &found));
    assert_int_equal(found.makespan, makespan);
}

static void expect_bound(swp_context *ctx, const swp_loop_body *body, int penalty, int64_t bound)
{
    int64_t found = -1;
    assert_ok(ctx, swp_makespan_lower_bound(ctx, body, penalty, &found));
    assert_int_equal(found, bound);
}

/* F 0-20, M 20-36; the free M 0-16 if it comes first, else 36-52. */
static void the_mma_unit_takes_one_op_at_a_time_in_order(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_body body =
        graph_with(ctx, OPS(unit_op('F', 20), unit_op('M', 16), unit_op('M', 16)), "0>1");
    expect_makespan(ctx, &body, ORDER(0, 1, 2), 0, 52);
    expect_makespan(ctx, &body, ORDER(0, 2, 1), 0, 36);
    expect_bound(ctx, &body, 0, 36);
}

static void the_valu_runs_beside_the_mma_unit(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_body body = graph_with(
        ctx, OPS(unit_op('V', 10), unit_op('M', 16), unit_op('V', 10), unit_op('M', 16)), "");
    expect_makespan(ctx, &body, ORDER(0, 1, 2, 3), 0, 32);
    expect_bound(ctx, &body, 0, 32);
}

/* Starts 0, 7, 14; the port is free at start + 7, not at the finish. */
static void the_port_is_busy_for_the_penalty_only(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_body body =
        graph_with(ctx, OPS(unit_op('L', 200), unit_op('F', 20), unit_op('F', 5)), "");
    expect_makespan(ctx, &body, ORDER(0, 1, 2), 0, 200);
    expect_makespan(ctx, &body, ORDER(0, 1, 2), 7, 200);
    expect_makespan(ctx, &body, ORDER(1, 2, 0), 7, 214);
    expect_bound(ctx, &body, 7, 200);
}

/* 3 users: 2 * 30 + 5 = 65 > 50. With c * penalty it would be 90, which the order beats. */
static void the_port_bound_counts_one_penalty_less_than_its_ops(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_body body =
        graph_with(ctx, OPS(unit_op('F', 5), unit_op('F', 5), unit_op('L', 50)), "");
    expect_bound(ctx, &body, 30, 65);
    expect_makespan(ctx, &body, ORDER(2, 0, 1), 30, 65);
}

/* The MMA unit: earliest ASAP 20, then 3 x 16. */
static void the_unit_bound_starts_at_the_earliest_op(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_body body =
        graph_with(ctx, OPS(unit_op('F', 20), unit_op('M', 16), unit_op('M', 16), unit_op('M', 16)),
                   "0>1 0>2 0>3");
    expect_bound(ctx, &body, 0, 68);
}

static void an_empty_body_takes_no_time(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_body body = graph_with(ctx, (swp_op_list){0}, "");
    expect_makespan(ctx, &body, (swp_order){0}, 5, 0);
    expect_bound(ctx, &body, 5, 0);
}

static void registers_die_after_the_op_that_kills_them(void **state)
{
    swp_context *ctx = *state;
    swp_op ops[] = {unit_op('F', 1), unit_op('F', 1), unit_op('M', 1)};
    ops[0].vgpr_def = 8;
    ops[1].vgpr_def = 4;
    ops[1].vgpr_kill = 8;
    ops[2].vgpr_def = 6;
    const swp_loop_body body = graph_with(ctx, list_of(ops, 3), "");
    swp_evaluation found;
    const swp_order order = ORDER(0, 1, 2);
    /* 8, then 12 less 8, then 4 + 6. */
    assert_ok(ctx, swp_evaluate_schedule(ctx, &body, &order, 0, &found));
    assert_int_equal(found.vgpr_peak, 12);
    const swp_order other = ORDER(0, 2, 1);
    /* 8, 14, 18. */
    assert_ok(ctx, swp_evaluate_schedule(ctx, &body, &other, 0, &found));
    assert_int_equal(found.vgpr_peak, 18);
}

static void the_node_latency_counts_and_later_iterations_do_not(void **state)
{
    swp_context *ctx = *state;
    swp_loop_body body = graph_with(ctx, OPS(unit_op('F', 20), unit_op('M', 16)), "0>1");
    body.edges.items[0].distance = 1;
    expect_makespan(ctx, &body, ORDER(0, 1), 0, 20);
    body.edges.items[0].distance = 0;
    body.nodes[0].latency = 100;
    expect_makespan(ctx, &body, ORDER(0, 1), 0, 116);
    expect_bound(ctx, &body, 0, 116);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_mma_unit_takes_one_op_at_a_time_in_order),
        CONTEXT_TEST(the_valu_runs_beside_the_mma_unit),
        CONTEXT_TEST(the_port_is_busy_for_the_penalty_only),
        CONTEXT_TEST(the_port_bound_counts_one_penalty_less_than_its_ops),
        CONTEXT_TEST(the_unit_bound_starts_at_the_earliest_op),
        CONTEXT_TEST(an_empty_body_takes_no_time),
        CONTEXT_TEST(registers_die_after_the_op_that_kills_them),
        CONTEXT_TEST(the_node_latency_counts_and_later_iterations_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
