/* SPDX-License-Identifier: Apache-2.0 */
/* One warp group: each rule of the model on the least program that shows it. */
#include "programs.h"

#include "swp/target.h"

static void a_wait_stalls_until_its_load_has_finished(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    KERNEL(ctx, &s, load(0, 1), swp_op_wait_vm(0), mma(0, 0));
    const swp_simulation m = simulated(ctx, &s);
    /* Load at 0, wait from 1 to 100, MMA at 101, next pass at 102. */
    assert_int_equal(m.passes, 1);
    assert_int_equal(m.cycles, 102);
    assert_int_equal(m.stalls.count, 1);
    assert_stall(&m, 0, 1, SWP_STALL_WAIT, 99, 0);
    assert_int_equal(busy(&m, SWP_MMA_UNIT), 16);
    /* The barrier before the loop; an MMA issued one cycle before the end takes 15 more. */
    assert_int_equal(m.prologue_cycles, 1);
    assert_int_equal(m.epilogue_cycles, 15);
}

static void loads_of_a_body_are_as_late_as_asked(void **state)
{
    swp_context *ctx = *state;
    const swp_simulate_options late = {.load_latency_percent = 250};
    swp_schedule s = empty_schedule();
    swp_simulation m;
    KERNEL(ctx, &s, load(0, 1), swp_op_wait_vm(0), mma(0, 0));
    assert_ok(ctx, swp_simulate(ctx, &s, &late, &m));
    /* Load at 0, wait from 1 to 250, MMA at 251, next pass at 252; the MMA takes as long as ever. */
    assert_int_equal(m.cycles, 252 * m.passes);
    assert_int_equal(m.epilogue_cycles, 15);
}

static void a_wait_keeps_its_group_when_it_holds_no_longer(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    s.machine.wait_cycles = 30;
    KERNEL(ctx, &s, load(0, 1), swp_op_wait_vm(0), mma(0, 0));
    const swp_simulation m = simulated(ctx, &s);
    /* Load at 0, wait from 1 to 100, MMA at 130, next pass at 131. */
    assert_int_equal(m.cycles, 131 * m.passes);
    assert_stall(&m, 0, 1, SWP_STALL_WAIT, 99, 0);
}

/* 64 x 64 x 32 multiply-adds of a warp at 256 in a cycle are 512 cycles; two warps of eight share a scheduler. */
static void by_figures_the_warps_of_a_scheduler_share_its_tensor_core(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    const swp_simulate_options options = {.target = swp_target_find("sm_80")};
    swp_simulation m;
    s.machine.waves_per_group = 8;
    KERNEL(ctx, &s, mma(0, 0), mma(0, 1), mma(1, 0), mma(1, 1));
    assert_ok(ctx, swp_simulate(ctx, &s, &options, &m));
    assert_int_equal(m.group_count, 2);
    assert_int_equal(m.cycles, 2 * 512 * s.loop.tiles_per_pass * m.passes);
    assert_int_equal(busy(&m, SWP_MMA_UNIT), m.cycles);
}

/* 128 rows of 64 bytes are 8192 of a warp, 256 cycles of a quarter of the port; half of that is added to the 512. */
static void by_figures_a_tensor_core_stands_still_beside_fragments(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    swp_target target = *swp_target_find("sm_80");
    const swp_simulate_options options = {.target = &target};
    swp_simulation m;
    target.figures[SWP_TARGET_FRAGMENT_PERCENT].value = 50;
    s.machine.waves_per_group = 8;
    KERNEL(ctx, &s, mma(0, 0), mma(0, 1), mma(1, 0), mma(1, 1));
    assert_ok(ctx, swp_simulate(ctx, &s, &options, &m));
    assert_int_equal(m.cycles, 2 * (512 + 128) * s.loop.tiles_per_pass * m.passes);
}

static void a_wait_lets_newer_accesses_fly(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    KERNEL(ctx, &s, load(0, 4), swp_op_wait_vm(4));
    const swp_simulation m = simulated(ctx, &s);
    /* Load at 0; the wait is for the load of the pass before, issued when that pass began. */
    assert_stall(&m, 0, 1, SWP_STALL_WAIT, (int)m.cycles - 2 * m.passes, 0);
    assert_int_equal(m.stalls.items[0].passes_before, 1);
    /* Loads at 0, x, 101, ...: two passes for each latency and the cycle after a wait. */
    assert_int_equal(m.cycles * 2, 101 * m.passes);
}

static void an_mma_waits_for_its_unit(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    KERNEL(ctx, &s, mma(0, 0), mma(0, 0));
    const swp_simulation m = simulated(ctx, &s);
    assert_pass(&m, 32);
    assert_stall(&m, 0, 0, SWP_STALL_UNIT, 15, 1);
    assert_int_equal(m.stalls.items[0].passes_before, 1);
    assert_stall(&m, 1, 1, SWP_STALL_UNIT, 15, 0);
    assert_int_equal(busy(&m, SWP_MMA_UNIT), 32);
}

static void an_mma_waits_for_its_operands_where_registers_are_managed(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    KERNEL(ctx, &s, fragment(0, 0), fragment(1, 0), mma(0, 0));
    swp_simulation m = simulated(ctx, &s);
    /* The second fragment is issued at 1 and there at 21; the MMA could issue at 2. */
    assert_pass(&m, 22);
    assert_stall(&m, 0, 2, SWP_STALL_OPERAND, 19, 1);
    s.machine.registers = SWP_REGISTERS_RAW;
    m = simulated(ctx, &s);
    /* Only the unit holds it: 16 cycles a pass, 3 of them to issue. */
    assert_pass(&m, 16);
    assert_stall(&m, 0, 2, SWP_STALL_UNIT, 13, 2);
}

static void an_access_waits_for_room_in_its_counter(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    s.machine.vm_max = 4;
    KERNEL(ctx, &s, load(0, 4));
    swp_simulation m = simulated(ctx, &s);
    assert_pass(&m, 100);
    assert_stall(&m, 0, 0, SWP_STALL_COUNTER, 99, 0);
    s.machine.vm_max = 8;
    m = simulated(ctx, &s);
    /* Two are in flight: at 0, 1, 100, 101, 200, ... */
    assert_int_equal(m.passes, 2);
    assert_int_equal(m.cycles, 100);
    s.machine.counter_full = SWP_COUNTER_WRAPS;
    m = simulated(ctx, &s);
    assert_pass(&m, 1);
}

static void a_fenced_barrier_waits_for_lds_and_costs_its_cycles(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    s.machine.barrier_cycles = 5;
    KERNEL(ctx, &s, fragment(0, 0), swp_op_barrier());
    swp_simulation m = simulated(ctx, &s);
    assert_pass(&m, 7);
    assert_stall(&m, 0, 1, SWP_STALL_CROSSING, 5, -1);
    s.machine.barrier = SWP_BARRIER_FENCED;
    m = simulated(ctx, &s);
    /* Fragment at 0, there at 20, the barrier done at 25. */
    assert_pass(&m, 26);
    assert_stall(&m, 0, 1, SWP_STALL_FENCE, 19, 0);
    assert_stall(&m, 1, 1, SWP_STALL_CROSSING, 5, -1);
}

static void occupied_units_serve_accesses_in_turn(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    const swp_simulate_options options = {.occupancy_global = 10};
    swp_simulation m;
    KERNEL(ctx, &s, load(0, 4), load(1, 4), swp_op_wait_vm(0));
    assert_ok(ctx, swp_simulate(ctx, &s, &options, &m));
    /* The second load's turn comes at 40; it finishes at 140. */
    assert_pass(&m, 141);
    assert_int_equal(busy(&m, SWP_GLOBAL_MEM), 80);
    m = simulated(ctx, &s);
    assert_pass(&m, 102);
    assert_int_equal(busy(&m, SWP_GLOBAL_MEM), 0);
}

static void a_store_waits_for_the_staging_register(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    s.loop.placement = SWP_PLACE_NEXT_TILE;
    s.loop.first_base = 0;
    KERNEL(ctx, &s, store(), load(0, 1));
    const swp_simulation m = simulated(ctx, &s);
    /* Load at 1, there at 101, when the next store issues. */
    assert_int_equal(m.prologue_cycles, 0);
    assert_pass(&m, 101);
    assert_stall(&m, 0, 0, SWP_STALL_OPERAND, 99, 1);
}

static void hints_and_issue_cycles(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    s.machine.issue_cycles = 4;
    KERNEL(ctx, &s, swp_op_set_prio(1), swp_op_schedule_barrier(), swp_op_barrier());
    swp_simulation m = simulated(ctx, &s);
    assert_pass(&m, 12);
    assert_int_equal(m.stalls.count, 0);
    s.machine.issue_cycles = 0;
    m = simulated(ctx, &s);
    assert_pass(&m, 0);
}

static void no_kernel_entries(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    add(ctx, &s.streams[0].prologue, SWP_PROLOGUE, load(0, 1));
    add(ctx, &s.streams[0].epilogue, SWP_EPILOGUE, swp_op_wait_vm(0));
    const swp_simulation m = simulated(ctx, &s);
    assert_pass(&m, 0);
    /* Load at 0, barrier at 1; the wait ends at 100. */
    assert_int_equal(m.prologue_cycles, 2);
    assert_int_equal(m.epilogue_cycles, 99);
}

/* Nothing waits for the loads, and no counter holds them: each still takes 10 cycles of its unit. */
static void units_that_fall_behind_set_the_pace(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    const swp_simulate_options options = {.occupancy_global = 10};
    swp_simulation m;
    s.machine.counter_full = SWP_COUNTER_WRAPS;
    KERNEL(ctx, &s, load(0, 1));
    assert_ok(ctx, swp_simulate(ctx, &s, &options, &m));
    assert_int_equal(m.cycles, 10 * m.passes);
    assert_true(swp_unit_percent(&m, &m.units[0]) == 100.0);
    assert_int_equal(m.epilogue_cycles, 0);
}

/* Where a counter that is full holds the wave, the same loads come to the same pace in a state that comes back. */
static void a_full_counter_comes_to_the_same_pace(void **state)
{
    static const int rooms[] = {20, 63, 65535};
    const swp_simulate_options options = {.occupancy_global = 10};
    for (size_t i = 0; i < COUNT_OF(rooms); i++) {
        swp_schedule s = empty_schedule();
        swp_simulation m;
        s.machine.vm_max = rooms[i];
        KERNEL(*state, &s, load(0, 1));
        assert_ok(*state, swp_simulate(*state, &s, &options, &m));
        assert_int_equal(m.cycles, 10 * m.passes);
    }
}

static void what_never_settles_is_an_error(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    const swp_simulate_options options = {.occupancy_global = 0};
    swp_simulation m;
    s.machine.counter_full = SWP_COUNTER_WRAPS;
    swp_op slow = load(0, 1);
    slow.latency = 1000000;
    KERNEL(ctx, &s, slow);
    assert_status(ctx, swp_simulate(ctx, &s, &options, &m), SWP_INVALID);
    assert_diag(ctx, "E0720", "within");
}

static void what_cannot_be_counted_is_an_error(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    swp_simulation m;
    swp_op slow = mma(0, 0);
    slow.latency = INT32_MAX;
    KERNEL(ctx, &s, slow);
    assert_status(ctx, swp_simulate(ctx, &s, NULL, &m), SWP_INVALID);
    assert_diag(ctx, "E0722", "kernel entry 0");
    s.streams[0].kernel.items[0].op.role = SWP_ROLE_NONE;
    assert_status(ctx, swp_simulate(ctx, &s, NULL, &m), SWP_INVALID);
    assert_diag(ctx, "E0701", "kernel entry 0");
}

/* Entries of a file without a body have no latency. */
static void latencies_that_nobody_states_are_told(void **state)
{
    static const char *names[SWP_SCHEDULE_TAGS] = {"LOAD", "FRAG", "STORE", "MMA"};
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    swp_op unknown = mma(0, 0);
    s.op_names = names;
    unknown.latency = 0;
    KERNEL(ctx, &s, load(0, 1), unknown);
    (void)simulated(ctx, &s);
    assert_diag(ctx, "W0720", "`MMA` (tag 3) is no op of the body");
    swp_context_clear_diags(ctx);
    assert_ok(ctx, swp_op_list_push(ctx, &s.body, unknown));
    (void)simulated(ctx, &s);
    assert_no_diag(ctx, "W0720");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_wait_stalls_until_its_load_has_finished),
        CONTEXT_TEST(loads_of_a_body_are_as_late_as_asked),
        CONTEXT_TEST(a_wait_keeps_its_group_when_it_holds_no_longer),
        CONTEXT_TEST(by_figures_the_warps_of_a_scheduler_share_its_tensor_core),
        CONTEXT_TEST(by_figures_a_tensor_core_stands_still_beside_fragments),
        CONTEXT_TEST(a_wait_lets_newer_accesses_fly),
        CONTEXT_TEST(an_mma_waits_for_its_unit),
        CONTEXT_TEST(an_mma_waits_for_its_operands_where_registers_are_managed),
        CONTEXT_TEST(an_access_waits_for_room_in_its_counter),
        CONTEXT_TEST(a_fenced_barrier_waits_for_lds_and_costs_its_cycles),
        CONTEXT_TEST(occupied_units_serve_accesses_in_turn),
        CONTEXT_TEST(a_store_waits_for_the_staging_register),
        CONTEXT_TEST(hints_and_issue_cycles),
        CONTEXT_TEST(no_kernel_entries),
        CONTEXT_TEST(units_that_fall_behind_set_the_pace),
        CONTEXT_TEST(a_full_counter_comes_to_the_same_pace),
        CONTEXT_TEST(what_never_settles_is_an_error),
        CONTEXT_TEST(what_cannot_be_counted_is_an_error),
        CONTEXT_TEST(latencies_that_nobody_states_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
