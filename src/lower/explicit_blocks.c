/* SPDX-License-Identifier: Apache-2.0 */
/* Counts every op of a block in the list that stands in for it. */
#include "lower/explicit_blocks.h"

#include "base/context.h"
#include "base/diag.h"
#include "ir/entry.h"

static bool same_op(const swp_op *a, const swp_op *b)
{
    return a->tag == b->tag && a->stage == b->stage && a->subtile == b->subtile &&
           a->channel == b->channel && a->k_offset == b->k_offset;
}

static int times_listed(const swp_op_list *ops, const swp_op *op)
{
    int times = 0;
    for (size_t i = 0; i < ops->count; i++)
        times += same_op(&ops->items[i], op);
    return times;
}

static int times_in_block(const swp_mma_block *block, const swp_op *op)
{
    int times = same_op(&block->mma, op);
    for (size_t i = 0; i < block->globals.count; i++)
        times += same_op(&block->globals.items[i].op, op);
    return times + times_listed(&block->frags, op);
}

static swp_status check_op(swp_context *ctx, const swp_mma_block *block, const swp_op_list *ops,
                           const swp_op *op, size_t index)
{
    const int listed = times_listed(ops, op);
    const int wanted = times_in_block(block, op);
    char buffer[SWP_OP_NAME_SIZE];
    if (listed == wanted)
        return SWP_OK;
    return swp_error(ctx, SWP_E0505, SWP_NOWHERE,
                     "build_explicit_blocks must emit every op of its block once",
                     "the explicit list of block %zu has %s (slot %d, subtile %d) %d times, but "
                     "the block holds it %d times",
                     index, swp_op_name(&ctx->op_namer, op->tag, buffer), op->stage, op->subtile,
                     listed, wanted);
}

static swp_status check_block(swp_context *ctx, const swp_mma_block *block, const swp_op_list *ops,
                              size_t index)
{
    SWP_TRY(check_op(ctx, block, ops, &block->mma, index));
    for (size_t i = 0; i < block->frags.count; i++)
        SWP_TRY(check_op(ctx, block, ops, &block->frags.items[i], index));
    for (size_t i = 0; i < block->globals.count; i++)
        SWP_TRY(check_op(ctx, block, ops, &block->globals.items[i].op, index));
    for (size_t i = 0; i < ops->count; i++)
        if (swp_ir_is_work(&ops->items[i]))
            SWP_TRY(check_op(ctx, block, ops, &ops->items[i], index));
    return SWP_OK;
}

swp_status swp_lower_check_explicit_blocks(swp_context *ctx, const swp_program *program)
{
    const swp_op_lists *lists = &program->explicit_blocks;
    if (lists->count == 0)
        return SWP_OK;
    if (lists->count != program->blocks.count)
        return swp_error(ctx, SWP_E0505, SWP_NOWHERE,
                         "give one list per block, or none; an empty list means the template",
                         "%zu explicit lists for %zu blocks", lists->count, program->blocks.count);
    for (size_t i = 0; i < lists->count; i++)
        if (lists->items[i].count > 0)
            SWP_TRY(check_block(ctx, &program->blocks.items[i], &lists->items[i], i));
    return SWP_OK;
}
