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
        CONTEXT_TEST(an_interruption_ends_allocations),
        CONTEXT_TEST(a_stopped_search_leaves_a_moment),
        CONTEXT_TEST(a_flag_ends_all_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
