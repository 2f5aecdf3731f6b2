/* SPDX-License-Identifier: Apache-2.0 */
/* What a wait or barrier is for is what goes wrong without it. */
#include "fixture.h"

#include "swp/swp.h"

#include <string.h>

/* With the fewest barriers, where sync is derived: the goal of cycles may add some for speed. */
static swp_schedule *compile(swp_context *ctx, const char *builtin, const char *sync)
{
    const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, builtin, &description));
    assert_ok(ctx, swp_description_set(ctx, description, "schedule.sync", sync, nowhere));
    assert_ok(ctx,
              swp_description_set(ctx, description, "schedule.sync_goal", "barriers", nowhere));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    return schedule;
}

static void every_wait_and_barrier_is_explained_once(void **state)
{
    swp_explanation_list list;
    swp_schedule *schedule = compile(*state, "pingpong", "template");
    size_t sync = 0;
    for (int p = 0; p < 3; p++) {
        const swp_entry_list *phase = swp_schedule_phase(schedule, (swp_phase)p);
        for (size_t i = 0; i < phase->count; i++)
            sync += phase->items[i].op.role == SWP_SYNC;
    }
    assert_ok(*state, swp_explain(*state, schedule, &list));
    assert_int_equal(list.count, sync);
    swp_schedule_free(schedule);
}

static void derived_synchronisation_has_nothing_to_spare(void **state)
{
    swp_explanation_list list;
    swp_schedule *schedule = compile(*state, "fourwave", "derived");
    assert_ok(*state, swp_explain(*state, schedule, &list));
    for (size_t i = 0; i < list.count; i++)
        assert_true(list.items[i].needs.count > 0);
    swp_schedule_free(schedule);
}

/* Ping-pong's only wait between its prologue loads and the first fragments of half 1. */
static void the_last_wait_of_a_half_is_for_the_other_half_s_loads(void **state)
{
    swp_explanation_list list;
    bool found = false;
    swp_schedule *schedule = compile(*state, "pingpong", "template");
    assert_ok(*state, swp_explain(*state, schedule, &list));
    for (size_t i = 0; i < list.count && !found; i++)
        if (list.items[i].at.phase == SWP_KERNEL &&
            schedule->streams[0].kernel.items[list.items[i].at.entry].op.tag == SWP_TAG_WAIT_VM) {
            found = true;
            assert_true(list.items[i].needs.count > 0);
            assert_int_equal(list.items[i].needs.items[0].kind, SWP_STALE_READ);
        }
    assert_true(found);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_wait_and_barrier_is_explained_once),
        CONTEXT_TEST(derived_synchronisation_has_nothing_to_spare),
        CONTEXT_TEST(the_last_wait_of_a_half_is_for_the_other_half_s_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
