/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what the instances of warp roles execute in a pass to wait for one another. */
#include "base/require.h"
#include "ir/roles.h"
#include "ir/sync_objects.h"

static int instances_of(const swp_stream *stream, const swp_op *op)
{
    int count = 0;
    for (int i = 0; i < stream->instances; i++)
        count += swp_ir_runs_in(op, i);
    return count;
}

/* An arrival at all of `ranks` work groups is as many. */
static void count_entry(const swp_stream *stream, const swp_op *op, int ranks,
                        swp_role_counts *counts)
{
    const int instances = instances_of(stream, op);
    const int threads = (op->by == SWP_ONE_THREAD ? 1 : stream->warps * SWP_IR_WARP_THREADS) *
                        (op->to == SWP_TO_ALL ? ranks : 1);
    const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
    if (swp_ir_sync_waits_for_groups(operation))
        counts->group_waits += instances;
    else if (operation->waits)
        counts->waits += instances;
    else if (operation->arrives)
        counts->arrivals += instances * threads;
    counts->fences += operation->fence != SWP_NO_FENCE ? instances : 0;
}

swp_role_counts swp_count_role_sync(const swp_schedule *schedule)
{
    SWP_REQUIRE_OR((swp_role_counts){0}, schedule);
    swp_role_counts counts = {0};
    for (size_t i = 0; i < schedule->object_count; i++)
        if (schedule->objects[i].kind == SWP_OBJECT_MBARRIER)
            counts.mbarriers++;
        else
            counts.named_barriers++;
    for (size_t i = 0; i < schedule->stream_count; i++)
        for (size_t k = 0; k < schedule->streams[i].kernel.count; k++)
            if (schedule->streams[i].warps > 0)
                count_entry(&schedule->streams[i], &schedule->streams[i].kernel.items[k].op,
                            swp_ir_ranks(schedule), &counts);
    return counts;
}
