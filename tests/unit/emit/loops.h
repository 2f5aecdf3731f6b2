/* SPDX-License-Identifier: Apache-2.0 */
/* A loop to emit, small enough to work out by hand. */
#ifndef TEST_EMIT_LOOPS_H
#define TEST_EMIT_LOOPS_H

#include "schedules.h"

#include "swp/loop_compile.h"

/*
 * A tile is loaded for 100 cycles and read for 50. With two slots that is 150 cycles in two iterations, so
 * an interval of 75; with three or more the unit holds it, at 50.
 */
static inline swp_schedule *small_loop_of(swp_context *ctx, int slots)
{
    swp_loop_builder *l = swp_loop_new(ctx, "small");
    const int unit = swp_loop_add_unit(l, "mma_unit", 1);
    const int a = swp_value(l, "A", .space = SWP_SPACE_SHARED, .bytes = 64, .most_slots = slots);
    const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS, .bytes = 16);
    swp_schedule *schedule = NULL;
    swp_loop loop;
    swp_work(l, "LOAD", .latency = 100, .completion = SWP_COMPLETION_COUNTER, .writes = {a});
    swp_work(l, "MMA", .latency = 50, .read_cycles = 50, .uses = {{.unit = unit, .cycles = 50}},
             .reads = {{.value = a}}, .updates = {c});
    assert_int_equal(swp_loop_done(l, &loop), SWP_OK);
    assert_int_equal(swp_compile_loop(ctx, &loop, NULL, &schedule), SWP_OK);
    return schedule;
}

static inline swp_schedule *small_loop(swp_context *ctx)
{
    return small_loop_of(ctx, 2);
}

#endif
