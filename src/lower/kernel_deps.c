/* SPDX-License-Identifier: Apache-2.0 */
/* Dependences between kernel entries of a double buffer (docs/schedules.md, "Kernel"). */
#include "base/context.h"
#include "base/require.h"
#include "swp/phase.h"

/* The first entry of [begin, end) that is of a kind, or of a tag where that is not NONE; else -1. */
static int first_of(const swp_entry_list *kernel, int begin, int end, swp_role role, int tag)
{
    for (int i = begin; i < end; i++)
        if (kernel->items[i].op.role == role &&
            (tag == SWP_TAG_NONE || kernel->items[i].op.tag == tag))
            return i;
    return -1;
}

static swp_status push_flow(swp_context *ctx, swp_edge_list *deps, int producer, int consumer)
{
    const swp_edge edge = {producer, consumer, SWP_FLOW, 0};
    return producer >= 0 && consumer >= 0 ? SWP_PUSH(ctx, deps, edge) : SWP_OK;
}

static swp_status half_deps(swp_context *ctx, const swp_entry_list *kernel, int begin, int end,
                            swp_edge_list *deps)
{
    const int mma0 = first_of(kernel, begin, end, SWP_COMPUTE, SWP_TAG_NONE);
    if (mma0 < 0)
        return SWP_OK;
    SWP_TRY(push_flow(ctx, deps, first_of(kernel, begin, mma0, SWP_SYNC, SWP_TAG_NONE), mma0));
    SWP_TRY(push_flow(ctx, deps, first_of(kernel, begin, mma0, SWP_SYNC, SWP_TAG_WAIT_LGKM), mma0));
    const int mma1 = first_of(kernel, mma0 + 1, end, SWP_COMPUTE, SWP_TAG_NONE);
    if (mma1 < 0)
        return SWP_OK;
    const int mma2 = first_of(kernel, mma1 + 1, end, SWP_COMPUTE, SWP_TAG_NONE);
    if (mma2 < 0)
        return SWP_OK;
    SWP_TRY(push_flow(ctx, deps, mma0, mma1));
    return push_flow(ctx, deps, mma1, mma2);
}

swp_status swp_derive_kernel_deps(swp_context *ctx, const swp_program *program,
                                  const swp_pipeline_config *config, const swp_entry_list *kernel,
                                  swp_edge_list *deps)
{
    SWP_REQUIRE(ctx, ctx && program && config && kernel && deps);
    const size_t bph = (size_t)swp_blocks_per_partition(config);
    for (size_t begin = 0; begin + bph <= program->blocks.count; begin += bph)
        SWP_TRY(half_deps(ctx, kernel, swp_program_block_start(program, begin),
                          swp_program_block_start(program, begin + bph), deps));
    return SWP_OK;
}
