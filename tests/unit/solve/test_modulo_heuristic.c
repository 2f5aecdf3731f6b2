/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "interruption.h"
#include "large_problem.h"
#include "problems.h"

#include "solve/bounds.h"
#include "solve/heuristic.h"

static swp_answer solve(swp_context *ctx, const swp_problem *problem)
{
    swp_answer answer = {.status = SWP_ANSWER_UNKNOWN};
    swp_problem_graph graph;
    swp_budget budget = swp_budget_start(ctx, (int)problem->op_count);
    assert_ok(ctx, swp_problem_check(ctx, problem));
    assert_ok(ctx, swp_problem_graph_new(ctx, problem, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_bounds(ctx, &graph, &budget, &answer));
    assert_ok(ctx, swp_solve_modulo_heuristic(ctx, &graph, 0, &budget, &answer));
    return answer;
}

/* One by one they would never come to an end. */
static void intervals_at_which_an_op_folds_over_itself_are_skipped(void **state)
{
    swp_context *ctx = *state;
    /* The load asks for 2/3 of 2^39 cycles, but in less both uses would begin beside their own ends. */
    const swp_problem p =
        problem_of(ctx, SWP_PROBLEM_MODULO, "3", "1:r1x549755813888+r1x549755813888 1:r1x5", "");
    const swp_answer answer = solve(ctx, &p);
    assert_int_equal(answer.bound, 549755813888);
    assert_int_equal(answer.value, 549755813888);
    assert_int_equal(answer.bound_kind, SWP_BOUND_REFUTATION);
}

static void an_interruption_ends_the_paths_between_nodes(void **state)
{
    swp_context *ctx = *state;
    interruption i = {.from = 40};
    const large_shape shape = {SWP_PROBLEM_MODULO, 800, 1, 3, 1, true, -3};
    const swp_problem p = large_problem(ctx, &shape);
    interrupt_with(ctx, &i);
    (void)solve(ctx, &p);
    assert_in_range(i.asked, 40, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(intervals_at_which_an_op_folds_over_itself_are_skipped),
        CONTEXT_TEST(an_interruption_ends_the_paths_between_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
