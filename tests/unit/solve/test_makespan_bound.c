/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "interruption.h"
#include "large_problem.h"
#include "plain_problem.h"
#include "problems.h"
#include "random_problem.h"

#include "solve/makespan_bound.h"

#include <stdio.h>

static swp_answer bound_of(swp_context *ctx, const swp_problem *problem)
{
    swp_answer answer = {.status = SWP_ANSWER_UNKNOWN};
    swp_budget budget = swp_budget_start(ctx, (int)problem->op_count);
    assert_ok(ctx, swp_problem_check(ctx, problem));
    assert_ok(ctx, swp_solve_makespan_bound(ctx, problem, &budget, &answer));
    return answer;
}

static void ops_that_exclude_each_other_add_up(void **state)
{
    swp_context *ctx = *state;
    /* 2 + 2 > 3, so that a load of 12 takes not 4 cycles but 6. */
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "3", "2:r2x2 2:r2x2 2:r2x2", "");
    const swp_answer answer = bound_of(ctx, &p);
    assert_int_equal(answer.bound, 6);
    assert_int_equal(answer.bound_kind, SWP_BOUND_REFUTATION);
}

static void ops_of_which_two_fit_at_a_time_add_up(void **state)
{
    swp_context *ctx = *state;
    /* 2 of 5 fit twice, so that 5 of them take 20 / 2 cycles, and not 40 / 5; 7 come before. */
    const swp_problem p =
        problem_of(ctx, SWP_PROBLEM_MAKESPAN, "5", "7: 4:r2x4 4:r2x4 4:r2x4 4:r2x4 4:r2x4",
                   "0>1 0>2 0>3 0>4 0>5");
    assert_int_equal(bound_of(ctx, &p).bound, 7 + 10);
}

static void heads_and_tails_count_beside_the_load(void **state)
{
    swp_context *ctx = *state;
    /* 2 cycles before and 3 after what takes 8 cycles of one unit. */
    const swp_problem p =
        problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "2: 4:r1x4 4:r1x4 3:", "0>1 0>2 1>3 2>3");
    assert_int_equal(bound_of(ctx, &p).bound, 13);
}

/* One by one they would never come to an end. */
static void a_bound_that_is_far_away_is_reached(void **state)
{
    swp_context *ctx = *state;
    /* Two chains of three ops whose middles exclude each other: 4 ops in turn, not 3. */
    const swp_problem p = problem_of(
        ctx, SWP_PROBLEM_MAKESPAN, "1",
        "100000000000: 100000000000: 100000000000:r1x100000000000 100000000000:r1x100000000000 "
        "100000000000: 100000000000:",
        "0>2 1>3 2>4 3>5");
    assert_int_equal(bound_of(ctx, &p).bound, 400000000000);
}

static void an_interruption_ends_the_energy_of_one_resource(void **state)
{
    swp_context *ctx = *state;
    interruption i = {.from = 20};
    const large_shape shape = {SWP_PROBLEM_MAKESPAN, 160, 2, 5, 9, false, 0};
    const swp_problem p = large_problem(ctx, &shape);
    interrupt_with(ctx, &i);
    assert_int_equal(bound_of(ctx, &p).status, SWP_ANSWER_UNKNOWN);
    assert_in_range(i.asked, 20, 25);
}

static void nothing_below_the_bound_has_a_schedule(void **state)
{
    (void)state;
    static const problem_shape shapes[] = {{SWP_PROBLEM_MAKESPAN, 5, 2, 3, 4, 0},
                                           {SWP_PROBLEM_MAKESPAN, 4, 2, 3, 4, 60}};
    const uint64_t seed = random_seed(11);
    const size_t cases = random_cases(400);
    size_t met = 0;
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(seed, i);
        const swp_problem p = random_problem(ctx, &random, &shapes[i % COUNT_OF(shapes)]);
        const swp_answer answer = bound_of(ctx, &p);
        if (answer.status == SWP_ANSWER_INFEASIBLE)
            assert_int_equal(plain_optimum(&p, 20), -1);
        else {
            assert_int_equal(plain_optimum(&p, answer.bound - 1), -1);
            met += plain_has_schedule(&p, answer.bound);
        }
        swp_context_free(ctx);
    }
    printf("%zu of %zu bounds are met\n", met, cases);
    assert_true(met > cases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(ops_that_exclude_each_other_add_up),
        CONTEXT_TEST(ops_of_which_two_fit_at_a_time_add_up),
        CONTEXT_TEST(heads_and_tails_count_beside_the_load),
        CONTEXT_TEST(a_bound_that_is_far_away_is_reached),
        CONTEXT_TEST(an_interruption_ends_the_energy_of_one_resource),
        CONTEXT_TEST(nothing_below_the_bound_has_a_schedule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
