/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a general loop need, and what the machine gives them. */
#include "small_dataflow.h"

typedef struct right_case {
    void (*describe)(swp_loop_builder *l);
    const int *slots;
    const char *kernel;
    bool raw;
} right_case;

static void programs_with_enough_synchronisation_go_right(void **state)
{
    static const right_case cases[] = {
        {load_read_use, one_slot, "L0 vm0 bar R0 lgkm0 U0 bar", true},
        {load_read_use, one_slot, "L0 vm0 bar R0 U0 bar", false},
        {write_read, one_slot, "W0 bar R0 bar", true},
        /* The barrier of the iteration between stands for one behind the read. */
        {write_read, two_slots, "W0 bar R0", true},
        {write_read_before, two_slots, "W0 bar R0 bar", true},
        {write_read_before, two_slots, "bar R0 bar W0", true},
        /* An update reads the shares of all, in another slot than that which it writes. */
        {update_shared, two_slots, "V0 bar", true},
        {load_only, one_slot, "vm0 L0", true},
        /* What is counted reads its registers as it issues. */
        {update_store, one_slot, "U0 T0", true},
        {update_store, one_slot, "U0 T0", false},
        {update_store_group, one_slot, "U0 T0 vm0", false},
        /* In one accumulator they take effect in order. */
        {accumulate, one_slot, "M0", true},
        {accumulate_read, one_slot, "M0 lgkm0 V0", true},
        {accumulate_read, one_slot, "M0 lgkm0 V0", false},
    };
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const right_case *c = &cases[i];
        swp_schedule schedule = small_dataflow(ctx, loop_of(ctx, c->describe), c->slots, c->kernel);
        schedule.machine.registers = c->raw ? SWP_REGISTERS_RAW : SWP_REGISTERS_MANAGED;
        expect_right(ctx, &schedule);
    }
}

static void a_fenced_barrier_retires_what_reads_shared_values(void **state)
{
    swp_context *ctx = *state;
    const swp_loop *loop = loop_of(ctx, load_read_use);
    swp_schedule schedule = small_dataflow(ctx, loop, one_slot, "L0 vm0 bar R0 bar U0");
    expect_wrong(ctx, &schedule);
    schedule.machine.barrier = SWP_BARRIER_FENCED;
    expect_right(ctx, &schedule);
    schedule.streams[0].kernel = dataflow_entries(ctx, loop, SWP_KERNEL, "L0 bar R0 lgkm0 U0 bar");
    expect_wrong(ctx, &schedule);
}

static void a_counter_that_wraps_is_passed(void **state)
{
    swp_context *ctx = *state;
    swp_schedule schedule = small_dataflow(ctx, loop_of(ctx, load_only), two_slots, "L0");
    schedule.machine.vm_max = 1;
    expect_right(ctx, &schedule);
    schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    const swp_hazard hazard = {.kind = SWP_COUNTER, .at = {SWP_KERNEL, 0}, .smallest_n = 2};
    swp_counterexample found;
    swp_run_outcome outcome;
    assert_ok(ctx, swp_counterexample_find(ctx, &schedule, &hazard, &found));
    assert_ok(ctx, swp_counterexample_replay(ctx, &schedule, &found, &outcome));
    assert_int_equal(outcome.symptom, SWP_COUNTER_PASSED);
    assert_int_equal(outcome.passed.items[0].pass, 1);
}

static void two_groups_with_a_lag_need_two_barriers(void **state)
{
    swp_context *ctx = *state;
    swp_schedule schedule =
        small_dataflow(ctx, loop_of(ctx, write_read), one_slot, "W0 bar bar R0 bar bar");
    schedule.machine.groups = 2;
    schedule.machine.lag = 1;
    schedule.machine.lag_prologue_index = 0;
    expect_right(ctx, &schedule);
    schedule.streams[0].kernel =
        dataflow_entries(ctx, schedule.dataflow->loop, SWP_KERNEL, "W0 bar R0 bar");
    expect_wrong(ctx, &schedule);
    schedule.machine.lag = 0;
    expect_right(ctx, &schedule);
    schedule.machine.lag = 1;
    schedule.machine.lag_end_barrier = false;
    const swp_run_outcome outcome = run_once(ctx, &schedule, 2, SWP_TIMING_RANDOM, 0);
    assert_int_equal(outcome.symptom, SWP_WAITS_FOR_EVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(programs_with_enough_synchronisation_go_right),
        CONTEXT_TEST(a_fenced_barrier_retires_what_reads_shared_values),
        CONTEXT_TEST(a_counter_that_wraps_is_passed),
        CONTEXT_TEST(two_groups_with_a_lag_need_two_barriers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
