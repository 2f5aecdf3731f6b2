/* SPDX-License-Identifier: Apache-2.0 */
/* build_kernel_program: from a body to a finished program (docs/schedules.md, "The way of a body"). */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/check_body.h"
#include "lower/blocks.h"

enum { MASK_BITS = 64 };

static swp_status order_body(swp_context *ctx, const swp_loop_body *graph,
                             const swp_pipeline_config *config, const swp_schedule_config *sched,
                             swp_solution *solution)
{
    const swp_order_problem problem = {graph, config, sched};
    size_t count = 0;
    const swp_strategy_row *rows = swp_strategies(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].strategy == sched->scheduling)
            return rows[i].order(ctx, &problem, solution);
    return swp_error_about(ctx, SWP_E0201, "schedule.scheduling",
                           "use a strategy of swp_strategies()", "strategy %d does not exist",
                           (int)sched->scheduling);
}

static swp_status construct_in_order(swp_context *ctx, const swp_op *body, size_t count,
                                     const swp_order *order, const swp_pipeline_config *config,
                                     const swp_schedule_config *sched, swp_program *out)
{
    swp_op *ordered = NULL;
    SWP_TRY(SWP_TAKE(ctx, count, &ordered));
    for (size_t i = 0; i < count; i++)
        ordered[i] = body[order->items[i]];
    return swp_construct_mma_blocks(ctx, ordered, count, config, sched, out);
}

/* The derived wait values, in the places that construction left for them. */
static void patch_waits(swp_program *program, const swp_pipeline_config *config,
                        const swp_schedule_config *sched, swp_derived_waits waits)
{
    const size_t bph = (size_t)swp_blocks_per_partition(config);
    const swp_op first =
        swp_op_wait_lgkm(sched->barrier_before_pre_ops ? 0 : waits.wait_lgkm_first);
    for (size_t begin = 0; begin < program->blocks.count; begin += bph) {
        swp_mma_block *block = &program->blocks.items[begin];
        block->pre_sync = swp_op_none();
        swp_lower_block_set_lgkm_wait(block, sched, first, first);
        program->blocks.items[begin + bph - 1].pre_sync = swp_op_wait_vm(waits.wait_vm_last);
    }
}

/* By the rule itself and not by its mask, which ends at block 63. */
static void patch_drains(swp_program *program)
{
    for (size_t i = 0; i < program->blocks.count; i++) {
        swp_mma_block *block = &program->blocks.items[i];
        block->drain_lgkm_before_loads = swp_lower_block_reads_other_channel(block);
    }
}

/* A mask of a user's own says nothing of blocks beyond its bits. */
static swp_status warn_of_masks(swp_context *ctx, const swp_program *program,
                                const swp_schedule_config *sched)
{
    const swp_schedule_config standard = swp_schedule_config_default();
    const bool by_hand = sched->drain_lgkm_mask != standard.drain_lgkm_mask ||
                         sched->sched_barrier_mask != standard.sched_barrier_mask;
    if (program->blocks.count <= MASK_BITS || !by_hand)
        return SWP_OK;
    return swp_warn_about(ctx, SWP_W0202,
                          sched->drain_lgkm_mask != standard.drain_lgkm_mask
                              ? "schedule.drain_lgkm_mask"
                              : "schedule.sched_barrier_mask",
                          "use schedule.auto_drain, or fewer MMAs a half",
                          "drain and fence masks have %d bits, but the program has %zu blocks",
                          MASK_BITS, program->blocks.count);
}

/* Derives what auto_waits and auto_drain ask for; `sched` then says what is in use. */
static void derive(swp_program *program, const swp_pipeline_config *config,
                   swp_schedule_config *sched)
{
    if (!sched->auto_waits)
        return;
    const swp_derived_waits waits = swp_derive_waits_from_blocks(
        program, config, sched->lgkm_per_load_a, sched->lgkm_per_load_b);
    sched->wait_lgkm_first = waits.wait_lgkm_first;
    sched->wait_vm_last = waits.wait_vm_last;
    if (sched->auto_drain)
        patch_drains(program);
    patch_waits(program, config, sched, waits);
}

swp_status swp_build_kernel_program(swp_context *ctx, const swp_op *body, size_t count,
                                    const swp_pipeline_config *config,
                                    const swp_schedule_config *sched, const swp_edge_list *edges,
                                    swp_built_program *out)
{
    SWP_REQUIRE(ctx, ctx && (body || count == 0) && config && sched && out);
    swp_schedule_config in_use = *sched;
    swp_edge_list derived = {0};
    swp_loop_body graph = {0};
    *out = (swp_built_program){0};
    SWP_TRY(swp_pipeline_config_check(ctx, config));
    SWP_TRY(swp_schedule_config_check(ctx, sched));
    SWP_TRY(swp_ir_check_body(ctx, body, count, config));
    if (!edges) {
        SWP_TRY(swp_derive_edges_from_ops(ctx, body, count, config, &derived));
        edges = &derived;
    }
    SWP_TRY(swp_loop_body_init(ctx, body, count, edges, &graph));
    SWP_TRY(swp_loop_body_validate(ctx, &graph));
    SWP_TRY(order_body(ctx, &graph, config, sched, &out->solution));
    SWP_TRY(
        construct_in_order(ctx, body, count, &out->solution.order, config, sched, &out->program));
    SWP_TRY(swp_redistribute_globals(ctx, &out->program, config->block_sizing.max_globals,
                                     sched->drain_lgkm_mask));
    SWP_TRY(warn_of_masks(ctx, &out->program, sched));
    derive(&out->program, config, &in_use);
    out->waits = (swp_derived_waits){in_use.wait_lgkm_first, in_use.wait_vm_last};
    return swp_verify_schedule(ctx, &out->program, config, &in_use);
}
