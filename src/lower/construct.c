/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks from an ordered body, with their waits and flags (docs/schedules.md, "Blocks"). */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "lower/blocks.h"

/* Bit of a mask by block; blocks beyond 63 have none. */
static bool mask_bit(uint64_t mask, size_t bit)
{
    return bit < 64 && (mask >> bit & 1) != 0;
}

bool swp_lower_block_drains(const swp_mma_block *block, uint64_t drain_lgkm_mask, size_t index)
{
    return mask_bit(drain_lgkm_mask, index) && block->frags.count > 0 && block->globals.count > 0;
}

static swp_status report_unfit(swp_context *ctx, const swp_op *op, size_t position)
{
    char buffer[SWP_OP_NAME_SIZE];
    return swp_error(ctx, SWP_E0501, SWP_NOWHERE,
                     "a double-buffered body holds fragment loads, global loads and COMPUTE ops",
                     "op %zu in the order (%s) of kind %s fits in no block", position,
                     swp_op_name(&ctx->op_namer, op->tag, buffer), swp_role_name(op->role));
}

static swp_status add_op(swp_context *ctx, swp_mma_block *block, const swp_op *op, size_t position)
{
    if (op->role == SWP_FRAGMENT_LOAD)
        return SWP_PUSH(ctx, &block->frags, *op);
    if (op->role != SWP_GLOBAL_LOAD)
        return report_unfit(ctx, op, position);
    const swp_block_load load = {*op, swp_op_is_prefetch(op)};
    return SWP_PUSH(ctx, &block->globals, load);
}

/* Each block takes ops up to and with a COMPUTE. */
static swp_status split(swp_context *ctx, const swp_op *ordered, size_t count, swp_program *out)
{
    swp_mma_block block = swp_mma_block_new(swp_op_none());
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
        if (ordered[i].role != SWP_COMPUTE) {
            SWP_TRY(add_op(ctx, &block, &ordered[i], i));
            continue;
        }
        block.mma = ordered[i];
        SWP_TRY(SWP_PUSH(ctx, &out->blocks, block));
        block = swp_mma_block_new(swp_op_none());
        begin = i + 1;
    }
    if (begin == count)
        return SWP_OK;
    char buffer[SWP_OP_NAME_SIZE];
    return swp_error(ctx, SWP_E0501, SWP_NOWHERE, "move it before a COMPUTE",
                     "%zu ops stand after the last COMPUTE, the first of them op %zu in the order "
                     "(%s)",
                     count - begin, begin, swp_op_name(&ctx->op_namer, ordered[begin].tag, buffer));
}

static swp_status check_block_count(swp_context *ctx, const swp_program *program,
                                    const swp_pipeline_config *config)
{
    const int expected = swp_total_blocks(config);
    if ((int)program->blocks.count == expected)
        return SWP_OK;
    return swp_error(
        ctx, SWP_E0502, SWP_NOWHERE, "make pipeline.m_mmas x n_mmas the COMPUTE ops of a half",
        "the body has %zu COMPUTE ops, but %d partitions of %d x %d need %d", program->blocks.count,
        config->num_partitions, config->m_mmas, config->n_mmas, expected);
}

/* A block's place in its half, and what the half holds around it. */
typedef struct block_place {
    size_t index;
    int position;
    bool first;
    bool last;
    bool first_cross; /* reads the other half's slot, as no earlier block of the half does */
    bool top_drain;   /* the half's first block, with such a read in the half */
} block_place;

static bool has_cross(const swp_mma_block *block, int half)
{
    for (size_t i = 0; i < block->frags.count; i++)
        if (block->frags.items[i].stage != half)
            return true;
    return false;
}

static block_place place_of(const swp_program *program, const swp_pipeline_config *config,
                            size_t index)
{
    const int bph = swp_blocks_per_partition(config);
    const int half = (int)index / bph;
    const size_t begin = (size_t)half * (size_t)bph;
    bool cross_before = false;
    bool cross_in_half = false;
    for (size_t i = begin; i < begin + (size_t)bph; i++) {
        const bool cross = has_cross(&program->blocks.items[i], half);
        cross_in_half = cross_in_half || cross;
        cross_before = cross_before || (i < index && cross);
    }
    const int position = (int)index % bph;
    return (block_place){.index = index,
                         .position = position,
                         .first = position == 0,
                         .last = position == bph - 1,
                         .first_cross =
                             has_cross(&program->blocks.items[index], half) && !cross_before,
                         .top_drain = position == 0 && cross_in_half};
}

/* vmcnt accesses that may stay in flight when a half reads the other half's slot. */
static int main_wait(const swp_program *program, const swp_pipeline_config *config)
{
    int total = 0;
    for (size_t i = 0; i < program->blocks.count; i++) {
        const swp_block_load_list *loads = &program->blocks.items[i].globals;
        for (size_t j = 0; j < loads->count; j++)
            if (loads->items[j].is_prefetch)
                total += swp_vm_per_channel(config, loads->items[j].op.channel);
    }
    return total - total / config->num_partitions;
}

void swp_lower_block_set_lgkm_wait(swp_mma_block *block, const swp_schedule_config *sched,
                                   swp_op merged, swp_op alone)
{
    if (swp_op_present(&block->entry_wait) && sched->minimal_barriers)
        block->entry_wait_lgkm = merged;
    else
        block->pre_sync = alone;
}

static void set_waits(swp_mma_block *block, const block_place *place,
                      const swp_schedule_config *sched, int vm_wait)
{
    if (place->first_cross || place->top_drain)
        block->entry_wait = swp_op_wait_vm(vm_wait);
    if (place->first && sched->wait_lgkm_first < SWP_NO_WAIT_LGKM_FIRST) {
        swp_lower_block_set_lgkm_wait(block, sched, swp_op_wait_lgkm(0),
                                      swp_op_wait_lgkm(sched->wait_lgkm_first));
    } else if (place->first_cross) {
        swp_lower_block_set_lgkm_wait(block, sched, swp_op_wait_lgkm(0), swp_op_wait_lgkm(0));
    } else if (place->last) {
        block->pre_sync = swp_op_wait_vm(sched->wait_vm_last);
        block->post_barrier_lgkm = sched->lgkm_after_last;
    } else if (sched->inter_block_lgkm_drain) {
        block->entry_wait_lgkm = swp_op_wait_lgkm(0);
    }
}

static void set_flags(swp_mma_block *block, const block_place *place,
                      const swp_schedule_config *sched)
{
    block->trailing_sched_barrier = mask_bit(sched->sched_barrier_mask, place->index);
    block->drain_lgkm_before_loads =
        swp_lower_block_drains(block, sched->drain_lgkm_mask, place->index);
    block->global_before_frag = sched->global_before_frag;
    block->barrier_before_pre_ops = sched->barrier_before_pre_ops;
    block->wrap_waits_with_sched_barrier = sched->wrap_waits_with_sched_barrier;
    if (!sched->minimal_barriers)
        return;
    block->pre_mma_barrier = false;
    block->post_mma_barrier = false;
    block->post_mma_set_prio = false;
    block->post_barrier_lgkm = false;
    block->pre_mma_set_prio = (place->first || place->first_cross) && !sched->omit_mma_set_prio;
}

swp_status swp_construct_mma_blocks(swp_context *ctx, const swp_op *ordered, size_t count,
                                    const swp_pipeline_config *config,
                                    const swp_schedule_config *sched, swp_program *out)
{
    SWP_REQUIRE(ctx, ctx && (ordered || count == 0) && config && sched && out);
    *out = (swp_program){0};
    SWP_TRY(split(ctx, ordered, count, out));
    SWP_TRY(check_block_count(ctx, out, config));
    const int vm_wait = main_wait(out, config);
    for (size_t i = 0; i < out->blocks.count; i++) {
        const block_place place = place_of(out, config, i);
        set_waits(&out->blocks.items[i], &place, sched, vm_wait);
        set_flags(&out->blocks.items[i], &place, sched);
    }
    return SWP_OK;
}
