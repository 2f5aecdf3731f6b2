/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A block and its two templates (docs/schedules.md, "Expansion"). Expansion and all counts walk a
 * template through one function, so that they cannot disagree.
 */
#include "base/context.h"
#include "base/require.h"
#include "swp/program.h"
#include "swp/reference.h"

/* What an emitted op is to the counts. */
typedef enum slot { SLOT_PLAIN, SLOT_MMA, SLOT_POST_BARRIER_LGKM } slot;

/* Receives the ops of a walk in order. */
typedef struct sink {
    swp_entry_builder *entries; /* entries, ops or neither: then it counts only */
    swp_context *ctx;           /* for ops */
    swp_op_list *ops;
    int count;
    int positions[3]; /* the first op of each slot; -1 if none */
    swp_status status;
} sink;

swp_mma_block swp_mma_block_new(swp_op mma)
{
    return (swp_mma_block){.mma = mma,
                           .fused_mma = swp_op_none(),
                           .entry_wait = swp_op_none(),
                           .entry_wait_lgkm = swp_op_none(),
                           .pre_sync = swp_op_none(),
#define DEFAULT(name, value) .name = (value),
                           SWP_BLOCK_FLAGS(DEFAULT)
#undef DEFAULT
    };
}

static void emit(sink *out, swp_op op, slot what, bool is_prefetch)
{
    if (!swp_op_present(&op) || out->status != SWP_OK)
        return;
    if (out->positions[what] < 0)
        out->positions[what] = out->count;
    out->count++;
    if (out->entries)
        out->status = swp_entry_builder_emit(out->entries, op, is_prefetch);
    else if (out->ops)
        out->status = SWP_PUSH(out->ctx, out->ops, op);
}

static void emit_if(sink *out, bool wanted, swp_op op)
{
    if (wanted)
        emit(out, op, SLOT_PLAIN, false);
}

static void walk_entry_group(const swp_mma_block *block, bool wrap_waits, sink *out)
{
    const bool waits = swp_op_present(&block->entry_wait);
    const bool fence = wrap_waits && (waits || swp_op_present(&block->entry_wait_lgkm));
    emit_if(out, fence, swp_op_schedule_barrier());
    emit(out, block->entry_wait, SLOT_PLAIN, false);
    emit(out, block->entry_wait_lgkm, SLOT_PLAIN, false);
    emit_if(out, waits, swp_op_barrier());
    emit_if(out, fence, swp_op_schedule_barrier());
}

static void walk_frags(const swp_mma_block *block, sink *out)
{
    for (size_t i = 0; i < block->frags.count; i++)
        emit(out, block->frags.items[i], SLOT_PLAIN, false);
}

static void walk_globals(const swp_mma_block *block, sink *out)
{
    for (size_t i = 0; i < block->globals.count; i++)
        emit(out, block->globals.items[i].op, SLOT_PLAIN, block->globals.items[i].is_prefetch);
}

/* Both kinds of load, with an op between them where that is present. */
static void walk_loads(const swp_mma_block *block, bool global_before_frag, swp_op between,
                       sink *out)
{
    if (global_before_frag)
        walk_globals(block, out);
    else
        walk_frags(block, out);
    emit(out, between, SLOT_PLAIN, false);
    if (global_before_frag)
        walk_frags(block, out);
    else
        walk_globals(block, out);
}

static void walk_template_loads(const swp_mma_block *block, sink *out)
{
    walk_loads(block, block->global_before_frag,
               block->drain_lgkm_before_loads ? swp_op_wait_lgkm(0) : swp_op_none(), out);
}

static void walk_sync(const swp_mma_block *block, bool wrap_waits, bool post_barrier_sched,
                      sink *out)
{
    const bool fence = wrap_waits && (swp_op_present(&block->pre_sync) || block->pre_mma_barrier);
    emit_if(out, fence, swp_op_schedule_barrier());
    emit(out, block->pre_sync, SLOT_PLAIN, false);
    if (block->pre_mma_barrier) {
        emit(out, swp_op_barrier(), SLOT_PLAIN, false);
        emit_if(out, post_barrier_sched, swp_op_schedule_barrier());
        if (block->post_barrier_lgkm)
            emit(out, swp_op_wait_lgkm(0), SLOT_POST_BARRIER_LGKM, false);
    }
    emit_if(out, fence, swp_op_schedule_barrier());
}

static void walk_mma(const swp_mma_block *block, sink *out)
{
    emit_if(out, block->pre_mma_set_prio, swp_op_set_prio(1));
    emit(out, block->mma, SLOT_MMA, false);
    emit(out, block->fused_mma, SLOT_PLAIN, false);
    emit_if(out, block->post_mma_set_prio, swp_op_set_prio(0));
    emit_if(out, block->post_mma_barrier, swp_op_barrier());
    emit_if(out, block->post_mma_barrier && block->trailing_sched_barrier,
            swp_op_schedule_barrier());
}

static sink walk(const swp_mma_block *block, swp_entry_builder *entries)
{
    const bool wrap = block->wrap_waits_with_sched_barrier;
    sink out = {.entries = entries, .positions = {-1, -1, -1}};
    walk_entry_group(block, wrap, &out);
    if (!block->barrier_before_pre_ops)
        walk_template_loads(block, &out);
    walk_sync(block, wrap, block->post_barrier_sched, &out);
    if (block->barrier_before_pre_ops)
        walk_template_loads(block, &out);
    walk_mma(block, &out);
    return out;
}

swp_status swp_emit_minimal_barrier_block(swp_context *ctx, const swp_mma_block *block,
                                          bool wrap_waits, bool global_before_frag,
                                          swp_op_list *ops)
{
    SWP_REQUIRE(ctx, ctx && block && ops);
    const bool both = block->frags.count > 0 && block->globals.count > 0;
    sink out = {.ctx = ctx, .ops = ops, .positions = {-1, -1, -1}};
    walk_entry_group(block, wrap_waits, &out);
    walk_loads(block, global_before_frag, both ? swp_op_schedule_barrier() : swp_op_none(), &out);
    walk_sync(block, wrap_waits, false, &out);
    emit(&out, block->mma, SLOT_MMA, false);
    return out.status;
}

swp_status swp_mma_block_expand(const swp_mma_block *block, swp_entry_builder *out)
{
    SWP_REQUIRE(NULL, block && out);
    return walk(block, out).status;
}

int swp_mma_block_entry_count(const swp_mma_block *block)
{
    SWP_REQUIRE_OR(0, block);
    return walk(block, NULL).count;
}

int swp_mma_block_mma_position(const swp_mma_block *block)
{
    SWP_REQUIRE_OR(0, block);
    return walk(block, NULL).positions[SLOT_MMA];
}

int swp_mma_block_post_barrier_lgkm_position(const swp_mma_block *block)
{
    SWP_REQUIRE_OR(0, block);
    return walk(block, NULL).positions[SLOT_POST_BARRIER_LGKM];
}
