/* SPDX-License-Identifier: Apache-2.0 */
/* Derived synchronisation: safe, and with the fewest barriers a pass. */
#include "fixture.h"

#include "swp/swp.h"

#include <string.h>

static swp_schedule *compile(swp_context *ctx, const char *builtin, const char *const settings[])
{
    const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, builtin, &description));
    assert_ok(ctx, swp_description_set(ctx, description, "schedule.sync", "derived", nowhere));
    assert_ok(ctx,
              swp_description_set(ctx, description, "schedule.sync_goal", "barriers", nowhere));
    for (size_t i = 0; settings && settings[i]; i += 2)
        assert_ok(ctx,
                  swp_description_set(ctx, description, settings[i], settings[i + 1], nowhere));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    return schedule;
}

/* The schedule is safe and has so many barriers in its kernel phase. */
static void expect(swp_context *ctx, const char *builtin, const char *const settings[],
                   int barriers)
{
    swp_verdict verdict = {0};
    swp_schedule *schedule = compile(ctx, builtin, settings);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    assert_true(verdict.safe);
    assert_int_equal(swp_count_sync(&schedule->kernel).barriers, barriers);
    swp_schedule_free(schedule);
}

static void fourwave_needs_three_barriers_a_pass(void **state)
{
    expect(*state, "fourwave", NULL, 3);
}

static void raw_registers_need_waits_but_no_more_barriers(void **state)
{
    const char *const raw[] = {"machine.registers", "raw", NULL};
    expect(*state, "fourwave", raw, 3);
}

/* From the lagging group to the other, two barriers where one would do side by side. */
static void a_lag_doubles_the_demand(void **state)
{
    const char *const lag[] = {
        "pipeline.warp_stagger", "fixed(0)", "machine.groups", "2", "machine.lag", "1", NULL};
    expect(*state, "fourwave", lag, 6);
}

static void the_pace_keeps_a_barrier_on_each_side_of_every_mma(void **state)
{
    const char *const free_running[] = {"schedule.sync_pace", "false", NULL};
    expect(*state, "pingpong", NULL, 16);
    expect(*state, "pingpong", free_running, 6);
}

static void the_single_buffer_needs_its_two_barriers(void **state)
{
    const char *const raw[] = {"machine.barrier", "raw", "machine.registers", "raw", NULL};
    expect(*state, "single_buffer", NULL, 2);
    expect(*state, "single_buffer", raw, 2);
}

static double cycles_a_pass(swp_context *ctx, const char *builtin, const char *goal, int *barriers)
{
    const char *const by_goal[] = {"schedule.sync_goal", goal, NULL};
    const char *const template[] = {"schedule.sync", "template", NULL};
    swp_simulation simulation = {0};
    swp_verdict verdict = {0};
    swp_schedule *schedule = compile(ctx, builtin, goal ? by_goal : template);
    assert_ok(ctx, swp_simulate(ctx, schedule, NULL, &simulation));
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    assert_true(verdict.safe || !goal);
    *barriers = swp_count_sync(&schedule->kernel).barriers;
    swp_schedule_free(schedule);
    return (double)simulation.cycles / simulation.passes;
}

static void the_goal_cycles_beats_the_template_with_no_more_barriers(void **state)
{
    const char *const builtins[] = {"fourwave", "pingpong", "single_buffer"};
    for (size_t i = 0; i < 3; i++) {
        int published = 0;
        int derived = 0;
        const double before = cycles_a_pass(*state, builtins[i], NULL, &published);
        const double after = cycles_a_pass(*state, builtins[i], "cycles", &derived);
        print_message("%s: %.2f cycles a pass, published %.2f\n", builtins[i], after, before);
        assert_true(after <= before);
        assert_true(derived <= published);
    }
}

static bool is_safe(swp_context *ctx, const swp_schedule *schedule)
{
    swp_verdict verdict = {0};
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    return verdict.safe;
}

/* Any one wait or barrier less, or any count one higher, and the proof is gone. */
static void every_entry_of_the_result_is_needed(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compile(ctx, "fourwave", NULL);
    swp_entry_list *phases[] = {&schedule->prologue, &schedule->kernel, &schedule->epilogue};
    for (int p = 0; p < 3; p++)
        for (size_t i = 0; i < phases[p]->count; i++) {
            const swp_entry entry = phases[p]->items[i];
            if (entry.op.role != SWP_SYNC)
                continue;
            phases[p]->items[i].op = swp_op_set_prio(0);
            assert_false(is_safe(ctx, schedule));
            phases[p]->items[i] = entry;
            phases[p]->items[i].op.wait_value++;
            assert_true(entry.op.tag == SWP_TAG_BARRIER || !is_safe(ctx, schedule));
            phases[p]->items[i] = entry;
        }
    swp_schedule_free(schedule);
}

/* Stopped at its first proof, it still is safe, and says that it was stopped. */
static void a_stopped_derivation_is_safe(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.work = 1};
    swp_context_set_limits(ctx, &limits);
    swp_schedule *schedule = compile(ctx, "fourwave", NULL);
    assert_true(schedule->metrics.stopped);
    assert_true(is_safe(ctx, schedule));
    swp_context_set_limits(ctx, NULL);
    swp_schedule_free(schedule);
}

static void an_order_that_reads_before_it_loads_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compile(ctx, "fourwave", NULL);
    swp_sync_result result = {0};
    /* The fragments of the other stage now come after the loads that replace their tiles. */
    for (size_t i = 0; i < schedule->kernel.count; i++)
        if (schedule->kernel.items[i].op.role == SWP_FRAGMENT_LOAD)
            schedule->kernel.items[i].op.stage = 1 - schedule->kernel.items[i].op.stage;
    assert_int_equal(swp_derive_sync(ctx, schedule, SWP_SYNC_BARRIERS, false, &result),
                     SWP_INVALID);
    assert_true(has_error(ctx));
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(fourwave_needs_three_barriers_a_pass),
        CONTEXT_TEST(raw_registers_need_waits_but_no_more_barriers),
        CONTEXT_TEST(a_lag_doubles_the_demand),
        CONTEXT_TEST(the_pace_keeps_a_barrier_on_each_side_of_every_mma),
        CONTEXT_TEST(the_single_buffer_needs_its_two_barriers),
        CONTEXT_TEST(the_goal_cycles_beats_the_template_with_no_more_barriers),
        CONTEXT_TEST(every_entry_of_the_result_is_needed),
        CONTEXT_TEST(a_stopped_derivation_is_safe),
        CONTEXT_TEST(an_order_that_reads_before_it_loads_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
