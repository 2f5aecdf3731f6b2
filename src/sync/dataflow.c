/* SPDX-License-Identifier: Apache-2.0 */
/* The effects of a kernel pass as ops at positions, each with the tile that it must handle there. */
#include "sync/dataflow.h"

#include "sync/accesses.h"

const swp_data_op *swp_sync_op_at(const swp_dataflow *flow, int position)
{
    return &flow->ops[position - swp_sync_pass_of(flow, position) * flow->count];
}

int swp_sync_pass_of(const swp_dataflow *flow, int position)
{
    return position >= 0 ? position / flow->count : -((flow->count - 1 - position) / flow->count);
}

/* --- Tiles that follow from who wants them --- */

static void set_tiles(const swp_dataflow *flow, swp_placed_list *list, int tile)
{
    for (size_t i = 0; i < list->count; i++) {
        list->items[i].tile = tile;
        list->items[i].step = flow->schedule->loop.tiles_per_pass;
    }
}

/* The op at a position handles this tile of pass 0. */
static void want(swp_dataflow *flow, int position, int tile)
{
    const int pass = swp_sync_pass_of(flow, position);
    swp_data_op *op = &flow->ops[position - pass * flow->count];
    op->tile = tile - pass * flow->schedule->loop.tiles_per_pass;
    op->used = true;
    set_tiles(flow, &op->reads, op->tile);
    set_tiles(flow, &op->makes, op->tile);
}

/* Whether what the op makes has whatever tile it finds. */
static bool carries(const swp_data_op *op)
{
    const swp_accesses *writes = &op->effect->writes;
    return writes->count > 0 && writes->items[0].carries;
}

/* What is carried to a register is what who reads it wants, before it is loaded again. */
static void follow_to_reader(swp_dataflow *flow, int carrier)
{
    const int place = flow->ops[carrier].makes.items[0].place;
    for (int at = carrier + 1; at <= carrier + flow->count; at++) {
        const swp_data_op *next = swp_sync_op_at(flow, at);
        if (swp_sync_makes_place(next, place))
            return;
        if (!swp_sync_reads_place(next, place))
            continue;
        want(flow, carrier,
             next->tile + swp_sync_pass_of(flow, at) * flow->schedule->loop.tiles_per_pass);
        return;
    }
}

/* Where each load takes the next tile, those that bring it to the reader must bring the one that it wants. */
static void follow_to_loads(swp_dataflow *flow, int reader)
{
    while (flow->ops[reader].reads.count > 0) {
        const int tile = flow->ops[reader].tile;
        const int maker = swp_sync_last_maker(flow, reader, flow->ops[reader].reads.items[0].place);
        if (maker == SWP_NO_POSITION || !swp_sync_op_at(flow, maker)->effect->takes_next_tile)
            return;
        want(flow, maker, tile);
        const int pass = swp_sync_pass_of(flow, maker);
        reader = maker - pass * flow->count;
    }
}

static void follow_tiles(swp_dataflow *flow)
{
    for (int i = 0; i < flow->count; i++)
        if (carries(&flow->ops[i]) && !flow->ops[i].effect->takes_next_tile)
            follow_to_reader(flow, i);
    for (int i = 0; i < flow->count; i++)
        if (carries(&flow->ops[i]) && flow->ops[i].used)
            follow_to_loads(flow, i);
}

/* --- Ops --- */

static swp_status number_places(swp_context *ctx, const swp_dataflow *flow,
                                const swp_accesses *accesses, swp_placed_list *out)
{
    for (size_t i = 0; i < accesses->count; i++) {
        const swp_access *access = &accesses->items[i];
        const swp_placed placed = {
            .place = access->is_shared ? access->where : flow->effects.place_count + access->where,
            .tile = access->tiles.first,
            .step = access->tiles.step,
            .is_shared = access->is_shared,
            .updates = access->updates,
            .early = access->early};
        SWP_TRY(SWP_PUSH(ctx, out, placed));
    }
    return SWP_OK;
}

/* A COMPUTE adds its tile, and an op of a loop is done in every iteration, whoever uses what it makes. */
static swp_status add_op(swp_context *ctx, swp_dataflow *flow, const swp_op *op,
                         const swp_effect *effect)
{
    swp_data_op *out = &flow->ops[flow->count++];
    *out = (swp_data_op){.op = *op,
                         .effect = effect,
                         .object = effect->object,
                         .accesses = effect->accesses,
                         .used = effect->op >= 0 || effect->accumulator >= 0};
    if (effect->op < 0 && !effect->takes_next_tile)
        out->tile = effect->tiles.first;
    for (size_t i = 0; i < effect->use_count; i++)
        flow->has_wide_units |= flow->effects.units[effect->uses[i].unit].capacity > 1;
    SWP_TRY(number_places(ctx, flow, &effect->reads, &out->reads));
    return number_places(ctx, flow, &effect->writes, &out->makes);
}

swp_status swp_sync_dataflow_build(swp_context *ctx, const swp_schedule *schedule,
                                   swp_dataflow *out)
{
    const swp_entry_list *kernel = swp_schedule_phase(schedule, SWP_KERNEL);
    int barriers = 0;
    *out = (swp_dataflow){.schedule = schedule};
    SWP_TRY(swp_ir_effects(ctx, schedule, &out->effects));
    SWP_TRY(SWP_TAKE(ctx, kernel->count, &out->ops));
    SWP_TRY(SWP_TAKE(ctx, kernel->count, &out->given));
    for (size_t i = 0; i < kernel->count; i++) {
        const swp_effect *effect = &out->effects.entries[SWP_KERNEL][i];
        barriers += effect->kind == SWP_EFFECT_BARRIER;
        /* What is neither synchronisation nor a hint stays, for the proof to judge. */
        if (effect->kind != SWP_EFFECT_WORK && !effect->unstated)
            continue;
        out->given[out->count] = barriers;
        SWP_TRY(add_op(ctx, out, &kernel->items[i].op, effect));
        barriers = 0;
    }
    if (out->count > 0)
        out->given[0] += barriers;
    follow_tiles(out);
    return SWP_OK;
}
