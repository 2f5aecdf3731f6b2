/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what the instances of warp roles execute in a pass to wait for one another. */
#include "base/require.h"
#include "ir/roles.h"

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
    switch (op->tag) {
    case SWP_TAG_WAIT_PHASE:
    case SWP_TAG_NAMED_SYNC:
    case SWP_TAG_BARRIER:
    case SWP_TAG_CLUSTER_WAIT:
        counts->waits += instances;
        break;
    case SWP_TAG_ARRIVE:
    case SWP_TAG_ARRIVE_EXPECT:
    case SWP_TAG_NAMED_ARRIVE:
    case SWP_TAG_CLUSTER_ARRIVE:
        counts->arrivals += instances * threads;
        break;
    case SWP_TAG_MATRIX_WAIT:
    case SWP_TAG_BULK_WAIT:
    case SWP_TAG_BULK_WAIT_READ:
        counts->group_waits += instances;
        break;
    case SWP_TAG_FENCE_ASYNC:
    case SWP_TAG_MATRIX_FENCE:
        counts->fences += instances;
        break;
    default:
        break;
    }
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
