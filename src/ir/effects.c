/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers the entries of a schedule to effects: the one place that asks whether they are a body's or a loop's. */
#include "ir/effects.h"

#include "base/diag.h"
#include "ir/entry.h"
#include "ir/implied_barriers.h"
#include "ir/loop_dataflow.h"
#include "ir/lowering.h"
#include "ir/roles.h"

swp_sync_object swp_ir_object_of(const swp_schedule *schedule, const swp_op *op)
{
    const swp_loop_op *work = swp_ir_loop_op(schedule, op);
    if (work)
        return swp_ir_loop_object_of(schedule->dataflow->loop, work);
    if (op->role == SWP_GLOBAL_LOAD)
        return SWP_VMCNT;
    const bool in_lds = op->role == SWP_SHARED_STORE || op->role == SWP_FRAGMENT_LOAD;
    return in_lds ? SWP_LGKMCNT : SWP_NO_OBJECT;
}

static swp_status lower_phase(const swp_lowering *l, swp_phase phase)
{
    const swp_entry_list *entries = swp_stream_phase(l->stream, phase);
    l->out->lengths[phase] = (int)entries->count;
    SWP_TRY(SWP_TAKE(l->ctx, entries->count, &l->out->entries[phase]));
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        swp_effect *effect = &l->out->entries[phase][i];
        *effect = (swp_effect){.op = -1, .accumulator = -1, .object = SWP_NO_OBJECT};
        SWP_TRY(swp_ir_loop_op(l->schedule, op) ? swp_ir_lower_loop_op(l, phase, op, (int)i, effect)
                                                : swp_ir_lower_kind(l, op, effect));
    }
    return SWP_OK;
}

swp_status swp_ir_effects(swp_context *ctx, const swp_schedule *schedule, swp_effects *out)
{
    return swp_ir_effects_of_stream(ctx, schedule, &schedule->streams[0], out);
}

swp_status swp_ir_effects_of_stream(swp_context *ctx, const swp_schedule *schedule,
                                    const swp_stream *stream, swp_effects *out)
{
    const swp_loop_dataflow *dataflow = schedule->dataflow;
    swp_lowering l = {.ctx = ctx,
                      .out = out,
                      .schedule = schedule,
                      .stream = stream,
                      .dataflow = dataflow,
                      .loop = dataflow ? dataflow->loop : NULL};
    *out = (swp_effects){.schedule = schedule, .op_count = l.loop ? l.loop->op_count : 0};
    SWP_TRY(l.loop ? swp_ir_begin_loop(&l) : swp_ir_begin_body(&l));
    for (swp_phase phase = SWP_PROLOGUE; phase <= swp_ir_last_list(schedule); phase++)
        SWP_TRY(lower_phase(&l, phase));
    if (!l.loop)
        SWP_TRY(swp_ir_number_tiles(&l));
    out->place_count = (int)out->places.count;
    out->register_count = (int)out->registers.count;
    out->accumulator_count = (int)out->accumulators.count;
    return SWP_OK;
}

/* --- What has no meaning --- */

static int published(const swp_entry_list *entries, int entry)
{
    int number = 0;
    for (int i = 0; i < entry; i++)
        number += !swp_ir_is_implied(&entries->items[i].op);
    return number;
}

static swp_status refuse(swp_context *ctx, const swp_effects *effects, swp_phase phase, int entry)
{
    const swp_entry_list *entries = swp_schedule_phase(effects->schedule, phase);
    const swp_op *op = &entries->items[entry].op;
    const char *undefined = effects->entries[phase][entry].undefined;
    const int number = published(entries, entry);
    if (!undefined)
        return swp_error(
            ctx, SWP_E0701, SWP_NOWHERE,
            "the model knows loads, stores, fragment loads, COMPUTEs, waits and barriers",
            "%s entry %d is of kind %s, whose reads and writes are not stated",
            swp_phase_name(phase), number, swp_role_name(op->role));
    return swp_error(ctx, SWP_E0701, SWP_NOWHERE, "take the entry out, or correct it",
                     "%s entry %d (%s): %s", swp_phase_name(phase), number,
                     swp_schedule_op_name(effects->schedule, op->tag), undefined);
}

swp_status swp_ir_check_effects(swp_context *ctx, const swp_effects *effects)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < effects->lengths[phase]; i++)
            if (effects->entries[phase][i].undefined || effects->entries[phase][i].unstated)
                return refuse(ctx, effects, phase, i);
    return SWP_OK;
}
