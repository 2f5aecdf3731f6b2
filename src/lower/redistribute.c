/* SPDX-License-Identifier: Apache-2.0 */
/* Evening out the global loads of blocks (docs/schedules.md, "Redistribution"). */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "lower/blocks.h"

static swp_status give_up(swp_context *ctx, swp_mma_block *block, size_t most,
                          swp_block_load_list *queue)
{
    while (block->globals.count > most)
        SWP_TRY(SWP_PUSH(ctx, queue, block->globals.items[--block->globals.count]));
    return SWP_OK;
}

swp_status swp_redistribute_globals(swp_context *ctx, swp_program *program, int max_globals,
                                    uint64_t drain_lgkm_mask)
{
    SWP_REQUIRE(ctx, ctx && program);
    if (max_globals <= 0)
        return SWP_OK;
    const size_t most = (size_t)max_globals;
    swp_block_load_list queue = {0};
    size_t next = 0;
    for (size_t i = 0; i < program->blocks.count; i++)
        SWP_TRY(give_up(ctx, &program->blocks.items[i], most, &queue));
    for (size_t i = 0; i < program->blocks.count; i++) {
        swp_mma_block *block = &program->blocks.items[i];
        if (block->globals.count >= most || next == queue.count)
            continue;
        while (block->globals.count < most && next < queue.count)
            SWP_TRY(SWP_PUSH(ctx, &block->globals, queue.items[next++]));
        block->drain_lgkm_before_loads = swp_lower_block_drains(block, drain_lgkm_mask, i);
    }
    if (next == queue.count)
        return SWP_OK;
    char buffer[SWP_OP_NAME_SIZE];
    return swp_error(ctx, SWP_E0503, SWP_NOWHERE, "raise pipeline.max_globals, or set it to 0",
                     "%zu global loads find no block: %zu blocks hold max_globals = %d each; the "
                     "first left over is %s",
                     queue.count - next, program->blocks.count, max_globals,
                     swp_op_name(&ctx->op_namer, queue.items[next].op.tag, buffer));
}
