/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "problems.h"

#include "solve/resource_bound.h"

static swp_answer bound_of(swp_context *ctx, swp_problem_kind kind, const char *capacities,
                           const char *ops)
{
    swp_answer answer = {.bound = kind == SWP_PROBLEM_MODULO};
    const swp_problem problem = problem_of(ctx, kind, capacities, ops, "");
    assert_ok(ctx, swp_problem_check(ctx, &problem));
    assert_ok(ctx, swp_solve_resource_bound(ctx, &problem, &answer));
    return answer;
}

static void what_cannot_be_held_together_adds_up(void **state)
{
    const swp_answer answer =
        bound_of(*state, SWP_PROBLEM_MODULO, "15", "1:r8x96 1:r8x96 1:r8x96 1:r1x9");
    assert_int_equal(answer.bound, 3 * 96);
    assert_int_equal(answer.bound_kind, SWP_BOUND_RESOURCE);
    assert_int_equal(answer.bound_weights.count, 1);
    assert_int_equal(answer.bound_weights.most, 1);
}

/* 3 at a time, of an op that holds its own amount over several intervals. */
static void an_op_that_overlaps_itself_counts_in_full(void **state)
{
    const swp_answer answer = bound_of(*state, SWP_PROBLEM_MODULO, "15", "1:r4x100");
    assert_int_equal(answer.bound, 34);
    assert_int_equal(answer.bound_weights.most, 3);
}

static void a_makespan_ends_with_latencies(void **state)
{
    const char *ops = "2:r2x9 3:r2x3 4:r2x4";
    assert_int_equal(bound_of(*state, SWP_PROBLEM_MAKESPAN, "3", ops).bound, 2 + 3 + 4);
    assert_int_equal(bound_of(*state, SWP_PROBLEM_MODULO, "3", ops).bound, 9 + 3 + 4);
}

static void of_equal_bounds_one_by_plain_amounts_is_kept(void **state)
{
    const swp_answer answer = bound_of(*state, SWP_PROBLEM_MODULO, "3 1", "1:r2x5 1:s1x5");
    assert_int_equal(answer.bound, 5);
    assert_int_equal(answer.bound_resource, 1);
    assert_int_equal(answer.bound_weights.count, 0);
}

static void no_use_bounds_nothing(void **state)
{
    const swp_answer answer = bound_of(*state, SWP_PROBLEM_MAKESPAN, "3", "0:r2x5 1:r2x0");
    assert_int_equal(answer.bound, 0);
    assert_int_equal(answer.bound_kind, SWP_BOUND_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(what_cannot_be_held_together_adds_up),
        CONTEXT_TEST(an_op_that_overlaps_itself_counts_in_full),
        CONTEXT_TEST(a_makespan_ends_with_latencies),
        CONTEXT_TEST(of_equal_bounds_one_by_plain_amounts_is_kept),
        CONTEXT_TEST(no_use_bounds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
