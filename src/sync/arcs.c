/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/arcs.h"

#include "base/diag.h"
#include "sync/touches.h"

int swp_sync_barrier_demand(const swp_machine *machine)
{
    if (machine->groups == 2 && machine->lag == 1)
        return 2;
    return machine->groups > 1 || machine->waves_per_group > 1;
}

int swp_sync_arc_demand(const swp_dataflow *flow, const swp_arc *arc)
{
    return arc->kind == SWP_ARC_PLACE ? swp_sync_barrier_demand(&flow->schedule->machine) : 0;
}

swp_status swp_sync_push_arc(swp_context *ctx, swp_dataflow *flow, int producer, int consumer,
                             swp_arc_kind kind)
{
    const int pass = swp_sync_pass_of(flow, producer);
    const swp_arc arc = {producer - pass * flow->count,
                         consumer - swp_sync_pass_of(flow, consumer) * flow->count,
                         swp_sync_pass_of(flow, consumer) - pass, kind};
    const swp_sync_counter of_producer = flow->ops[arc.producer].counter;
    const bool both_lds = of_producer == SWP_COUNTED_BY_LGKM &&
                          flow->ops[arc.consumer].counter == SWP_COUNTED_BY_LGKM;
    /* In one wave LDS operations take effect in order, and what is synchronous is done. */
    if (kind == SWP_ARC_PLACE && (both_lds || of_producer == SWP_COUNTED_BY_NONE) &&
        swp_sync_arc_demand(flow, &arc) == 0)
        return SWP_OK;
    return SWP_PUSH(ctx, &flow->arcs, arc);
}

static swp_status report_order(swp_context *ctx, const swp_dataflow *flow, int frag,
                               const char *why)
{
    const swp_op *op = &flow->ops[frag].op;
    char buffer[SWP_OP_NAME_SIZE];
    return swp_error(ctx, SWP_E0730, SWP_NOWHERE, "change the order of the data operations",
                     "no synchronisation makes this order right: fragment load %s (channel %d, "
                     "slot %d, subtile %d) %s",
                     swp_op_name(&ctx->op_namer, op->tag, buffer), op->channel, op->stage,
                     op->subtile, why);
}

/* The next write of the fragment's place in a direction, or SWP_NO_POSITION. */
static int next_write(const swp_dataflow *flow, int frag, int from, int step)
{
    for (int i = 1; i <= flow->count; i++) {
        const swp_op *op = &swp_sync_op_at(flow, from + i * step)->op;
        if (swp_sync_writes_lds(flow, op) && swp_sync_same_place(flow, op, &flow->ops[frag].op))
            return from + i * step;
    }
    return SWP_NO_POSITION;
}

/* Why no write brings the fragment's tile right before it. */
static swp_status refuse_order(swp_context *ctx, const swp_dataflow *flow, int frag)
{
    const int tiles = flow->schedule->loop.tiles_per_pass;
    for (int i = 0; i < flow->count; i++) {
        const swp_op *op = &flow->ops[i].op;
        const int ahead = flow->ops[i].tile - flow->ops[frag].tile;
        if (!swp_sync_writes_lds(flow, op) || !swp_sync_same_place(flow, op, &flow->ops[frag].op) ||
            ahead % tiles != 0)
            continue;
        return report_order(ctx, flow, frag,
                            i - ahead / tiles * flow->count > frag
                                ? "stands before the load of its tile"
                                : "stands after the load that replaces its tile");
    }
    return report_order(ctx, flow, frag, "needs a tile that no load brings there");
}

/*
 * Writes of the fragment's tile that follow each other count as one: nobody can tell them apart.
 * The first brings the tile; the last must have landed when the next tile is on its way, even where
 * nobody reads it.
 */
static swp_status add_place_arcs(swp_context *ctx, swp_dataflow *flow, int frag)
{
    const int tile = flow->ops[frag].tile;
    int write = next_write(flow, frag, frag, -1);
    if (write == SWP_NO_POSITION || swp_sync_tile_at(flow, write) != tile)
        return refuse_order(ctx, flow, frag);
    int before = next_write(flow, frag, write, -1);
    while (swp_sync_tile_at(flow, before) == tile) {
        write = before;
        before = next_write(flow, frag, write, -1);
    }
    int after = next_write(flow, frag, frag, 1);
    while (swp_sync_tile_at(flow, after) == tile)
        after = next_write(flow, frag, after, 1);
    flow->ops[write - swp_sync_pass_of(flow, write) * flow->count].used = true;
    SWP_TRY(swp_sync_push_arc(ctx, flow, write, frag, SWP_ARC_PLACE));
    SWP_TRY(swp_sync_push_arc(ctx, flow, frag, after, SWP_ARC_PLACE));
    /* Stores of one wave land in order. */
    return swp_sync_op_at(flow, write)->counter == SWP_COUNTED_BY_VM
               ? swp_sync_push_arc(ctx, flow, before, write, SWP_ARC_WAVE)
               : SWP_OK;
}

static swp_status add_op_arcs(swp_context *ctx, swp_dataflow *flow, int access)
{
    for (int at = access + 1; at <= access + flow->count; at++)
        if (swp_sync_must_find_done(flow, swp_sync_op_at(flow, at), &flow->ops[access]))
            SWP_TRY(swp_sync_push_arc(ctx, flow, access, at, SWP_ARC_WAVE));
    return SWP_OK;
}

/* Raw registers: a load is done before its register is used, and before it is loaded again. */
static swp_status add_register_arcs(swp_context *ctx, swp_dataflow *flow, int load)
{
    if (flow->schedule->dataflow)
        return add_op_arcs(ctx, flow, load);
    if (flow->schedule->machine.registers != SWP_REGISTERS_RAW)
        return SWP_OK;
    const swp_op *op = &flow->ops[load].op;
    for (int at = load + 1; at <= load + flow->count; at++) {
        const swp_op *next = &swp_sync_op_at(flow, at)->op;
        const bool again = swp_sync_same_register(flow, next, op);
        if (again || swp_sync_reads_register(flow, next, op))
            SWP_TRY(swp_sync_push_arc(ctx, flow, load, at, SWP_ARC_WAVE));
        if (again)
            break;
    }
    return SWP_OK;
}

static int64_t accesses_of_pass(const swp_dataflow *flow, swp_sync_counter counter)
{
    int64_t accesses = 0;
    for (int i = 0; i < flow->count; i++)
        if (flow->ops[i].counter == counter)
            accesses += flow->ops[i].accesses;
    return accesses;
}

int swp_sync_counter_max(const swp_dataflow *flow, swp_sync_counter counter)
{
    const swp_machine *machine = &flow->schedule->machine;
    return counter == SWP_COUNTED_BY_VM ? machine->vm_max : machine->lgkm_max;
}

int swp_sync_newest_with(const swp_dataflow *flow, int end, swp_sync_counter counter,
                         int64_t accesses)
{
    const int64_t of_pass = accesses_of_pass(flow, counter);
    if (of_pass == 0)
        return SWP_NO_POSITION;
    /* Whole passes at once: counters may hold many. */
    const int64_t passes = accesses > of_pass ? (accesses - 1) / of_pass : 0;
    int at = end - (int)passes * flow->count;
    for (accesses -= passes * of_pass; accesses > 0;) {
        at--;
        if (swp_sync_op_at(flow, at)->counter == counter)
            accesses -= swp_sync_op_at(flow, at)->accesses;
    }
    return at;
}

int swp_sync_access_before(const swp_dataflow *flow, int end, swp_sync_counter counter)
{
    int at = end - 1;
    while (swp_sync_op_at(flow, at)->counter != counter)
        at--;
    return at;
}

int swp_sync_all_gone_at(const swp_dataflow *flow, int position)
{
    const swp_data_op *access = swp_sync_op_at(flow, position);
    const int64_t room = swp_sync_counter_max(flow, access->counter) - (int64_t)access->accesses;
    return swp_sync_access_before(flow, swp_sync_newest_with(flow, position, access->counter, room),
                                  access->counter);
}

int swp_sync_no_room_for(const swp_dataflow *flow, int position)
{
    const swp_data_op *access = swp_sync_op_at(flow, position);
    const int64_t room = swp_sync_counter_max(flow, access->counter) - (int64_t)access->accesses;
    return swp_sync_newest_with(flow, position, access->counter, room < 0 ? 1 : room + 1);
}

static swp_status add_counter_arcs(swp_context *ctx, swp_dataflow *flow, int access)
{
    return swp_sync_push_arc(ctx, flow, swp_sync_no_room_for(flow, access), access, SWP_ARC_ROOM);
}

swp_status swp_sync_find_arcs(swp_context *ctx, swp_dataflow *flow)
{
    const swp_machine *machine = &flow->schedule->machine;
    if (flow->schedule->dataflow)
        SWP_TRY(swp_sync_find_access_arcs(ctx, flow));
    for (int i = 0; i < flow->count; i++) {
        if (flow->ops[i].op.role == SWP_FRAGMENT_LOAD && flow->ops[i].used)
            SWP_TRY(add_place_arcs(ctx, flow, i));
        if (flow->ops[i].counter == SWP_COUNTED_BY_NONE)
            continue;
        SWP_TRY(add_register_arcs(ctx, flow, i));
        if (machine->counter_full == SWP_COUNTER_WRAPS)
            SWP_TRY(add_counter_arcs(ctx, flow, i));
    }
    return SWP_OK;
}
