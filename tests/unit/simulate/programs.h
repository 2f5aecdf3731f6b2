/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of a few entries, whose cycles a reader can add up. */
#ifndef TEST_SIMULATE_PROGRAMS_H
#define TEST_SIMULATE_PROGRAMS_H

#include "fixture.h"

#include "swp/simulate.h"

enum { LOAD_CYCLES = 100, FRAGMENT_CYCLES = 20, MMA_CYCLES = 16 };

static inline swp_op load(int channel, int accesses)
{
    swp_op op = swp_op_logical(0, channel, 0, 0, SWP_K0);
    op.role = SWP_GLOBAL_LOAD;
    op.resource = SWP_GLOBAL_MEM;
    op.latency = LOAD_CYCLES;
    op.vm_cost = accesses;
    return op;
}

static inline swp_op fragment(int channel, int subtile)
{
    swp_op op = swp_op_logical(1, channel, 0, subtile, SWP_K_NONE);
    op.role = SWP_FRAGMENT_LOAD;
    op.resource = SWP_LDS;
    op.latency = FRAGMENT_CYCLES;
    return op;
}

static inline swp_op store(void)
{
    swp_op op = swp_op_logical(2, 0, 0, 0, SWP_K_NONE);
    op.role = SWP_SHARED_STORE;
    op.resource = SWP_LDS;
    op.latency = FRAGMENT_CYCLES;
    return op;
}

static inline swp_op mma(int row, int column)
{
    swp_op op = swp_op_logical(3, -1, row, column, SWP_K_NONE);
    op.role = SWP_COMPUTE;
    op.resource = SWP_MMA_UNIT;
    op.latency = MMA_CYCLES;
    return op;
}

/* One group, a double buffer's loop, no entries yet. */
static inline swp_schedule empty_schedule(void)
{
    return (swp_schedule){.name = "small",
                          .target = "",
                          .stream_count = 1,
                          .machine = swp_machine_default(),
                          .loop = {.tiles_per_pass = 2,
                                   .first_base = 2,
                                   .min_tiles = 2,
                                   .multiple = 2,
                                   .m_mmas = 1,
                                   .n_mmas = 1,
                                   .placement = SWP_PLACE_K_OFFSET}};
}

static inline void add(swp_context *ctx, swp_entry_list *entries, swp_phase phase, swp_op op)
{
    const swp_entry entry = {.op = op, .time_slot = (int)entries->count, .phase = phase};
    assert_ok(ctx, swp_entry_list_push(ctx, entries, entry));
}

static inline void add_kernel(swp_context *ctx, swp_schedule *schedule, const swp_op *ops,
                              size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(ctx, &schedule->streams[0].kernel, SWP_KERNEL, ops[i]);
}
#define KERNEL(ctx, schedule, ...)                                                                 \
    add_kernel((ctx), (schedule), (const swp_op[]){__VA_ARGS__},                                   \
               sizeof((const swp_op[]){__VA_ARGS__}) / sizeof(swp_op))

static inline swp_simulation simulated(swp_context *ctx, const swp_schedule *schedule)
{
    swp_simulation out;
    assert_ok(ctx, swp_simulate(ctx, schedule, NULL, &out));
    return out;
}

/* The steady state takes `cycles` a pass. */
static inline void assert_pass(const swp_simulation *simulation, int cycles)
{
    assert_int_equal(simulation->cycles, (int64_t)cycles * simulation->passes);
}

static inline int64_t busy(const swp_simulation *simulation, swp_resource unit)
{
    for (size_t i = 0; i < simulation->unit_count; i++)
        if (simulation->units[i].unit == unit)
            return simulation->units[i].busy;
    fail_msg("no unit %d", (int)unit);
    return -1;
}

static inline void assert_stall(const swp_simulation *simulation, size_t index, int entry,
                                swp_stall_cause cause, int cycles, int other)
{
    assert_true(index < simulation->stalls.count);
    const swp_stall *stall = &simulation->stalls.items[index];
    assert_int_equal(stall->entry, entry);
    assert_int_equal(stall->cause, cause);
    assert_int_equal(stall->cycles, cycles);
    assert_int_equal(stall->has_other ? stall->other.entry : -1, other);
}

#endif
