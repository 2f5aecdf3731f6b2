/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "interruption.h"

#include "base/budget.h"

static void many_steps_are_one_look(void **state)
{
    swp_context *ctx = *state;
    interruption i = {.from = 3};
    interrupt_with(ctx, &i);
    swp_budget budget = swp_budget_start(ctx, 0);
    size_t steps = 0;
    while (swp_budget_keep(&budget, 1))
        steps++;
    assert_in_range(steps, 3000, 300000);
    assert_int_equal(i.asked, 3);
    assert_false(swp_budget_keep(&budget, 0));
    assert_int_equal(i.asked, 3);
}

static void no_limit_never_ends(void **state)
{
    swp_budget budget = swp_budget_start(*state, 0);
    assert_true(swp_budget_keep(&budget, UINT64_MAX / 2));
    assert_true(swp_budget_keep(&budget, UINT64_MAX / 2));
}

static void time_that_has_passed_ends_it(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.seconds = 1e-9};
    swp_context_set_limits(ctx, &limits);
    swp_budget budget = swp_budget_start(ctx, 0);
    budget.began -= 1;
    assert_false(swp_budget_keep(&budget, 1 << 20));
}

/* Nominal seconds pass with the work, whatever the clock says, and so the same work comes to the same. */
static void work_ends_it_by_itself(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.seconds = 1e-3, .nominal = true};
    uint64_t kept[2] = {0};
    for (int run = 0; run < 2; run++) {
        swp_context_set_limits(ctx, &limits);
        swp_budget budget = swp_budget_start(ctx, 0);
        while (swp_budget_keep(&budget, 100))
            kept[run]++;
    }
    assert_true(kept[0] > 0);
    assert_int_equal(kept[0], kept[1]);
}

static void a_step_is_some_nanoseconds_and_the_clock_never_goes_back(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.nominal = true};
    swp_context_set_limits(ctx, &limits);
    const double began = swp_search_clock(ctx);
    swp_budget budget = swp_budget_start(ctx, 0);
    for (int i = 0; i < 1000000; i++)
        (void)swp_budget_keep(&budget, 250);
    const double seconds = swp_search_clock(ctx) - began;
    assert_true(seconds > 0.1 && seconds < 10);
    (void)swp_budget_keep(&budget, UINT64_MAX);
    (void)swp_budget_keep(&budget, UINT64_MAX);
    assert_true(swp_search_clock(ctx) > began + seconds);
}

static void work_ends_allocations(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.total_seconds = 1e-3, .nominal = true};
    swp_context_set_limits(ctx, &limits);
    int taken = 0;
    while (swp_context_take(ctx, 1000))
        taken++;
    assert_in_range(taken, 10, 1000000);
    assert_int_equal(swp_why_none(ctx), SWP_STOPPED);
}

/* Memory that is refused by a limit is not memory that ran out. */
static void an_interruption_ends_allocations(void **state)
{
    swp_context *ctx = *state;
    interruption i = {.from = 2};
    interrupt_with(ctx, &i);
    ctx->deadline->steps_look = 1;
    assert_non_null(swp_context_take(ctx, 1));
    assert_null(swp_context_take(ctx, 1));
    assert_int_equal(swp_why_none(ctx), SWP_STOPPED);
    assert_diag(ctx, "E0002", "interrupted");
    swp_context_set_limits(ctx, NULL);
    assert_non_null(swp_context_take(ctx, 1));
}

static void a_stopped_search_leaves_a_moment(void **state)
{
    swp_context *ctx = *state;
    interruption i = {.from = 1};
    interrupt_with(ctx, &i);
    ctx->deadline->steps_look = 1;
    swp_budget budget = swp_budget_start(ctx, 0);
    assert_false(swp_budget_look(&budget));
    ctx->deadline->grace += 1000;
    assert_non_null(swp_context_take(ctx, 1));
    ctx->deadline->grace = 0;
    assert_null(swp_context_take(ctx, 1));
}

static void a_flag_ends_all_work(void **state)
{
    swp_context *ctx = *state;
    int flag = 0;
    const swp_limits limits = {.interrupted = swp_flag_is_raised, .user = &flag};
    swp_context_set_limits(ctx, &limits);
    ctx->deadline->steps_look = 1;
    assert_non_null(swp_context_take(ctx, 1));
    flag = 2;
    assert_null(swp_context_take(ctx, 1));
    assert_diag(ctx, "E0002", "interrupted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(many_steps_are_one_look),
        CONTEXT_TEST(no_limit_never_ends),
        CONTEXT_TEST(time_that_has_passed_ends_it),
        CONTEXT_TEST(work_ends_it_by_itself),
        CONTEXT_TEST(a_step_is_some_nanoseconds_and_the_clock_never_goes_back),
        CONTEXT_TEST(work_ends_allocations),
        CONTEXT_TEST(an_interruption_ends_allocations),
        CONTEXT_TEST(a_stopped_search_leaves_a_moment),
        CONTEXT_TEST(a_flag_ends_all_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
