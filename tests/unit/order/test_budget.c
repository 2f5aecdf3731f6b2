/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a search. */
#include "fixture.h"
#include "graphs.h"
#include "ops.h"
#include "random_body.h"
#include "swp/solve.h"

/* A body of 32 ops that takes seconds to prove. */
static swp_status solve(swp_context *ctx, swp_solution *solution)
{
    test_random random = random_for_case(20240905, 44);
    const body_shape shape = {32, false, 4};
    const swp_search search = {.lds_contention_penalty = 13, .max_vgpr = 45};
    const swp_loop_body body = random_body(ctx, &random, &shape);
    return swp_solve(ctx, &body, &search, solution);
}

static void the_work_limit_stops_with_a_warning_or_an_error(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.work = 100};
    swp_solution solution = {0};
    swp_context_set_limits(ctx, &limits);
    const swp_status status = solve(ctx, &solution);
    if (status == SWP_OK)
        assert_int_equal(solution.outcome, SWP_FEASIBLE);
    else
        assert_int_equal(status, SWP_STOPPED);
    assert_diag(ctx, status == SWP_OK ? "W0401" : "E0403", NULL);
}

static bool count_and_go_on(void *user)
{
    return ++*(int *)user >= 5;
}

static void the_interruption_is_polled_until_it_stops(void **state)
{
    swp_context *ctx = *state;
    int polls = 0;
    const swp_limits limits = {.interrupted = count_and_go_on, .user = &polls};
    swp_solution solution = {0};
    swp_context_set_limits(ctx, &limits);
    const swp_status status = solve(ctx, &solution);
    assert_true(status == SWP_STOPPED || solution.outcome == SWP_FEASIBLE);
    assert_int_equal(polls, 5);
}

static void see_progress(void *user, const swp_progress *progress)
{
    ++*(int *)user;
    assert_true(progress->work > 0);
    assert_true(progress->seconds > 0);
    assert_true(progress->best == -1 || progress->bound <= progress->best);
}

static void progress_is_told_while_there_is_time(void **state)
{
    swp_context *ctx = *state;
    int calls = 0;
    const swp_limits limits = {.seconds = 0.7, .progress = see_progress, .user = &calls};
    swp_solution solution = {0};
    swp_context_set_limits(ctx, &limits);
    (void)solve(ctx, &solution);
    assert_in_range(calls, 1, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_work_limit_stops_with_a_warning_or_an_error),
        CONTEXT_TEST(the_interruption_is_polled_until_it_stops),
        CONTEXT_TEST(progress_is_told_while_there_is_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
