/* SPDX-License-Identifier: Apache-2.0 */
/* Small orders that random tests once found derived with a wait too many, or not at all. */
#include "fixture.h"

#include "swp/simulate.h"
#include "swp/sync.h"
#include "words.h"

/* One tile a pass; kb is at tile `first_base` in the first. */
static program order_of(const char *words, int first_base, const int *latencies)
{
    program p = program_double_buffer();
    p.schedule.loop.tiles_per_pass = p.schedule.loop.multiple = 1;
    p.schedule.loop.min_tiles = first_base > 1 ? first_base : 1;
    p.schedule.loop.first_base = first_base;
    p.schedule.machine.registers = SWP_REGISTERS_RAW;
    program_read(&p, SWP_KERNEL, words);
    for (size_t i = 0; i < p.schedule.streams[0].kernel.count; i++) {
        swp_op *op = &p.schedule.streams[0].kernel.items[i].op;
        op->latency = latencies[i];
        op->resource = swp_role_resource(op->role);
    }
    return p;
}

static swp_sync_result derive(swp_context *ctx, program *p, swp_sync_counts *counts)
{
    swp_schedule derived = p->schedule;
    swp_sync_result result = {0};
    swp_verdict verdict = {0};
    swp_simulation simulation = {0};
    assert_ok(ctx, swp_derive_sync(ctx, &derived, SWP_SYNC_CYCLES, false, &result));
    assert_ok(ctx, swp_verify(ctx, &derived, NULL, 0, &verdict));
    assert_true(verdict.safe);
    assert_ok(ctx, swp_simulate(ctx, &derived, NULL, &simulation));
    assert_int_equal(simulation.cycles * result.passes, result.cycles * simulation.passes);
    *counts = swp_count_sync(&derived.streams[0].kernel);
    return result;
}

/* The second load of A stalls until the first is done: there is no room for it. */
static void an_access_that_stalls_needs_no_wait_of_its_own(void **state)
{
    static const int latencies[] = {32, 32, 32, 39, 39, 49};
    program p = order_of("A0.0:k1 B0.0:k0*3 A0.0:k0 a0.0 b0.0 m0.0", 0, latencies);
    swp_sync_counts counts;
    p.schedule.machine.vm_max = 4;
    p.schedule.machine.barrier_cycles = 10;
    const swp_sync_result result = derive(*state, &p, &counts);
    assert_int_equal(counts.vm_waits, 1);
    assert_int_equal(result.cycles, INT64_C(129) * result.passes);
    program_free(&p);
}

/* A wait that makes room on a counter that wraps may leave some of an op's accesses. */
static void room_on_a_counter_may_be_made_by_halves(void **state)
{
    static const int latencies[] = {36, 14, 55, 14, 36};
    program p = order_of("a0.0*3 B0.0:k0*2 m0.0 A0.0:k0 b0.0*4", 1, latencies);
    swp_sync_counts counts;
    p.schedule.machine.registers = SWP_REGISTERS_MANAGED;
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    p.schedule.machine.lgkm_max = 4;
    const swp_sync_result result = derive(*state, &p, &counts);
    assert_true(result.bound <= result.cycles);
    /* With all of b's accesses done before a is read, a pass takes as long as both and the MMA. */
    assert_true(result.cycles < (int64_t)(36 + 36 + 55) * result.passes);
    program_free(&p);
}

/* Both loads bring one tile. The second must have landed when the next tile is on its way. */
static void a_tile_may_be_loaded_twice(void **state)
{
    static const int latencies[] = {59, 6, 30, 30, 59, 59};
    program p = order_of("A0.0:k_prev A0.0:k_prev*2 m0.0 b0.0 a0.0*3 B0.0:k0", 2, latencies);
    swp_sync_counts counts;
    p.schedule.machine.groups = 2;
    p.schedule.machine.lag = 1;
    (void)derive(*state, &p, &counts);
    assert_int_equal(counts.barriers, 4);
    program_free(&p);
}

/* Nobody reads the first load of B: it must only not land on top of the second. */
static void a_load_that_nobody_reads_needs_no_barrier(void **state)
{
    static const int latencies[] = {20, 20, 10, 40, 40, 40};
    program p = order_of("a0.0 b0.0 m0.0 B0.0:k_prev B0.0:k0 A0.0:k0", 1, latencies);
    swp_sync_counts counts;
    (void)derive(*state, &p, &counts);
    assert_int_equal(counts.barriers, 2);
    assert_int_equal(counts.vm_waits, 2);
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_access_that_stalls_needs_no_wait_of_its_own),
        CONTEXT_TEST(room_on_a_counter_may_be_made_by_halves),
        CONTEXT_TEST(a_tile_may_be_loaded_twice),
        CONTEXT_TEST(a_load_that_nobody_reads_needs_no_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
