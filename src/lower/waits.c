/* SPDX-License-Identifier: Apache-2.0 */
/* Waits and drains that follow from the blocks' loads (docs/schedules.md, "Derived waits"). */
#include "base/context.h"
#include "base/require.h"
#include "lower/blocks.h"
#include "swp/reference.h"

static int lgkm_of(const swp_pipeline_config *config, const swp_op *op, int lgkm_a, int lgkm_b)
{
    const int own = swp_lgkm_per_channel(config, op->channel);
    if (own != 0)
        return own;
    return op->channel == 0 ? lgkm_a : lgkm_b;
}

static int lgkm_of_first_block(const swp_mma_block *block, const swp_pipeline_config *config,
                               int lgkm_a, int lgkm_b)
{
    int sum = 0;
    for (size_t i = 0; i < block->globals.count; i++)
        sum += lgkm_of(config, &block->globals.items[i].op, lgkm_a, lgkm_b);
    return sum;
}

/* vmcnt accesses of a block's loads to its half's own slot: all less those to other slots. */
static int vm_of_own_stage(const swp_mma_block *block, const swp_pipeline_config *config, int half)
{
    int sum = 0;
    for (size_t i = 0; i < block->globals.count; i++)
        if (block->globals.items[i].op.stage == half)
            sum += swp_vm_per_channel(config, block->globals.items[i].op.channel);
    return sum;
}

swp_derived_waits swp_derive_waits_from_blocks(const swp_program *program,
                                               const swp_pipeline_config *config, int lgkm_a,
                                               int lgkm_b)
{
    SWP_REQUIRE_OR((swp_derived_waits){0}, program && config);
    const size_t bph = (size_t)swp_blocks_per_partition(config);
    swp_derived_waits waits = {0, 0};
    for (size_t begin = 0; begin < program->blocks.count; begin += bph) {
        const int half = (int)(begin / bph);
        const int lgkm = lgkm_of_first_block(&program->blocks.items[begin], config, lgkm_a, lgkm_b);
        int vm = 0;
        for (size_t i = begin; i < begin + bph && i < program->blocks.count; i++)
            vm += vm_of_own_stage(&program->blocks.items[i], config, half);
        if (lgkm > waits.wait_lgkm_first)
            waits.wait_lgkm_first = lgkm;
        if (half == 0 || vm < waits.wait_vm_last)
            waits.wait_vm_last = vm;
    }
    return waits;
}

int swp_derive_safe_max_globals(int num_k_mmas)
{
    return num_k_mmas >= 2 ? 1 : 0;
}

bool swp_lower_block_reads_other_channel(const swp_mma_block *block)
{
    if (block->globals.count == 0)
        return false;
    for (size_t i = 0; i < block->frags.count; i++)
        if (block->frags.items[i].channel != block->globals.items[0].op.channel)
            return true;
    return false;
}

uint64_t swp_derive_drain_mask(const swp_program *program)
{
    SWP_REQUIRE_OR(0, program);
    uint64_t mask = 0;
    for (size_t i = 0; i < program->blocks.count && i < 64; i++)
        if (swp_lower_block_reads_other_channel(&program->blocks.items[i]))
            mask |= UINT64_C(1) << i;
    return mask;
}
