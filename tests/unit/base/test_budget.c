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

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(many_steps_are_one_look),
        CONTEXT_TEST(no_limit_never_ends),
        CONTEXT_TEST(time_that_has_passed_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
