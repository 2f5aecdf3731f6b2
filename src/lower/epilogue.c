/* SPDX-License-Identifier: Apache-2.0 */
/* The epilogue of a double buffer: a pass that starts no later one (docs/schedules.md, "Epilogue"). */
#include "base/context.h"
#include "base/require.h"
#include "swp/phase.h"

static bool has_prefetch(const swp_mma_block *block)
{
    for (size_t i = 0; i < block->globals.count; i++)
        if (block->globals.items[i].is_prefetch)
            return true;
    return false;
}

/* What the epilogue keeps of a block. */
static swp_status drained(swp_context *ctx, const swp_mma_block *block, bool draining,
                          swp_mma_block *out)
{
    *out = swp_mma_block_new(block->mma);
    out->frags = block->frags;
    for (size_t i = 0; i < block->globals.count; i++)
        if (!block->globals.items[i].is_prefetch)
            SWP_TRY(SWP_PUSH(ctx, &out->globals, block->globals.items[i]));
    out->pre_mma_barrier = block->pre_mma_barrier;
    out->pre_mma_set_prio = block->pre_mma_set_prio;
    out->post_mma_barrier = block->post_mma_barrier;
    out->post_mma_set_prio = block->post_mma_set_prio;
    out->post_barrier_lgkm = block->post_barrier_lgkm;
    out->entry_wait_lgkm = swp_op_wait_lgkm(0);
    if (draining)
        out->pre_sync = swp_op_wait_vm(0);
    return SWP_OK;
}

static bool only_computes(const swp_mma_block *block)
{
    return block->frags.count == 0 && block->globals.count == 0;
}

static swp_status drain_half(swp_context *ctx, const swp_mma_block *blocks, size_t count,
                             swp_mma_block_list *out)
{
    const size_t begin = out->count;
    bool draining = false;
    for (size_t i = 0; i < count; i++) {
        swp_mma_block block;
        draining = draining || has_prefetch(&blocks[i]);
        SWP_TRY(drained(ctx, &blocks[i], draining, &block));
        swp_mma_block *before = out->count > begin ? &out->items[out->count - 1] : NULL;
        if (before && only_computes(&block) && !swp_op_present(&before->fused_mma))
            before->fused_mma = block.mma;
        else
            SWP_TRY(SWP_PUSH(ctx, out, block));
    }
    return SWP_OK;
}

swp_status swp_derive_epilogue_from_program(swp_context *ctx, const swp_program *program,
                                            const swp_pipeline_config *config,
                                            swp_entry_list *epilogue)
{
    SWP_REQUIRE(ctx, ctx && program && config && epilogue);
    const size_t bph = (size_t)swp_blocks_per_partition(config);
    swp_program drained_program = {.trailing_barrier = true};
    for (size_t begin = 0; begin + bph <= program->blocks.count; begin += bph)
        SWP_TRY(drain_half(ctx, program->blocks.items + begin, bph, &drained_program.blocks));
    if (drained_program.blocks.count > 0)
        drained_program.blocks.items[drained_program.blocks.count - 1].pre_sync = swp_op_none();
    return swp_program_expand_to_list(ctx, &drained_program, SWP_EPILOGUE, epilogue);
}
