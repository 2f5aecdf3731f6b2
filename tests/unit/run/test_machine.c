/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine (docs/verification.md) orders, and what not: each row one wait, barrier or mode. */
#include "small_loop.h"

typedef struct ordered_case {
    const char *prologue;
    const char *kernel;
    const char *epilogue;
    bool right;
} ordered_case;

static void expect_case(swp_context *ctx, const swp_schedule *loop, bool right)
{
    if (right)
        expect_right(ctx, loop);
    else
        expect_wrong(ctx, loop);
}

static void waits_and_barriers_order_what_page_2_says(void **state)
{
    swp_context *ctx = *state;
    const ordered_case cases[] = {
        /* A wait retires what has so many accesses after it. */
        {"LA00@k0 LB00@k0 vm0 bar", SAFE_KERNEL, SAFE_EPILOGUE, true},
        {"LA00@k0 LB00@k0 vm1 bar", SAFE_KERNEL, SAFE_EPILOGUE, false},
        {"LA00@k0 LB00@k0 LA10@k0 vm1 bar", SAFE_KERNEL, SAFE_EPILOGUE, true},
        /* The barrier after the prologue stands for one that is missing. */
        {"LA00@k0 LB00@k0 vm0", SAFE_KERNEL, SAFE_EPILOGUE, true},
        {"LA00@k0 LB00@k0 bar vm0", SAFE_KERNEL, SAFE_EPILOGUE, true},
        /* A raw barrier waits for nothing. */
        {"LA00@k0 LB00@k0 bar", SAFE_KERNEL, SAFE_EPILOGUE, false},
        {SAFE_PROLOGUE, "FA00 FB00 bar LA00@k0 LB00@k0 M00 vm0 bar", SAFE_EPILOGUE, false},
        /* Nor is a wait without a barrier enough for the other waves. */
        {SAFE_PROLOGUE, "FA00 FB00 lgkm0 LA00@k0 LB00@k0 M00 vm0 bar", SAFE_EPILOGUE, false},
        {SAFE_PROLOGUE, "FA00 FB00 lgkm0 bar LA00@k0 LB00@k0 M00 vm0", SAFE_EPILOGUE, false},
        /* A COMPUTE retires the fragments that it reads, in its own wave. */
        {SAFE_PROLOGUE, "FA00 FB00 M00 bar LA00@k0 LB00@k0 vm0 bar", SAFE_EPILOGUE, true},
        /* LDS operations take effect in order: the last one stands for all. */
        {SAFE_PROLOGUE, "FA00 FB00 lgkm1 bar LA00@k0 M00 bar LB00@k0 vm0 bar", SAFE_EPILOGUE, true},
        /* A hint orders nothing. */
        {"LA00@k0 LB00@k0 sb", SAFE_KERNEL, SAFE_EPILOGUE, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const swp_schedule loop =
            small_loop(ctx, cases[i].prologue, cases[i].kernel, cases[i].epilogue);
        expect_case(ctx, &loop, cases[i].right);
    }
}

static void a_fenced_barrier_retires_lds_operations_but_no_loads(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop =
        small_loop(ctx, SAFE_PROLOGUE, "FA00 FB00 bar LA00@k0 LB00@k0 M00 vm0 bar", SAFE_EPILOGUE);
    expect_wrong(ctx, &loop);
    loop.machine.barrier = SWP_BARRIER_FENCED;
    expect_right(ctx, &loop);
    loop = small_loop(ctx, "LA00@k0 LB00@k0 bar", SAFE_KERNEL, SAFE_EPILOGUE);
    loop.machine.barrier = SWP_BARRIER_FENCED;
    expect_wrong(ctx, &loop);
}

static void raw_registers_are_read_as_they_are(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = safe_loop(ctx);
    loop.machine.registers = SWP_REGISTERS_RAW;
    expect_wrong(ctx, &loop);
    const swp_run_outcome outcome = run_once(ctx, &loop, 1, SWP_TIMING_LATE, 0);
    assert_int_equal(outcome.operands.items[0].reader.entry, 2);
    assert_int_equal(outcome.operands.items[0].other.entry, 0);
    assert_true(outcome.operands.items[0].too_late);
    loop = small_loop(ctx, SAFE_PROLOGUE, SAFE_KERNEL, "FA00 FB00 lgkm0 M00");
    loop.machine.registers = SWP_REGISTERS_RAW;
    expect_right(ctx, &loop);
}

static void a_store_reads_its_register_when_it_issues(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = single_buffer_loop(ctx);
    loop.machine.registers = SWP_REGISTERS_RAW;
    const swp_run_outcome outcome = run_once(ctx, &loop, 1, SWP_TIMING_LATE, 0);
    assert_int_equal(outcome.symptom, SWP_WRONG_VALUE);
    assert_int_equal(outcome.operands.items[0].reader.phase, SWP_PROLOGUE);
    assert_int_equal(outcome.operands.items[0].reader.entry, 1);
}

static void a_full_counter_stalls_and_so_retires_the_oldest(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop =
        small_loop(ctx, "LA00@k0 LB00@k0 LA10@k0 LB10@k0 bar", SAFE_KERNEL, SAFE_EPILOGUE);
    expect_wrong(ctx, &loop);
    loop.machine.vm_max = 2;
    expect_right(ctx, &loop);
    loop.machine.vm_max = 3;
    expect_wrong(ctx, &loop);
}

static void a_wait_above_the_largest_value_is_the_largest(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop =
        small_loop(ctx, "LA00@k0 LB00@k0 LA10@k0 vm9 bar", SAFE_KERNEL, SAFE_EPILOGUE);
    loop.machine.vm_max = 1;
    expect_right(ctx, &loop);
    loop.machine.vm_max = 2;
    expect_wrong(ctx, &loop);
}

static void a_counter_that_wraps_is_passed(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = safe_loop(ctx);
    loop.machine.counter_full = SWP_COUNTER_WRAPS;
    loop.machine.vm_max = 1;
    const swp_run_outcome outcome = run_once(ctx, &loop, 1, SWP_TIMING_LATE, 0);
    assert_int_equal(outcome.symptom, SWP_COUNTER_PASSED);
    assert_int_equal(outcome.passed.items[0].entry, 1);
    loop.machine.vm_max = 2;
    assert_int_equal(run_once(ctx, &loop, 1, SWP_TIMING_LATE, 0).symptom, SWP_NO_SYMPTOM);
}

/* Of two accesses of an op a wait for one retires the other. */
static void a_wait_makes_room_in_a_counter_that_wraps(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = small_loop(ctx, "LA00@k0 vm1 LB00@k0 vm0 bar", SAFE_KERNEL, SAFE_EPILOGUE);
    loop.machine.counter_full = SWP_COUNTER_WRAPS;
    loop.machine.vm_max = 2;
    loop.streams[0].prologue.items[0].op.vm_cost = 2;
    assert_int_equal(run_once(ctx, &loop, 1, SWP_TIMING_LATE, 0).symptom, SWP_NO_SYMPTOM);
    loop.streams[0].prologue.items[1].op.wait_value = 2;
    assert_int_equal(run_once(ctx, &loop, 1, SWP_TIMING_LATE, 0).symptom, SWP_COUNTER_PASSED);
}

static void a_group_that_lags_needs_its_barrier_at_the_end(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = safe_loop(ctx);
    loop.machine.groups = 2;
    loop.machine.lag = 1;
    assert_int_equal(run_once(ctx, &loop, 2, SWP_TIMING_RANDOM, 0).waves, 4);
    assert_int_equal(run_once(ctx, &loop, 2, SWP_TIMING_RANDOM, 0).stuck.count, 0);
    loop.machine.lag_end_barrier = false;
    const swp_run_outcome outcome = run_once(ctx, &loop, 2, SWP_TIMING_RANDOM, 0);
    assert_int_equal(outcome.symptom, SWP_WAITS_FOR_EVER);
    assert_int_equal(outcome.stuck.count, 2);
    assert_int_equal(outcome.stuck.items[0].wave, 2);
    /* Beyond the prologue's end there is no entry that the barrier could stand before. */
    loop.machine.lag_prologue_index = 5;
    assert_int_equal(run_once(ctx, &loop, 2, SWP_TIMING_RANDOM, 0).stuck.count, 0);
}

static void a_lag_of_one_barrier_can_let_a_load_overtake_a_read(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = safe_loop(ctx);
    loop.machine.groups = 2;
    expect_right(ctx, &loop);
    loop.machine.lag = 1;
    expect_wrong(ctx, &loop);
}

static void one_wave_needs_no_barrier(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = small_loop(ctx, "LA00@k0 LB00@k0 vm0",
                                   "FA00 FB00 lgkm0 LA00@k0 LB00@k0 M00 vm0", SAFE_EPILOGUE);
    expect_wrong(ctx, &loop);
    loop.machine.waves_per_group = 1;
    expect_right(ctx, &loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(waits_and_barriers_order_what_page_2_says),
        CONTEXT_TEST(a_fenced_barrier_retires_lds_operations_but_no_loads),
        CONTEXT_TEST(raw_registers_are_read_as_they_are),
        CONTEXT_TEST(a_store_reads_its_register_when_it_issues),
        CONTEXT_TEST(a_full_counter_stalls_and_so_retires_the_oldest),
        CONTEXT_TEST(a_wait_above_the_largest_value_is_the_largest),
        CONTEXT_TEST(a_counter_that_wraps_is_passed),
        CONTEXT_TEST(a_wait_makes_room_in_a_counter_that_wraps),
        CONTEXT_TEST(a_group_that_lags_needs_its_barrier_at_the_end),
        CONTEXT_TEST(a_lag_of_one_barrier_can_let_a_load_overtake_a_read),
        CONTEXT_TEST(one_wave_needs_no_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
