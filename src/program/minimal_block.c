/* SPDX-License-Identifier: Apache-2.0 */
/* emit_minimal_barrier_block (page 1, section 5). */
#include "base/context.h"
#include "swp/program.h"

static swp_status push_if(swp_context *ctx, swp_op_list *ops, bool wanted, swp_op op)
{
    return wanted && swp_op_present(&op) ? SWP_PUSH(ctx, ops, op) : SWP_OK;
}

static swp_status push_frags(swp_context *ctx, const swp_mma_block *block, swp_op_list *ops)
{
    for (size_t i = 0; i < block->frags.count; i++)
        SWP_TRY(SWP_PUSH(ctx, ops, block->frags.items[i]));
    return SWP_OK;
}

static swp_status push_globals(swp_context *ctx, const swp_mma_block *block, swp_op_list *ops)
{
    for (size_t i = 0; i < block->globals.count; i++)
        SWP_TRY(SWP_PUSH(ctx, ops, block->globals.items[i].op));
    return SWP_OK;
}

static swp_status push_entry_group(swp_context *ctx, const swp_mma_block *block, bool wrap_waits,
                                   swp_op_list *ops)
{
    const bool waits = swp_op_present(&block->entry_wait);
    const bool fence = wrap_waits && (waits || swp_op_present(&block->entry_wait_lgkm));
    SWP_TRY(push_if(ctx, ops, fence, swp_op_schedule_barrier()));
    SWP_TRY(push_if(ctx, ops, waits, block->entry_wait));
    SWP_TRY(push_if(ctx, ops, true, block->entry_wait_lgkm));
    SWP_TRY(push_if(ctx, ops, waits, swp_op_barrier()));
    return push_if(ctx, ops, fence, swp_op_schedule_barrier());
}

static swp_status push_loads(swp_context *ctx, const swp_mma_block *block, bool global_before_frag,
                             swp_op_list *ops)
{
    const bool both = block->frags.count > 0 && block->globals.count > 0;
    SWP_TRY(global_before_frag ? push_globals(ctx, block, ops) : push_frags(ctx, block, ops));
    SWP_TRY(push_if(ctx, ops, both, swp_op_schedule_barrier()));
    return global_before_frag ? push_frags(ctx, block, ops) : push_globals(ctx, block, ops);
}

static swp_status push_sync_group(swp_context *ctx, const swp_mma_block *block, bool wrap_waits,
                                  swp_op_list *ops)
{
    const bool fence = wrap_waits && (swp_op_present(&block->pre_sync) || block->pre_mma_barrier);
    SWP_TRY(push_if(ctx, ops, fence, swp_op_schedule_barrier()));
    SWP_TRY(push_if(ctx, ops, true, block->pre_sync));
    SWP_TRY(push_if(ctx, ops, block->pre_mma_barrier, swp_op_barrier()));
    SWP_TRY(
        push_if(ctx, ops, block->pre_mma_barrier && block->post_barrier_lgkm, swp_op_wait_lgkm(0)));
    return push_if(ctx, ops, fence, swp_op_schedule_barrier());
}

swp_status swp_emit_minimal_barrier_block(swp_context *ctx, const swp_mma_block *block,
                                          bool wrap_waits, bool global_before_frag,
                                          swp_op_list *ops)
{
    SWP_TRY(push_entry_group(ctx, block, wrap_waits, ops));
    SWP_TRY(push_loads(ctx, block, global_before_frag, ops));
    SWP_TRY(push_sync_group(ctx, block, wrap_waits, ops));
    return SWP_PUSH(ctx, ops, block->mma);
}
