/* SPDX-License-Identifier: Apache-2.0 */
/* Writes kernel, prologue, epilogue and straight lists of a placement, and those with a wait everywhere. */
#include "sync/phases.h"

#include "base/diag.h"
#include "sync/arcs.h"

typedef struct writer {
    swp_context *ctx;
    const swp_dataflow *flow;
    const swp_machine *machine;
    swp_entry_builder out;
} writer;

static writer writer_new(swp_context *ctx, const swp_dataflow *flow, swp_phase phase)
{
    return (writer){ctx, flow, &flow->schedule->machine, swp_entry_builder_new(ctx, phase)};
}

static swp_status emit(writer *w, swp_op op, bool is_prefetch)
{
    return swp_entry_builder_emit(&w->out, op, is_prefetch);
}

/* Both counters down to 0, then as many barriers as order it in all waves: whatever came before is done. */
static swp_status emit_sync(writer *w)
{
    SWP_TRY(emit(w, swp_op_wait_vm(0), false));
    SWP_TRY(emit(w, swp_op_wait_lgkm(0), false));
    for (int i = 0; i < swp_sync_barrier_demand(w->machine); i++)
        SWP_TRY(emit(w, swp_op_barrier(), false));
    return SWP_OK;
}

static swp_status emit_waits(writer *w, const swp_sync_plan *plan, int gap, int index, size_t *next)
{
    for (; *next < plan->waits->count; ++*next) {
        const swp_sync_wait *wait = &plan->waits->items[*next];
        if (wait->gap != gap || wait->index != index)
            break;
        const int count = swp_sync_wait_count(w->flow, wait->object, wait->target, gap);
        const bool is_vm = swp_ir_sync_object_row(wait->object)->wait == SWP_WAIT_FOR_VM;
        SWP_TRY(emit(w, is_vm ? swp_op_wait_vm(count) : swp_op_wait_lgkm(count), false));
    }
    return SWP_OK;
}

static swp_status emit_kernel_op(writer *w, const swp_data_op *op)
{
    return emit(w, op->op, op->effect->fetches && swp_op_is_prefetch(&op->op));
}

swp_status swp_sync_write_kernel(swp_context *ctx, const swp_dataflow *flow,
                                 const swp_sync_plan *plan, swp_entry_list *out)
{
    writer w = writer_new(ctx, flow, SWP_KERNEL);
    size_t next = 0;
    for (int i = 0; i < flow->count; i++) {
        for (int index = 0; index < plan->gaps[i]; index++) {
            SWP_TRY(emit_waits(&w, plan, i, index, &next));
            SWP_TRY(emit(&w, swp_op_barrier(), false));
        }
        SWP_TRY(emit_waits(&w, plan, i, plan->gaps[i], &next));
        SWP_TRY(emit_kernel_op(&w, &flow->ops[i]));
    }
    *out = w.out.entries;
    return SWP_OK;
}

swp_status swp_sync_write_strongest_kernel(swp_context *ctx, const swp_dataflow *flow,
                                           swp_entry_list *out)
{
    writer w = writer_new(ctx, flow, SWP_KERNEL);
    for (int i = 0; i < flow->count; i++) {
        SWP_TRY(emit_sync(&w));
        SWP_TRY(emit_kernel_op(&w, &flow->ops[i]));
    }
    *out = w.out.entries;
    return SWP_OK;
}

swp_status swp_sync_write_given(swp_context *ctx, const swp_machine *machine,
                                const swp_entry_list *given, const bool *where, swp_phase phase,
                                swp_entry_list *out)
{
    writer w = {ctx, NULL, machine, swp_entry_builder_new(ctx, phase)};
    for (size_t i = 0; i < given->count; i++) {
        const swp_op *op = &given->items[i].op;
        if (op->role == SWP_SYNC || op->role == SWP_FENCE)
            continue;
        if (!where || where[i])
            SWP_TRY(emit_sync(&w));
        SWP_TRY(emit(&w, *op, false));
    }
    if (phase == SWP_PROLOGUE)
        SWP_TRY(emit_sync(&w));
    *out = w.out.entries;
    return SWP_OK;
}

static swp_status report_offset(writer *w, const swp_op *op, int tiles)
{
    char buffer[SWP_OP_NAME_SIZE];
    return swp_error(w->ctx, SWP_E0730, SWP_NOWHERE, "bring the load nearer to its use",
                     "%s would load the tile at kb %+d in the %s, which no k offset names",
                     swp_op_name(&w->ctx->op_namer, op->tag, buffer), tiles,
                     swp_phase_name(w->out.phase));
}

/* A load of the tile `tiles` from kb. */
static swp_status set_k_offset(writer *w, const swp_effect *effect, swp_op *op, int tiles)
{
    if (!effect->fetches || op->k_offset == SWP_K_NONE)
        return SWP_OK;
    return swp_k_offset_of(tiles, &op->k_offset) ? SWP_OK : report_offset(w, op, tiles);
}

static int earliest_pass(const swp_dataflow *flow)
{
    const int tiles = flow->schedule->loop.tiles_per_pass;
    int earliest = 0;
    for (int i = 0; i < flow->count; i++)
        if (flow->ops[i].used && -(flow->ops[i].tile / tiles) < earliest)
            earliest = -(flow->ops[i].tile / tiles);
    return earliest;
}

swp_status swp_sync_write_prologue(swp_context *ctx, const swp_dataflow *flow, swp_entry_list *out)
{
    const int tiles = flow->schedule->loop.tiles_per_pass;
    writer w = writer_new(ctx, flow, SWP_PROLOGUE);
    for (int pass = earliest_pass(flow); pass < 0; pass++)
        for (int i = 0; i < flow->count; i++) {
            swp_op op = flow->ops[i].op;
            const int tile = pass * tiles + flow->ops[i].tile;
            if (!flow->ops[i].used || swp_sync_adds_product(&flow->ops[i]) || tile < 0)
                continue;
            SWP_TRY(set_k_offset(&w, flow->ops[i].effect, &op, tile));
            SWP_TRY(emit_sync(&w));
            SWP_TRY(emit(&w, op, false));
        }
    SWP_TRY(emit_sync(&w));
    *out = w.out.entries;
    return SWP_OK;
}

/* What the passes `first` and later do for tiles from 0 to `tiles` - 1, kb being `tiles`. */
static swp_status write_rest(swp_context *ctx, const swp_dataflow *flow, int first, int tiles,
                             swp_entry_list *out)
{
    const swp_loop_shape *loop = &flow->schedule->loop;
    writer w = writer_new(ctx, flow, SWP_EPILOGUE);
    for (int pass = first; pass * loop->tiles_per_pass < tiles; pass++)
        for (int i = 0; i < flow->count; i++) {
            swp_op op = flow->ops[i].op;
            const int tile = pass * loop->tiles_per_pass + flow->ops[i].tile;
            if (!flow->ops[i].used || tile >= tiles || (first < 0 && tile < 0))
                continue;
            SWP_TRY(set_k_offset(&w, flow->ops[i].effect, &op, tile - tiles));
            if (!swp_sync_adds_product(&flow->ops[i]))
                SWP_TRY(emit_sync(&w));
            else if (flow->schedule->machine.registers == SWP_REGISTERS_RAW)
                SWP_TRY(emit(&w, swp_op_wait_lgkm(0), false));
            SWP_TRY(emit(&w, op, false));
        }
    *out = w.out.entries;
    return SWP_OK;
}

swp_status swp_sync_write_epilogue(swp_context *ctx, const swp_dataflow *flow, int tiles,
                                   swp_entry_list *out)
{
    return write_rest(ctx, flow, 0, tiles, out);
}

swp_status swp_sync_write_straight(swp_context *ctx, const swp_dataflow *flow, int tiles,
                                   swp_entry_list *out)
{
    const int first = earliest_pass(flow);
    return write_rest(ctx, flow, first < 0 ? first : -1, tiles, out);
}
