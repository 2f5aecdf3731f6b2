/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_schedule: the structural checks (docs/schedules.md, "What is checked"). They look at the
 * shape of a program, not at what it computes.
 */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "lower/blocks.h"

typedef struct checker {
    swp_context *ctx;
    const swp_program *program;
    const swp_pipeline_config *config;
    const swp_schedule_config *sched;
    int bph;
} checker;

static const swp_mma_block *block_at(const checker *c, int half, int position)
{
    return &c->program->blocks.items[half * c->bph + position];
}

static const char *load_name(const checker *c, const swp_op *op, char buffer[SWP_OP_NAME_SIZE])
{
    return swp_op_name(&c->ctx->op_namer, op->tag, buffer);
}

static swp_status check_blocks(const checker *c)
{
    const int expected = swp_total_blocks(c->config);
    if ((int)c->program->blocks.count != expected)
        return swp_error(c->ctx, SWP_E0504, SWP_NOWHERE, "",
                         "%zu blocks, but the configuration "
                         "has %d",
                         c->program->blocks.count, expected);
    for (int i = 0; i < expected; i++)
        if (c->program->blocks.items[i].mma.role != SWP_COMPUTE)
            return swp_error(c->ctx, SWP_E0504, SWP_NOWHERE, "",
                             "block %d has no COMPUTE op but one of kind %s", i,
                             swp_role_name(c->program->blocks.items[i].mma.role));
    return SWP_OK;
}

static swp_status check_derived_waits(const checker *c)
{
    if (!c->sched->auto_waits)
        return SWP_OK;
    const swp_derived_waits most = swp_derive_waits_from_blocks(
        c->program, c->config, c->sched->lgkm_per_load_a, c->sched->lgkm_per_load_b);
    if (c->sched->wait_lgkm_first < 0 || c->sched->wait_vm_last < 0)
        return swp_error(c->ctx, SWP_E0504, SWP_NOWHERE, "",
                         "derived waits %d (lgkm) and %d (vm) "
                         "must be 0 or more",
                         c->sched->wait_lgkm_first, c->sched->wait_vm_last);
    if (most.wait_lgkm_first > 0 && c->sched->wait_lgkm_first > most.wait_lgkm_first)
        return swp_error(c->ctx, SWP_E0504, SWP_NOWHERE, "",
                         "derived wait_lgkm_first %d is more than the %d accesses of a half's "
                         "first block",
                         c->sched->wait_lgkm_first, most.wait_lgkm_first);
    return SWP_OK;
}

static swp_status check_max_globals(const checker *c)
{
    const size_t most = (size_t)c->config->block_sizing.max_globals;
    size_t loads = 0;
    for (size_t i = 0; i < c->program->blocks.count; i++)
        loads += c->program->blocks.items[i].globals.count;
    if (most == 0 || loads < most * c->program->blocks.count)
        return SWP_OK;
    for (size_t i = 0; i < c->program->blocks.count; i++)
        if (c->program->blocks.items[i].globals.count != most)
            return swp_error(c->ctx, SWP_E0504, SWP_NOWHERE, "",
                             "block %zu has %zu global loads, but max_globals is %zu", i,
                             c->program->blocks.items[i].globals.count, most);
    return SWP_OK;
}

static swp_status check_prefetch(const checker *c)
{
    for (size_t i = 0; i < c->program->blocks.count; i++)
        for (size_t j = 0; j < c->program->blocks.items[i].globals.count; j++)
            if (c->program->blocks.items[i].globals.items[j].is_prefetch)
                return SWP_OK;
    return swp_error(c->ctx, SWP_E0504, SWP_NOWHERE,
                     "give the loads of the next tiles k_offset k0 or k1",
                     "no global load of the body is a prefetch: all have k_offset k_prev or none");
}

static swp_status check_frag_stage(const checker *c, int half, int position)
{
    const swp_mma_block *block = block_at(c, half, position);
    char buffer[SWP_OP_NAME_SIZE];
    for (size_t i = 0; i < block->frags.count; i++)
        if (block->frags.items[i].stage != half)
            return swp_error_about(c->ctx, SWP_E0504, "pipeline.cross_stage_rotation",
                                   "read the half's own slot, or set pipeline.cross_stage_rotation",
                                   "%s of half %d, block %d, reads slot %d",
                                   load_name(c, &block->frags.items[i], buffer), half, position,
                                   block->frags.items[i].stage);
    return SWP_OK;
}

static bool fills_other_stage(const checker *c, int half)
{
    for (int p = 0; p < c->bph; p++) {
        const swp_mma_block *block = block_at(c, half, p);
        for (size_t i = 0; i < block->globals.count; i++)
            if (block->globals.items[i].op.stage != half)
                return true;
    }
    return false;
}

static swp_status check_stages(const checker *c)
{
    if (c->config->depth != 2 || c->config->cross_stage_rotation)
        return SWP_OK;
    for (int half = 0; half < c->config->num_partitions; half++) {
        for (int p = 0; p < c->bph; p++)
            SWP_TRY(check_frag_stage(c, half, p));
        if (!fills_other_stage(c, half))
            return swp_error(c->ctx, SWP_E0504, SWP_NOWHERE,
                             "a half's loads must fill the slot that the other half reads",
                             "half %d has no load to a slot other than its own", half);
    }
    return SWP_OK;
}

static bool reads_stage(const swp_mma_block *block, int stage)
{
    for (size_t i = 0; i < block->frags.count; i++)
        if (block->frags.items[i].stage == stage)
            return true;
    return false;
}

/* A lagging group may still read the slot that this load overwrites. */
static swp_status check_stagger_at(const checker *c, int half, int position)
{
    const swp_mma_block *block = block_at(c, half, position);
    char buffer[SWP_OP_NAME_SIZE];
    if (!reads_stage(block_at(c, half, position + 1), half))
        return SWP_OK;
    for (size_t i = 0; i < block->globals.count; i++)
        if (block->globals.items[i].op.stage == half)
            return swp_error_about(
                c->ctx, SWP_E0504, "pipeline.max_globals",
                "set pipeline.max_globals to 1, or schedule.scheduling to csp",
                "%s in half %d, block %d, loads slot %d, which block %d reads while "
                "the warp groups are staggered",
                load_name(c, &block->globals.items[i].op, buffer), half, position, half,
                position + 1);
    return SWP_OK;
}

static swp_status check_stagger(const checker *c)
{
    if (c->config->warp_stagger.rule == SWP_STAGGER_NONE || c->config->depth != 2 ||
        c->config->block_sizing.max_globals != 0)
        return SWP_OK;
    for (int half = 0; half < c->config->num_partitions; half++)
        for (int p = 1; p + 1 < c->bph; p++)
            SWP_TRY(check_stagger_at(c, half, p));
    return SWP_OK;
}

swp_status swp_verify_schedule(swp_context *ctx, const swp_program *program,
                               const swp_pipeline_config *config, const swp_schedule_config *sched)
{
    SWP_REQUIRE(ctx, ctx && program && config && sched);
    const checker c = {ctx, program, config, sched, swp_blocks_per_partition(config)};
    SWP_TRY(check_blocks(&c));
    SWP_TRY(check_derived_waits(&c));
    SWP_TRY(check_max_globals(&c));
    SWP_TRY(check_stages(&c));
    SWP_TRY(check_prefetch(&c));
    return check_stagger(&c);
}
