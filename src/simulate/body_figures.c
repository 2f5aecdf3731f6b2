/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ops of a body take by the figures of a target (docs/simulation.md, "A block by figures"). The four schedulers
 * of an SM do the same, so one is followed: it has its own tensor core, and of ports that all share it has a quarter.
 */
#include "simulate/body_figures.h"

#include "base/diag.h"
#include "base/text.h"
#include "target/figures.h"

enum { SCHEDULERS = 4, COPIED_BY_WARP = 512, NO_CHANNEL = -1 };

static bool has_figures(const swp_schedule *schedule, const swp_simulate_options *options)
{
    return options->target && !schedule->dataflow && schedule->stream_count == 1 &&
           options->target->figures[SWP_TARGET_MMA_SYNC_PRODUCTS].stated;
}

bool swp_simulate_by_figures(const swp_schedule *schedule, const swp_simulate_options *options)
{
    return has_figures(schedule, options) && schedule->machine.waves_per_group % SCHEDULERS == 0;
}

swp_status swp_simulate_warn_of_groups(swp_context *ctx, const swp_schedule *schedule,
                                       const swp_simulate_options *options)
{
    if (!has_figures(schedule, options) || swp_simulate_by_figures(schedule, options))
        return SWP_OK;
    return swp_warn(
        ctx, SWP_W0722, SWP_NOWHERE, "set machine.waves_per_group to 4 or 8 to count by figures",
        "warp groups of %d wave%s, no multiple of %d: the figures of the target do not count",
        schedule->machine.waves_per_group, swp_plural(schedule->machine.waves_per_group),
        SCHEDULERS);
}

int swp_simulate_warps_of_scheduler(const swp_schedule *schedule)
{
    return schedule->machine.waves_per_group / SCHEDULERS;
}

swp_machine swp_simulate_machine_by_figures(const swp_schedule *schedule, const swp_target *target)
{
    swp_machine machine = schedule->machine;
    machine.wait_cycles = (int)swp_target_value_of(target, SWP_TARGET_SYNC_WAIT);
    machine.barrier_cycles = (int)swp_target_value_of(target, SWP_TARGET_SYNC_BARRIER);
    return machine;
}

/* What a kernel's ops of a kind do together, of which each does as much. */
static int64_t count_of(const swp_schedule *schedule, swp_role role, int channel)
{
    const swp_entry_list *kernel = swp_schedule_phase(schedule, SWP_KERNEL);
    int64_t count = 0;
    for (size_t i = 0; i < kernel->count; i++)
        count += kernel->items[i].op.role == role && kernel->items[i].op.channel == channel;
    return count > 0 ? count : 1;
}

/* Elements of a tile along K that an op handles, of each kind, for a side of so many rows. */
static int64_t share_of(const swp_schedule *schedule, const swp_op *op, int64_t tile)
{
    const int64_t count = count_of(schedule, op->role, op->channel);
    return (tile * schedule->loop.tiles_per_pass + count - 1) / count;
}

static int64_t cycles_of(int64_t work, int64_t rate)
{
    return (work + rate - 1) / rate;
}

/* Rows and columns of a warp's tile, or of the block's. */
static int64_t side_of(const swp_op *op, int64_t rows, int64_t columns)
{
    return op->channel == NO_CHANNEL ? rows + columns : op->channel == 0 ? rows : columns;
}

static void set(swp_sim_step *step, int64_t cycles, int64_t latency)
{
    for (size_t i = 0; i < step->use_count; i++)
        step->uses[i].cycles = cycles;
    step->latency = cycles + latency;
}

/* For which the tensor core stands still while fragments of so many bytes are read. */
static int64_t beside_fragments(const swp_target *t, int64_t bytes)
{
    const int64_t cycles =
        cycles_of(SCHEDULERS * bytes, swp_target_value_of(t, SWP_TARGET_FRAGMENT_BYTES));
    return cycles * swp_target_value_of(t, SWP_TARGET_FRAGMENT_PERCENT) / 100;
}

swp_status swp_simulate_op_by_figures(const swp_sim_builder *b, const swp_op *op,
                                      swp_sim_step *step)
{
    const swp_schedule *s = b->schedule;
    const swp_target *t = b->options->target;
    const swp_tile_shape *shape = s->geometry.elem_bytes > 0 ? &s->geometry : &t->tile_shape;
    const int64_t warps = (int64_t)s->machine.groups * s->machine.waves_per_group;
    const int64_t row_bytes = (int64_t)shape->block[2] * shape->elem_bytes;
    const int64_t rows = t->wave_tile[0];
    const int64_t columns = t->wave_tile[1];
    const int64_t of_block =
        share_of(s, op, side_of(op, shape->block[0], shape->block[1]) * row_bytes);
    const int64_t of_warp = share_of(s, op, side_of(op, rows, columns) * row_bytes);
    const int64_t products = share_of(s, op, rows * columns * shape->block[2]);
    const int64_t copied = cycles_of(of_block, warps);
    switch (op->role) {
    case SWP_GLOBAL_LOAD:
        set(step, cycles_of(SCHEDULERS * copied, swp_target_value_of(t, SWP_TARGET_LOAD_BYTES)),
            swp_target_value_of(t, SWP_TARGET_COPY_LATENCY));
        step->issue =
            cycles_of(copied, COPIED_BY_WARP) * swp_target_value_of(t, SWP_TARGET_COPY_ISSUE);
        return SWP_OK;
    case SWP_SHARED_STORE:
        set(step, cycles_of(SCHEDULERS * copied, swp_target_value_of(t, SWP_TARGET_SHARED_BYTES)),
            swp_target_value_of(t, SWP_TARGET_SHARED_LATENCY));
        return SWP_OK;
    case SWP_FRAGMENT_LOAD:
        set(step,
            cycles_of(SCHEDULERS * of_warp, swp_target_value_of(t, SWP_TARGET_FRAGMENT_BYTES)),
            swp_target_value_of(t, SWP_TARGET_FRAGMENT_LATENCY));
        return SWP_OK;
    case SWP_COMPUTE:
        set(step,
            cycles_of(SCHEDULERS * products, swp_target_value_of(t, SWP_TARGET_MMA_SYNC_PRODUCTS)) +
                beside_fragments(t, share_of(s, op, (rows + columns) * row_bytes)),
            swp_target_value_of(t, SWP_TARGET_MMA_SYNC_LATENCY));
        step->issue = step->use_count > 0 ? step->uses[0].cycles : 0;
        return SWP_OK;
    default:
        return SWP_OK;
    }
}
