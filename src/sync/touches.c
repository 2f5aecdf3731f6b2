/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/touches.h"

#include "base/diag.h"
#include "ir/loop_dataflow.h"
#include "sync/arcs.h"

typedef struct finder {
    swp_context *ctx;
    swp_dataflow *flow;
    const swp_loop *loop;
    const int *slots;
} finder;

static int value_of(int place)
{
    return place / SWP_MOST_SLOTS;
}

bool swp_sync_is_shared(const swp_dataflow *flow, const swp_touch *touch)
{
    const swp_loop *loop = flow->schedule->dataflow->loop;
    return loop->values[value_of(touch->place)].space == SWP_SPACE_SHARED;
}

static const swp_touch *find(const swp_touch_list *touches, int place)
{
    for (size_t i = 0; i < touches->count; i++)
        if (touches->items[i].place == place)
            return &touches->items[i];
    return NULL;
}

const swp_touch *swp_sync_reads_place(const swp_data_op *op, int place)
{
    return find(&op->reads, place);
}

const swp_touch *swp_sync_makes_place(const swp_data_op *op, int place)
{
    return find(&op->makes, place);
}

int64_t swp_sync_read_cycles(const swp_dataflow *flow, const swp_data_op *op)
{
    return flow->schedule->dataflow->loop->ops[op->op.tag].read_cycles;
}

/* Makers of a value among the ops before `end` of an iteration. */
static int makers_before(const finder *f, int value, int end)
{
    int makers = 0;
    for (int op = 0; op < end; op++)
        makers += swp_ir_loop_makes(&f->loop->ops[op], value);
    return makers;
}

static int all_makers(const finder *f, int value)
{
    return makers_before(f, value, (int)f->loop->op_count);
}

/* The part of a version of pass 0 that so many makers have left. */
static swp_status touch(finder *f, swp_touch_list *list, int value, int version, int makers,
                        bool updates)
{
    const int slots = f->slots[value];
    const int parts = all_makers(f, value);
    const swp_touch touch = {
        .place = value * SWP_MOST_SLOTS + (version % slots + slots) % slots,
        .tile = version * parts + makers - 1,
        .step = f->flow->schedule->loop.tiles_per_pass * parts,
        .updates = updates,
    };
    return SWP_PUSH(f->ctx, list, touch);
}

static swp_status touch_read(finder *f, swp_data_op *op, const swp_loop_read *read)
{
    const int makers = read->distance == 0 ? makers_before(f, read->value, op->op.tag)
                                           : all_makers(f, read->value);
    return touch(f, &op->reads, read->value, op->op.iteration - read->distance, makers, false);
}

static swp_status touch_update(finder *f, swp_data_op *op, int value)
{
    const int makers = makers_before(f, value, op->op.tag);
    if (makers == 0)
        SWP_TRY(touch(f, &op->reads, value, op->op.iteration - 1, all_makers(f, value), true));
    else
        SWP_TRY(touch(f, &op->reads, value, op->op.iteration, makers, true));
    return touch(f, &op->makes, value, op->op.iteration, makers + 1, true);
}

static swp_status touch_all(finder *f, swp_data_op *op)
{
    const swp_loop_op *o = &f->loop->ops[op->op.tag];
    static const swp_sync_counter counters[] = {
        [SWP_LOOP_SYNCHRONOUS] = SWP_COUNTED_BY_NONE,
        [SWP_LOOP_VMCNT] = SWP_COUNTED_BY_VM,
        [SWP_LOOP_LGKMCNT] = SWP_COUNTED_BY_LGKM,
    };
    for (size_t i = 0; i < o->read_count; i++)
        SWP_TRY(touch_read(f, op, &o->reads[i]));
    for (size_t i = 0; i < o->update_count; i++)
        SWP_TRY(touch_update(f, op, o->updates[i]));
    for (size_t i = 0; i < o->write_count; i++)
        SWP_TRY(touch(f, &op->makes, o->writes[i], op->op.iteration, 1, false));
    op->used = true;
    op->accesses = o->accesses;
    op->counter = counters[swp_ir_loop_counter_of(f->loop, o)];
    op->is_awaited = swp_ir_loop_is_awaited(f->loop, o);
    op->reads_in_flight = swp_ir_loop_reads_in_flight(o);
    op->in_order = swp_ir_loop_is_in_order(f->loop, o);
    for (size_t i = 0; i < o->use_count; i++)
        f->flow->has_wide_units |= f->loop->units[o->uses[i].resource].capacity > 1;
    return SWP_OK;
}

swp_status swp_sync_find_accesses(swp_context *ctx, swp_dataflow *flow)
{
    const swp_loop_dataflow *dataflow = flow->schedule->dataflow;
    finder f = {ctx, flow, dataflow->loop, dataflow->slots};
    for (int i = 0; i < flow->count; i++)
        SWP_TRY(touch_all(&f, &flow->ops[i]));
    return SWP_OK;
}

/* The last position before that one which makes the place; SWP_NO_POSITION: none does. */
static int last_maker(const swp_dataflow *flow, int position, int place)
{
    for (int at = position - 1; at >= position - flow->count; at--)
        if (swp_sync_makes_place(swp_sync_op_at(flow, at), place))
            return at;
    return SWP_NO_POSITION;
}

bool swp_sync_waits_for(const swp_dataflow *flow, int later, int earlier)
{
    const swp_data_op *maker = swp_sync_op_at(flow, earlier);
    if (flow->schedule->machine.registers == SWP_REGISTERS_RAW || !maker->is_awaited)
        return false;
    const int place = maker->makes.items[0].place;
    return swp_sync_reads_place(swp_sync_op_at(flow, later), place) &&
           last_maker(flow, later, place) == earlier;
}

/* Matrix instructions in groups follow each other in one accumulator in order. */
static bool accumulate(const swp_data_op *later, const swp_data_op *earlier, int place)
{
    const swp_touch *read = swp_sync_reads_place(later, place);
    const swp_touch *made = swp_sync_makes_place(later, place);
    return later->in_order && earlier->in_order && swp_sync_makes_place(earlier, place) && read &&
           made && read->updates && made->updates;
}

static bool meets_made(const swp_dataflow *flow, const swp_data_op *later,
                       const swp_data_op *earlier)
{
    for (size_t i = 0; i < earlier->makes.count; i++) {
        const swp_touch *made = &earlier->makes.items[i];
        if (!swp_sync_is_shared(flow, made) && !accumulate(later, earlier, made->place) &&
            (swp_sync_reads_place(later, made->place) || swp_sync_makes_place(later, made->place)))
            return true;
    }
    return false;
}

static bool meets_read(const swp_dataflow *flow, const swp_data_op *later,
                       const swp_data_op *earlier)
{
    for (size_t i = 0; earlier->reads_in_flight && i < earlier->reads.count; i++) {
        const swp_touch *read = &earlier->reads.items[i];
        if (!swp_sync_is_shared(flow, read) && !accumulate(later, earlier, read->place) &&
            swp_sync_makes_place(later, read->place))
            return true;
    }
    return false;
}

bool swp_sync_must_find_done(const swp_dataflow *flow, const swp_data_op *later,
                             const swp_data_op *earlier)
{
    const bool is_raw = flow->schedule->machine.registers == SWP_REGISTERS_RAW;
    return ((is_raw || !earlier->is_awaited) && meets_made(flow, later, earlier)) ||
           meets_read(flow, later, earlier);
}

static swp_status report_order(swp_context *ctx, const swp_dataflow *flow, int reader,
                               const swp_touch *read, const char *why)
{
    const swp_loop *loop = flow->schedule->dataflow->loop;
    return swp_error(ctx, SWP_E0730, SWP_NOWHERE, "change the order of the data operations",
                     "no synchronisation makes this order right: %s (iteration %+d) reads %s %s",
                     loop->ops[flow->ops[reader].op.tag].name, flow->ops[reader].op.iteration,
                     loop->values[value_of(read->place)].name, why);
}

/* The position that makes the tile; SWP_NO_POSITION: none does. */
static int maker_of(const swp_dataflow *flow, const swp_touch *read)
{
    for (int i = 0; i < flow->count; i++) {
        const swp_touch *made = swp_sync_makes_place(&flow->ops[i], read->place);
        if (made && (read->tile - made->tile) % made->step == 0)
            return i + (read->tile - made->tile) / made->step * flow->count;
    }
    return SWP_NO_POSITION;
}

/* The next position after one that makes the place. There must be one. */
static int next_maker(const swp_dataflow *flow, int position, int place)
{
    do
        position++;
    while (!swp_sync_makes_place(swp_sync_op_at(flow, position), place));
    return position;
}

/* From the maker of what an op reads to the op, and from there to what replaces it. */
static swp_status add_read_arcs(swp_context *ctx, swp_dataflow *flow, int reader,
                                const swp_touch *read)
{
    const int maker = maker_of(flow, read);
    if (maker == SWP_NO_POSITION)
        return SWP_OK; /* an input */
    if (maker >= reader)
        return report_order(ctx, flow, reader, read, "before it is made");
    const int next = next_maker(flow, maker, read->place);
    if (next < reader)
        return report_order(ctx, flow, reader, read, "after it is replaced");
    SWP_TRY(swp_sync_push_arc(ctx, flow, maker, reader, SWP_ARC_PLACE));
    /* An update replaces what it reads by itself; its read must be over when the next maker comes. */
    return swp_sync_push_arc(ctx, flow, reader,
                             next == reader ? next_maker(flow, reader, read->place) : next,
                             SWP_ARC_PLACE);
}

static bool is_read(const swp_dataflow *flow, int place)
{
    for (int i = 0; i < flow->count; i++)
        if (swp_sync_reads_place(&flow->ops[i], place))
            return true;
    return false;
}

/* An access must have landed when the next maker of its place issues, unless both are in order. */
static swp_status add_landing_arc(swp_context *ctx, swp_dataflow *flow, int maker, int place)
{
    const swp_sync_counter counter = flow->ops[maker].counter;
    const int next = next_maker(flow, maker, place);
    if (counter == SWP_COUNTED_BY_NONE || !is_read(flow, place) ||
        (counter == SWP_COUNTED_BY_LGKM &&
         swp_sync_op_at(flow, next)->counter == SWP_COUNTED_BY_LGKM))
        return SWP_OK;
    return swp_sync_push_arc(ctx, flow, maker, next, SWP_ARC_WAVE);
}

swp_status swp_sync_find_access_arcs(swp_context *ctx, swp_dataflow *flow)
{
    for (int i = 0; i < flow->count; i++) {
        const swp_data_op *op = &flow->ops[i];
        for (size_t t = 0; t < op->reads.count; t++)
            if (swp_sync_is_shared(flow, &op->reads.items[t]))
                SWP_TRY(add_read_arcs(ctx, flow, i, &op->reads.items[t]));
        for (size_t t = 0; t < op->makes.count; t++)
            if (swp_sync_is_shared(flow, &op->makes.items[t]))
                SWP_TRY(add_landing_arc(ctx, flow, i, op->makes.items[t].place));
    }
    return SWP_OK;
}
