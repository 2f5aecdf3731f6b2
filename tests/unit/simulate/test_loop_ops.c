/* SPDX-License-Identifier: Apache-2.0 */
/* Ops of a loop: each rule of the model on the least program that shows it. */
#include "../run/small_dataflow.h"

#include "swp/simulate.h"

enum { LATENCY = 10, READING = 30, LONG = 50 };

static swp_simulation simulated(swp_context *ctx, void (*describe)(swp_loop_builder *l),
                                const char *kernel, int lgkm_max)
{
    swp_simulation out = {0};
    swp_schedule s = small_dataflow(ctx, loop_of(ctx, describe), one_slot, kernel);
    s.machine.lgkm_max = lgkm_max;
    assert_ok(ctx, swp_simulate(ctx, &s, NULL, &out));
    return out;
}

static void assert_pass(const swp_simulation *simulation, int cycles)
{
    assert_int_equal(simulation->cycles, (int64_t)cycles * simulation->passes);
}

/* W makes a in 10 cycles, U uses it at once. */
static void make_and_use(swp_loop_builder *l)
{
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "W", .latency = LATENCY, .writes = {a});
    swp_work(l, "U", .reads = {{.value = a}});
}

static void an_op_waits_for_what_it_reads(void **state)
{
    swp_context *ctx = *state;
    const swp_simulation m = simulated(ctx, make_and_use, "W0 U0", 15);
    /* W at 0, U at 10, W at 11. */
    assert_int_equal(m.groups[0].issues[0], 0);
    assert_int_equal(m.groups[0].issues[1], LATENCY);
    assert_pass(&m, 11);
    assert_int_equal(m.stalls.count, 1);
    assert_int_equal(m.stalls.items[0].cause, SWP_STALL_OPERAND);
    assert_int_equal(m.stalls.items[0].entry, 1);
    assert_int_equal(m.stalls.items[0].other.entry, 0);
}

/* R reads the a of the iteration before for 30 cycles, W then makes the next one. */
static void read_and_replace(swp_loop_builder *l)
{
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    swp_work(l, "V", .writes = {a});
    swp_work(l, "R", .read_cycles = READING, .reads = {{.value = a}});
}

static void an_op_replaces_nothing_that_is_still_read(void **state)
{
    swp_context *ctx = *state;
    const swp_simulation m = simulated(ctx, read_and_replace, "V0 R0", 15);
    /* V at 0, R at 1, V at 31. */
    assert_pass(&m, READING + 1);
}

/* Three loads that each keep half of a unit for 10 cycles. */
static void three_loads(swp_loop_builder *l)
{
    static const char *const names[] = {"A", "B", "C"};
    static const char *const values[] = {"a", "b", "c"};
    const int unit = swp_loop_add_unit(l, "memory", 2);
    for (int i = 0; i < 3; i++) {
        const int value = swp_value(l, values[i], .space = SWP_SPACE_REGISTERS);
        swp_work(l, names[i], .uses = {{.unit = unit, .cycles = LATENCY}}, .latency = LATENCY,
                 .completion = SWP_COMPLETION_COUNTER, .writes = {value});
    }
}

/* A and B keep the unit for 100 cycles each; W issues for 190. */
static void two_loads_and_work(swp_loop_builder *l)
{
    const int unit = swp_loop_add_unit(l, "memory", 1);
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS);
    const int b = swp_value(l, "b", .space = SWP_SPACE_REGISTERS);
    const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "A", .uses = {{.unit = unit, .cycles = 100}}, .latency = 110,
             .completion = SWP_COMPLETION_COUNTER, .writes = {a});
    swp_work(l, "B", .uses = {{.unit = unit, .cycles = 100}}, .latency = 110,
             .completion = SWP_COMPLETION_COUNTER, .writes = {b});
    swp_work(l, "W", .latency = 190, .issue = 190, .writes = {c});
}

static void with_a_time_of_issue_an_access_issues_when_its_unit_is_free(void **state)
{
    swp_context *ctx = *state;
    const swp_simulation m = simulated(ctx, two_loads_and_work, "A0 B0 W0", 15);
    /* A at 0, B at 100, W at 101, A at 291. */
    assert_pass(&m, 291);
    assert_int_equal(m.stalls.count, 1);
    assert_int_equal(m.stalls.items[0].cause, SWP_STALL_UNIT);
    assert_int_equal(m.stalls.items[0].entry, 1);
    assert_int_equal(m.stalls.items[0].cycles, 99 * m.passes);
}

static void accesses_queue_at_a_unit_that_has_room_for_some(void **state)
{
    swp_context *ctx = *state;
    const swp_simulation m = simulated(ctx, three_loads, "A0 B0 C0 vm0", 15);
    /* A at 0, B at 1, C has its turn at 10 and ends at 20, which the wait holds until; A at 21. */
    assert_pass(&m, 21);
    assert_int_equal(m.unit_count, 1);
    assert_string_equal(m.units[0].name, "memory");
    assert_int_equal(m.units[0].busy, 3 * LATENCY * m.passes);
    assert_true(swp_unit_percent(&m, &m.units[0]) > 71 && swp_unit_percent(&m, &m.units[0]) < 72);
}

/* M accumulates what it reads of shared memory in 50 cycles; V reads the sum. */
static void accumulate_long(swp_loop_builder *l)
{
    const int x = swp_value(l, "x", .space = SWP_SPACE_SHARED);
    const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "M", .latency = LONG, .completion = SWP_COMPLETION_GROUP, .reads = {{.value = x}},
             .updates = {c});
    swp_work(l, "V", .reads = {{.value = c}});
}

static void accumulations_follow_each_other_without_a_wait(void **state)
{
    swp_context *ctx = *state;
    const swp_simulation alone = simulated(ctx, accumulate_long, "M0", 63);
    const swp_simulation read = simulated(ctx, accumulate_long, "M0 lgkm0 V0", 63);
    assert_pass(&alone, 1);
    /* M at 0, the wait at 50, V at 51, M at 52. */
    assert_pass(&read, LONG + 2);
}

/* S of a long latency is a store of the register that U makes, L a copy to shared memory in a group. */
static void store_and_copy(swp_loop_builder *l)
{
    const int s = swp_value(l, "s", .space = SWP_SPACE_REGISTERS);
    const int x = swp_value(l, "x", .space = SWP_SPACE_SHARED);
    swp_work(l, "U", .writes = {s});
    swp_work(l, "S", .latency = LONG, .completion = SWP_COMPLETION_COUNTER,
             .reads = {{.value = s}});
    swp_work(l, "L", .latency = LATENCY, .completion = SWP_COMPLETION_GROUP, .writes = {x});
}

static void a_wait_leaves_so_many_of_each_object(void **state)
{
    swp_context *ctx = *state;
    const swp_simulation one = simulated(ctx, store_and_copy, "U0 S0 L0 vm1", 63);
    const swp_simulation none = simulated(ctx, store_and_copy, "U0 S0 L0 vm0", 63);
    /* S at 1, the wait for it in the next pass at 51, U at 52, the S after next at 53. */
    assert_pass(&one, (LONG + 2) / 2);
    /* S at 1, the wait at 51, U at 52, S at 53. */
    assert_pass(&none, LONG + 2);
}

static void a_fenced_barrier_waits_for_no_group(void **state)
{
    swp_context *ctx = *state;
    swp_simulation m = {0};
    swp_schedule s = small_dataflow(ctx, loop_of(ctx, accumulate_long), one_slot, "M0 bar");
    s.machine.barrier = SWP_BARRIER_FENCED;
    s.machine.barrier_cycles = 0;
    assert_ok(ctx, swp_simulate(ctx, &s, NULL, &m));
    assert_pass(&m, 2);
}

static void loads_are_as_late_as_asked_and_stores_are_not(void **state)
{
    swp_context *ctx = *state;
    static const swp_simulate_options late = {.load_latency_percent = 300};
    swp_simulation loads;
    swp_simulation store;
    const swp_schedule three =
        small_dataflow(ctx, loop_of(ctx, three_loads), one_slot, "A0 B0 C0 vm0");
    const swp_schedule one =
        small_dataflow(ctx, loop_of(ctx, store_and_copy), one_slot, "U0 S0 L0 vm0");
    assert_ok(ctx, swp_simulate(ctx, &three, &late, &loads));
    assert_ok(ctx, swp_simulate(ctx, &one, &late, &store));
    /* As above C has its turn at 10: it ends at 40. */
    assert_pass(&loads, 41);
    /* The copy takes 30 cycles, and S 50 as ever. */
    assert_pass(&store, LONG + 2);
}

static void occupancies_of_a_target_are_left_out_with_a_warning(void **state)
{
    swp_context *ctx = *state;
    static const swp_simulate_options options = {.occupancy_lds = 4};
    swp_simulation m;
    const swp_schedule s = small_dataflow(ctx, loop_of(ctx, make_and_use), one_slot, "W0 U0");
    assert_ok(ctx, swp_simulate(ctx, &s, &options, &m));
    assert_pass(&m, 11);
    assert_diag(ctx, "W0721", "occupancies of 0 and 4 cycles are left out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_op_waits_for_what_it_reads),
        CONTEXT_TEST(an_op_replaces_nothing_that_is_still_read),
        CONTEXT_TEST(with_a_time_of_issue_an_access_issues_when_its_unit_is_free),
        CONTEXT_TEST(accesses_queue_at_a_unit_that_has_room_for_some),
        CONTEXT_TEST(accumulations_follow_each_other_without_a_wait),
        CONTEXT_TEST(a_wait_leaves_so_many_of_each_object),
        CONTEXT_TEST(a_fenced_barrier_waits_for_no_group),
        CONTEXT_TEST(loads_are_as_late_as_asked_and_stores_are_not),
        CONTEXT_TEST(occupancies_of_a_target_are_left_out_with_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
