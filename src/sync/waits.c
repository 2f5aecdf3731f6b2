/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/waits.h"

#include "sync/barriers.h"

static const swp_op *op_at(const swp_dataflow *flow, int at)
{
    return &flow->ops[at % flow->count].op;
}

static bool counted_by_vm(const swp_op *op)
{
    return op->role == SWP_GLOBAL_LOAD;
}

static int accesses_of(const swp_op *op)
{
    const int cost = counted_by_vm(op) ? op->vm_cost : op->lgkm_cost;
    return cost < 1 ? 1 : cost;
}

/* Accesses on the producer's counter that are issued after it and before a gap. */
static int accesses_after(const swp_dataflow *flow, int producer, int gap)
{
    const bool vm = counted_by_vm(op_at(flow, producer));
    int sum = 0;
    for (int at = producer + 1; at < gap; at++)
        if (op_at(flow, at)->role != SWP_COMPUTE && counted_by_vm(op_at(flow, at)) == vm)
            sum += accesses_of(op_at(flow, at));
    return sum;
}

/* Whether something retires the producer before the gap without a wait of ours. */
static bool retired_anyway(const swp_dataflow *flow, int producer, int gap)
{
    const swp_machine *machine = &flow->schedule->machine;
    const swp_op *op = op_at(flow, producer);
    if (counted_by_vm(op))
        return false;
    if (machine->barrier == SWP_BARRIER_FENCED)
        return true;
    if (machine->registers == SWP_REGISTERS_RAW || op->role != SWP_FRAGMENT_LOAD)
        return false;
    for (int at = producer + 1; at < gap; at++)
        if (op_at(flow, at)->role == SWP_COMPUTE && swp_reads_register(flow, op_at(flow, at), op))
            return true;
    return false;
}

/* The last gap before the consumer from which on enough barriers follow. */
static int gap_of_wait(const swp_dataflow *flow, const int *gaps, const swp_arc *arc)
{
    int missing = swp_barrier_demand(&flow->schedule->machine);
    int gap = arc->consumer + arc->distance * flow->count;
    while (gap > arc->producer + 1) {
        missing -= gaps[gap % flow->count];
        if (missing <= 0)
            break;
        gap--;
    }
    return gap;
}

static void lower(int *count, int to)
{
    if (*count == SWP_NO_WAIT || to < *count)
        *count = to;
}

swp_status swp_count_waits(swp_context *ctx, const swp_dataflow *flow, const int *gaps,
                           swp_gap_waits *out)
{
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->count, &out->vm));
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->count, &out->lgkm));
    for (int i = 0; i < flow->count; i++)
        out->vm[i] = out->lgkm[i] = SWP_NO_WAIT;
    for (size_t i = 0; i < flow->arcs.count; i++) {
        const swp_arc *arc = &flow->arcs.items[i];
        const int gap = gap_of_wait(flow, gaps, arc);
        if (retired_anyway(flow, arc->producer, gap))
            continue;
        int *counts = counted_by_vm(op_at(flow, arc->producer)) ? out->vm : out->lgkm;
        lower(&counts[gap % flow->count], accesses_after(flow, arc->producer, gap));
    }
    return SWP_OK;
}
