/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/phases.h"

#include "base/diag.h"
#include "sync/waits.h"

typedef struct writer {
    swp_context *ctx;
    const swp_dataflow *flow;
    swp_entry_builder out;
} writer;

static swp_status emit(writer *w, swp_op op, bool is_prefetch)
{
    return swp_entry_builder_emit(&w->out, op, is_prefetch);
}

/* Both counters down to 0, then barriers. */
static swp_status emit_sync(writer *w, int barriers)
{
    if (barriers == 0)
        return SWP_OK;
    SWP_TRY(emit(w, swp_op_wait_vm(0), false));
    SWP_TRY(emit(w, swp_op_wait_lgkm(0), false));
    for (int i = 0; i < barriers; i++)
        SWP_TRY(emit(w, swp_op_barrier(), false));
    return SWP_OK;
}

/* Raw registers are waited for right before their use. */
static swp_status emit_register_waits(writer *w, const swp_op *op)
{
    if (w->flow->schedule->machine.registers == SWP_REGISTERS_MANAGED)
        return SWP_OK;
    if (op->role == SWP_COMPUTE || op->role == SWP_FRAGMENT_LOAD)
        return emit(w, swp_op_wait_lgkm(0), false);
    if (op->role == SWP_SHARED_STORE || op->role == SWP_GLOBAL_LOAD)
        return emit(w, swp_op_wait_vm(0), false);
    return SWP_OK;
}

static swp_status emit_data(writer *w, swp_op op, bool is_prefetch)
{
    SWP_TRY(emit_register_waits(w, &op));
    return emit(w, op, is_prefetch);
}

/* The waits that the placement calls for, then the gap's barriers. */
static swp_status emit_gap(writer *w, const swp_gap_waits *waits, int gap, int barriers)
{
    if (waits->vm[gap] != SWP_NO_WAIT)
        SWP_TRY(emit(w, swp_op_wait_vm(waits->vm[gap]), false));
    if (waits->lgkm[gap] != SWP_NO_WAIT)
        SWP_TRY(emit(w, swp_op_wait_lgkm(waits->lgkm[gap]), false));
    for (int i = 0; i < barriers; i++)
        SWP_TRY(emit(w, swp_op_barrier(), false));
    return SWP_OK;
}

static swp_status write_kernel(writer *w, const int *gaps)
{
    swp_gap_waits waits = {0};
    SWP_TRY(swp_count_waits(w->ctx, w->flow, gaps, &waits));
    w->out = swp_entry_builder_new(w->ctx, SWP_KERNEL);
    for (int i = 0; i < w->flow->count; i++) {
        const swp_op *op = &w->flow->ops[i].op;
        SWP_TRY(emit_gap(w, &waits, i, gaps[i]));
        SWP_TRY(emit_data(w, *op, op->role == SWP_GLOBAL_LOAD && swp_op_is_prefetch(op)));
    }
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
static swp_status set_k_offset(writer *w, swp_op *op, int tiles)
{
    static const swp_k_offset offsets[] = {SWP_K_PREV, SWP_K0, SWP_K1, SWP_K_NEXT};
    if (op->role != SWP_GLOBAL_LOAD || op->k_offset == SWP_K_NONE)
        return SWP_OK;
    if (tiles < -1 || tiles > 2)
        return report_offset(w, op, tiles);
    op->k_offset = offsets[tiles + 1];
    return SWP_OK;
}

/* Enough barriers to order an operation before any other, whatever the lag. */
enum { BARRIERS_BETWEEN = 2 };

static int earliest_pass(const swp_dataflow *flow)
{
    const int tiles = flow->schedule->loop.tiles_per_pass;
    int earliest = 0;
    for (int i = 0; i < flow->count; i++)
        if (flow->ops[i].used && -(flow->ops[i].tile / tiles) < earliest)
            earliest = -(flow->ops[i].tile / tiles);
    return earliest;
}

static swp_status write_prologue(writer *w)
{
    const int tiles = w->flow->schedule->loop.tiles_per_pass;
    w->out = swp_entry_builder_new(w->ctx, SWP_PROLOGUE);
    for (int pass = earliest_pass(w->flow); pass < 0; pass++)
        for (int i = 0; i < w->flow->count; i++) {
            swp_op op = w->flow->ops[i].op;
            const int tile = pass * tiles + w->flow->ops[i].tile;
            if (!w->flow->ops[i].used || op.role == SWP_COMPUTE || tile < 0)
                continue;
            SWP_TRY(set_k_offset(w, &op, tile));
            SWP_TRY(emit_sync(w, BARRIERS_BETWEEN));
            SWP_TRY(emit_data(w, op, false));
        }
    return emit_sync(w, BARRIERS_BETWEEN);
}

static swp_status write_epilogue(writer *w)
{
    const swp_loop_shape *loop = &w->flow->schedule->loop;
    w->out = swp_entry_builder_new(w->ctx, SWP_EPILOGUE);
    for (int pass = 0; pass * loop->tiles_per_pass < loop->min_tiles; pass++)
        for (int i = 0; i < w->flow->count; i++) {
            swp_op op = w->flow->ops[i].op;
            const int tile = pass * loop->tiles_per_pass + w->flow->ops[i].tile;
            if (!w->flow->ops[i].used || tile >= loop->min_tiles)
                continue;
            SWP_TRY(set_k_offset(w, &op, tile - loop->min_tiles));
            if (op.role != SWP_COMPUTE)
                SWP_TRY(emit_sync(w, BARRIERS_BETWEEN));
            SWP_TRY(emit_data(w, op, false));
        }
    return SWP_OK;
}

swp_status swp_write_phases(swp_context *ctx, const swp_dataflow *flow, const int *gaps,
                            swp_schedule *schedule)
{
    writer w = {.ctx = ctx, .flow = flow};
    SWP_TRY(write_prologue(&w));
    const swp_entry_list prologue = w.out.entries;
    SWP_TRY(write_kernel(&w, gaps));
    const swp_entry_list kernel = w.out.entries;
    SWP_TRY(write_epilogue(&w));
    schedule->prologue = prologue;
    schedule->kernel = kernel;
    schedule->epilogue = w.out.entries;
    return SWP_OK;
}
