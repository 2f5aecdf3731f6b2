/* SPDX-License-Identifier: Apache-2.0 */
/* Arcs between positions: reads after writes and the others, of places, registers and counters. */
#include "sync/arcs.h"

#include "base/diag.h"
#include "ir/schedule.h"
#include "sync/accesses.h"

int swp_sync_barrier_demand(const swp_machine *machine)
{
    if (swp_ir_lags(machine))
        return 2;
    return machine->groups > 1 || machine->waves_per_group > 1;
}

int swp_sync_arc_demand(const swp_dataflow *flow, const swp_arc *arc)
{
    return arc->kind == SWP_ARC_PLACE ? swp_sync_barrier_demand(&flow->schedule->machine) : 0;
}

/* An arc between two positions. */
static swp_status push_arc(swp_context *ctx, swp_dataflow *flow, int producer, int consumer,
                           swp_arc_kind kind)
{
    const int pass = swp_sync_pass_of(flow, producer);
    const swp_arc arc = {producer - pass * flow->count,
                         consumer - swp_sync_pass_of(flow, consumer) * flow->count,
                         swp_sync_pass_of(flow, consumer) - pass, kind};
    const swp_sync_object of_producer = flow->ops[arc.producer].object;
    const bool in_order = swp_ir_sync_in_order(of_producer, flow->ops[arc.consumer].object);
    /* In one wave LDS operations take effect in order, and what is synchronous is done. */
    if (kind == SWP_ARC_PLACE && (in_order || of_producer == SWP_NO_OBJECT) &&
        swp_sync_arc_demand(flow, &arc) == 0)
        return SWP_OK;
    return SWP_PUSH(ctx, &flow->arcs, arc);
}

/* --- Places that waves share --- */

/* Of what a reader asks in vain: how its order is told, of an op of a loop and of a fragment load. */
typedef struct complaint {
    const char *of_loop;
    const char *of_body;
} complaint;

static const complaint too_early = {"before it is made", "stands before the load of its tile"};
static const complaint too_late = {"after it is replaced",
                                   "stands after the load that replaces its tile"};
static const complaint never = {"which nobody makes", "needs a tile that no load brings there"};

static swp_status report_order(swp_context *ctx, const swp_dataflow *flow, int reader,
                               const swp_placed *read, const complaint *why)
{
    static const char hint[] = "change the order of the data operations";
    const swp_data_op *op = &flow->ops[reader];
    if (op->effect->op < 0) {
        char buffer[SWP_OP_NAME_SIZE];
        return swp_error(ctx, SWP_E0730, SWP_NOWHERE, hint,
                         "no synchronisation makes this order right: fragment load %s (channel %d, "
                         "slot %d, subtile %d) %s",
                         swp_op_name(&ctx->op_namer, op->op.tag, buffer), op->op.channel,
                         op->op.stage, op->op.subtile, why->of_body);
    }
    const char *name = swp_schedule_op_name(flow->schedule, op->op.tag);
    return swp_error(ctx, SWP_E0730, swp_ir_place_of_op(flow->schedule, name), hint,
                     "no synchronisation makes this order right: %s (iteration %+d) reads %s %s",
                     name, op->op.iteration,
                     swp_ir_effect_value(&flow->effects, &flow->effects.places.items[read->place]),
                     why->of_loop);
}

/* Why nobody brings the tile right before its reader. */
static swp_status refuse_order(swp_context *ctx, const swp_dataflow *flow, int reader,
                               const swp_placed *read)
{
    for (int i = 0; i < flow->count; i++) {
        const swp_placed *made = swp_sync_makes_place(&flow->ops[i], read->place);
        const int ahead = made ? made->tile - read->tile : 0;
        if (made && made->step > 0 && ahead % made->step == 0)
            return report_order(ctx, flow, reader, read,
                                i - ahead / made->step * flow->count >= reader ? &too_early
                                                                               : &too_late);
    }
    return report_order(ctx, flow, reader, read, &never);
}

/*
 * Makers of one tile that follow each other count as one: nobody can tell them apart. The first brings the
 * tile to its reader; what reads it must be over when the next tile comes.
 */
static swp_status add_read_arcs(swp_context *ctx, swp_dataflow *flow, int reader,
                                const swp_placed *read)
{
    int maker = swp_sync_last_maker(flow, reader, read->place);
    if (maker == SWP_NO_POSITION || swp_sync_made_tile(flow, maker, read->place) != read->tile)
        return refuse_order(ctx, flow, reader, read);
    int before = swp_sync_last_maker(flow, maker, read->place);
    while (swp_sync_made_tile(flow, before, read->place) == read->tile) {
        maker = before;
        before = swp_sync_last_maker(flow, maker, read->place);
    }
    int after = swp_sync_next_maker(flow, reader, read->place);
    while (swp_sync_made_tile(flow, after, read->place) == read->tile)
        after = swp_sync_next_maker(flow, after, read->place);
    flow->ops[maker - swp_sync_pass_of(flow, maker) * flow->count].used = true;
    SWP_TRY(push_arc(ctx, flow, maker, reader, SWP_ARC_PLACE));
    return push_arc(ctx, flow, reader, after, SWP_ARC_PLACE);
}

/* An access must have landed when the next tile that somebody reads is on its way, unless both are in order. */
static swp_status add_landing_arc(swp_context *ctx, swp_dataflow *flow, int maker, int place)
{
    const swp_sync_object object = flow->ops[maker].object;
    const int next = swp_sync_next_maker(flow, maker, place);
    const swp_data_op *later = swp_sync_op_at(flow, next);
    if (object == SWP_NO_OBJECT || !later->used || swp_ir_sync_in_order(object, later->object) ||
        swp_sync_made_tile(flow, next, place) == swp_sync_made_tile(flow, maker, place))
        return SWP_OK;
    return push_arc(ctx, flow, maker, next, SWP_ARC_WAVE);
}

static bool is_read(const swp_dataflow *flow, int place)
{
    for (int i = 0; i < flow->count; i++)
        if (flow->ops[i].used && swp_sync_reads_place(&flow->ops[i], place))
            return true;
    return false;
}

static swp_status add_place_arcs(swp_context *ctx, swp_dataflow *flow)
{
    for (int i = 0; i < flow->count; i++)
        for (size_t r = 0; flow->ops[i].used && r < flow->ops[i].reads.count; r++)
            if (flow->ops[i].reads.items[r].is_shared)
                SWP_TRY(add_read_arcs(ctx, flow, i, &flow->ops[i].reads.items[r]));
    for (int i = 0; i < flow->count; i++)
        for (size_t m = 0; m < flow->ops[i].makes.count; m++) {
            const swp_placed *made = &flow->ops[i].makes.items[m];
            if (made->is_shared && is_read(flow, made->place))
                SWP_TRY(add_landing_arc(ctx, flow, i, made->place));
        }
    return SWP_OK;
}

/* --- Registers and counters --- */

static swp_status add_register_arcs(swp_context *ctx, swp_dataflow *flow, int access)
{
    for (int at = access + 1; at <= access + flow->count; at++)
        if (swp_sync_must_find_done(flow, swp_sync_op_at(flow, at), &flow->ops[access]))
            SWP_TRY(push_arc(ctx, flow, access, at, SWP_ARC_WAVE));
    return SWP_OK;
}

static int64_t accesses_of_pass(const swp_dataflow *flow, swp_sync_object object)
{
    int64_t accesses = 0;
    for (int i = 0; i < flow->count; i++)
        if (flow->ops[i].object == object)
            accesses += flow->ops[i].accesses;
    return accesses;
}

int swp_sync_most_in_flight(const swp_dataflow *flow, swp_sync_object object)
{
    const int largest = swp_ir_sync_largest(&flow->schedule->machine, object);
    return largest > 0 ? largest : INT_MAX;
}

bool swp_sync_has_limit(const swp_dataflow *flow, swp_sync_object object)
{
    return swp_ir_sync_largest(&flow->schedule->machine, object) > 0;
}

int swp_sync_left_by(const swp_dataflow *flow, int end, swp_sync_object object, int accesses)
{
    const int newest = swp_sync_newest_with(flow, end, object, accesses);
    return newest == SWP_NO_POSITION ? newest : swp_sync_access_before(flow, newest, object);
}

int swp_sync_newest_with(const swp_dataflow *flow, int end, swp_sync_object object,
                         int64_t accesses)
{
    const int64_t of_pass = accesses_of_pass(flow, object);
    if (of_pass == 0)
        return SWP_NO_POSITION;
    /* Whole passes at once: counters may hold many. */
    const int64_t passes = accesses > of_pass ? (accesses - 1) / of_pass : 0;
    int at = end - (int)passes * flow->count;
    for (accesses -= passes * of_pass; accesses > 0;) {
        at--;
        if (swp_sync_op_at(flow, at)->object == object)
            accesses -= swp_sync_op_at(flow, at)->accesses;
    }
    return at;
}

int swp_sync_access_before(const swp_dataflow *flow, int end, swp_sync_object object)
{
    int at = end - 1;
    while (swp_sync_op_at(flow, at)->object != object)
        at--;
    return at;
}

int swp_sync_all_gone_at(const swp_dataflow *flow, int position)
{
    const swp_data_op *access = swp_sync_op_at(flow, position);
    const int64_t room = swp_sync_most_in_flight(flow, access->object) - (int64_t)access->accesses;
    return swp_sync_access_before(flow, swp_sync_newest_with(flow, position, access->object, room),
                                  access->object);
}

int swp_sync_no_room_for(const swp_dataflow *flow, int position)
{
    const swp_data_op *access = swp_sync_op_at(flow, position);
    const int64_t room = swp_sync_most_in_flight(flow, access->object) - (int64_t)access->accesses;
    return swp_sync_newest_with(flow, position, access->object, room < 0 ? 1 : room + 1);
}

static swp_status add_counter_arcs(swp_context *ctx, swp_dataflow *flow, int access)
{
    return push_arc(ctx, flow, swp_sync_no_room_for(flow, access), access, SWP_ARC_ROOM);
}

swp_status swp_sync_find_arcs(swp_context *ctx, swp_dataflow *flow)
{
    SWP_TRY(add_place_arcs(ctx, flow));
    for (int i = 0; i < flow->count; i++) {
        if (flow->ops[i].object == SWP_NO_OBJECT)
            continue;
        SWP_TRY(add_register_arcs(ctx, flow, i));
        if (flow->schedule->machine.counter_full == SWP_COUNTER_WRAPS &&
            swp_sync_has_limit(flow, flow->ops[i].object))
            SWP_TRY(add_counter_arcs(ctx, flow, i));
    }
    return SWP_OK;
}
