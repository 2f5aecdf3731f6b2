/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "interruption.h"

#include "base/pace.h"

static void many_steps_are_one_look(void **state)
{
    swp_context *ctx = *state;
    interruption i = {.from = 3};
    interrupt_with(ctx, &i);
    swp_pace pace = swp_pace_begin(ctx);
    size_t steps = 0;
    while (swp_pace_keep(&pace, 1))
        steps++;
    assert_in_range(steps, 3000, 300000);
    assert_int_equal(i.asked, 3);
    assert_false(swp_pace_keep(&pace, 0));
    assert_int_equal(i.asked, 3);
}

static void no_limit_never_ends(void **state)
{
    swp_pace pace = swp_pace_begin(*state);
    assert_true(swp_pace_keep(&pace, UINT64_MAX / 2));
    assert_true(swp_pace_keep(&pace, UINT64_MAX / 2));
}

static void time_that_has_passed_ends_it(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.seconds = 1e-9};
    swp_context_set_limits(ctx, &limits);
    swp_pace pace = swp_pace_begin(ctx);
    pace.began -= 1;
    assert_false(swp_pace_keep(&pace, 1 << 20));
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
