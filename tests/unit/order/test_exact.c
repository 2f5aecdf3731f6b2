/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of csp (docs/scheduling.md) and its tie rules on bodies small enough to check by hand. */
#include "fixture.h"
#include "graphs.h"
#include "ops.h"
#include "swp/solve.h"

static void a_seed_on_the_bound_is_the_answer_without_search(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    const swp_loop_body body = graph_with(ctx, OPS(unit_op('F', 20), unit_op('M', 16)), "0>1");
    assert_ok(ctx, swp_optimal_schedule(ctx, &body, SWP_NO_VGPR_LIMIT, &s));
    assert_order(&s.order, "0 1");
    assert_true(s.is_seed);
    assert_int_equal(s.outcome, SWP_OPTIMAL);
    assert_int_equal(s.work, 0);
    assert_int_equal(s.evaluation.makespan, 36);
    assert_int_equal(s.lower_bound, 36);
}

/* Seed 0 1 2 takes 52. Both 0 2 1 and 2 0 1 take 36: the first of them in order wins. */
static void among_equals_the_lexicographically_first_order_wins(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    const swp_loop_body body =
        graph_with(ctx, OPS(unit_op('F', 20), unit_op('M', 16), unit_op('M', 16)), "0>1");
    assert_ok(ctx, swp_optimal_schedule(ctx, &body, SWP_NO_VGPR_LIMIT, &s));
    assert_order(&s.order, "0 2 1");
    assert_false(s.is_seed);
    assert_int_equal(s.evaluation.makespan, 36);
}

/* As above, but 2 kills what 0 makes: 2 0 1 peaks at 8, 0 2 1 at 10. */
static void the_peak_decides_before_the_order(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    swp_op ops[] = {unit_op('F', 20), unit_op('M', 16), unit_op('M', 16)};
    ops[0].vgpr_def = 8;
    ops[2].vgpr_def = 2;
    ops[2].vgpr_kill = 2;
    const swp_loop_body body = graph_with(ctx, list_of(ops, 3), "0>1");
    assert_ok(ctx, swp_optimal_schedule(ctx, &body, SWP_NO_VGPR_LIMIT, &s));
    assert_order(&s.order, "2 0 1");
    assert_int_equal(s.evaluation.vgpr_peak, 8);
}

/* The loads start at 0 and 30, so 0 ends at 30 + 20 + 16, above the bound of 30 + 20, in any order. */
static void a_legal_seed_that_ties_stands(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    const swp_loop_body body =
        graph_with(ctx, OPS(unit_op('M', 16), unit_op('F', 20), unit_op('F', 20)), "2>0 1>0");
    const swp_search search = {.lds_contention_penalty = 30, .max_vgpr = SWP_NO_VGPR_LIMIT};
    assert_ok(ctx, swp_solve(ctx, &body, &search, &s));
    assert_order(&s.order, "1 2 0");
    assert_int_equal(s.evaluation.makespan, 66);
    assert_true(s.is_seed);
    assert_int_equal(s.outcome, SWP_OPTIMAL);
}

static void a_budget_that_only_a_slower_order_meets_makes_it_the_answer(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    /* 0 and 1 are independent chains F (8 registers) then M that kills them. */
    swp_op ops[] = {unit_op('F', 20), unit_op('F', 20), unit_op('M', 16), unit_op('M', 16)};
    ops[0].vgpr_def = ops[1].vgpr_def = 8;
    ops[2].vgpr_kill = ops[3].vgpr_kill = 8;
    const swp_loop_body body = graph_with(ctx, list_of(ops, 4), "0>2 1>3");
    assert_ok(ctx, swp_optimal_schedule(ctx, &body, 8, &s));
    assert_order(&s.order, "0 2 1 3");
    assert_int_equal(s.evaluation.vgpr_peak, 8);
    assert_int_equal(s.evaluation.makespan, 52);
}

static void a_budget_that_nothing_meets_is_infeasible(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    swp_op ops[] = {unit_op('F', 20), unit_op('M', 16)};
    ops[0].vgpr_def = 8;
    const swp_loop_body body = graph_with(ctx, list_of(ops, 2), "0>1");
    assert_status(ctx, swp_optimal_schedule(ctx, &body, 7, &s), SWP_INFEASIBLE);
    assert_diag(ctx, "E0401", "7");
    swp_context_clear_diags(ctx);
    assert_ok(ctx, swp_optimal_schedule(ctx, &body, 8, &s));
    ops[0].vgpr_def = 0;
    const swp_loop_body without = graph_with(ctx, list_of(ops, 2), "0>1");
    assert_ok(ctx, swp_optimal_schedule(ctx, &without, 0, &s));
}

static void halves_keep_to_their_ops_and_end_with_a_compute(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    /* Greedy cannot place 1 of half 0 after its COMPUTE; the exact answer can. */
    const swp_loop_body body = graph_with(
        ctx, OPS(unit_op('M', 16), unit_op('L', 1), unit_op('F', 1), unit_op('M', 16)), "");
    assert_ok(ctx, swp_optimal_schedule_with_halves(ctx, &body, 0, 0, SWP_NO_VGPR_LIMIT, 1, &s));
    assert_order(&s.order, "1 0 2 3");
    assert_false(s.is_seed);
}

/* The seed 0 1 2 3 has both loads before the first COMPUTE, but meets the bound. */
static void a_seed_on_the_bound_stands_though_it_breaks_max_globals(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    const swp_loop_body body =
        graph_with(ctx,
                   OPS(unit_op('L', 5), unit_op('L', 5), unit_op('M', 8), unit_op('M', 8),
                       unit_op('M', 8), unit_op('M', 8), unit_op('M', 8), unit_op('M', 8)),
                   "");
    assert_ok(ctx, swp_optimal_schedule_with_halves(ctx, &body, 1, 0, SWP_NO_VGPR_LIMIT, 4, &s));
    assert_order(&s.order, "0 1 2 3 4 5 6 7");
    assert_true(s.is_seed);
}

/* One COMPUTE cannot separate two loads before it; a penalty of 9 keeps the seed off the bound. */
static void max_globals_that_nothing_meets_is_infeasible(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    const swp_loop_body body = graph_with(ctx,
                                          OPS(unit_op('L', 5), unit_op('L', 5), unit_op('M', 1),
                                              unit_op('M', 1), unit_op('F', 5), unit_op('M', 1)),
                                          "0>2 1>2 4>5");
    assert_status(ctx, swp_optimal_schedule_with_halves(ctx, &body, 1, 9, SWP_NO_VGPR_LIMIT, 1, &s),
                  SWP_INFEASIBLE);
    assert_true(has_error(ctx));
}

static void a_cyclic_graph_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    const swp_loop_body body = graph_with(ctx, OPS(unit_op('F', 1), unit_op('M', 1)), "0>1 1>0");
    assert_status(ctx, swp_optimal_schedule(ctx, &body, SWP_NO_VGPR_LIMIT, &s), SWP_INVALID);
    assert_diag(ctx, "E0304", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_seed_on_the_bound_is_the_answer_without_search),
        CONTEXT_TEST(among_equals_the_lexicographically_first_order_wins),
        CONTEXT_TEST(the_peak_decides_before_the_order),
        CONTEXT_TEST(a_legal_seed_that_ties_stands),
        CONTEXT_TEST(a_budget_that_only_a_slower_order_meets_makes_it_the_answer),
        CONTEXT_TEST(a_budget_that_nothing_meets_is_infeasible),
        CONTEXT_TEST(halves_keep_to_their_ops_and_end_with_a_compute),
        CONTEXT_TEST(a_seed_on_the_bound_stands_though_it_breaks_max_globals),
        CONTEXT_TEST(max_globals_that_nothing_meets_is_infeasible),
        CONTEXT_TEST(a_cyclic_graph_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
