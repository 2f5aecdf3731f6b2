/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a schedule definition of the body in a description: its ops, edges, reorder, bootstrap and blocks. */
#include "describe/body_kernel.h"

#include "swp/graph.h"

typedef struct body_kernel {
    const swp_own_body *body;
    swp_settings settings;
} body_kernel;

static const char *name_op(const void *user, int tag)
{
    const swp_own_body *body = user;
    return tag >= 0 && tag < SWP_KERNEL_TAGS ? body->names[tag] : NULL;
}

static swp_status give_config(const void *self, swp_context *ctx, swp_pipeline_config *out)
{
    (void)ctx;
    *out = ((const body_kernel *)self)->settings.pipeline;
    return SWP_OK;
}

static swp_status give_schedule_config(const void *self, swp_context *ctx, swp_schedule_config *out)
{
    (void)ctx;
    *out = ((const body_kernel *)self)->settings.schedule;
    return SWP_OK;
}

static swp_status give_machine(const void *self, swp_context *ctx, swp_machine *out)
{
    (void)ctx;
    *out = ((const body_kernel *)self)->settings.machine;
    return SWP_OK;
}

static swp_status copy_ops(swp_context *ctx, const swp_op_list *from, swp_op_list *to)
{
    for (size_t i = 0; i < from->count; i++)
        SWP_TRY(SWP_PUSH(ctx, to, from->items[i]));
    return SWP_OK;
}

static swp_status build_body(const void *self, swp_context *ctx, swp_op_list *out)
{
    const body_kernel *kernel = self;
    const swp_op_list *ops = &kernel->body->ops;
    const swp_pipeline_config *config = &kernel->settings.pipeline;
    swp_op_list reordered = {0};
    switch (kernel->body->reorder) {
    case SWP_REORDER_SINGLE_BUFFER:
        SWP_TRY(swp_single_buffer_reorder(ctx, ops->items, ops->count, config, &reordered));
        return swp_optimize_within_barriers(ctx, reordered.items, reordered.count, config, out);
    case SWP_REORDER_DOUBLE_BUFFER:
        return swp_double_buffer_reorder(ctx, ops->items, ops->count, config, out);
    case SWP_REORDER_NONE:
        break;
    }
    return copy_ops(ctx, ops, out);
}

static swp_status copy_edges(const void *self, swp_context *ctx, const swp_op_list *body,
                             swp_edge_list *out)
{
    (void)body;
    const swp_edge_list *edges = &((const body_kernel *)self)->body->edges;
    for (size_t i = 0; i < edges->count; i++)
        SWP_TRY(SWP_PUSH(ctx, out, edges->items[i]));
    return SWP_OK;
}

/* The edges of the 4-wave kernel (docs/descriptions.md, "edges"). */
static swp_status derive_rotation(const void *self, swp_context *ctx, const swp_op_list *body,
                                  swp_edge_list *out)
{
    const swp_pipeline_config *config = &((const body_kernel *)self)->settings.pipeline;
    SWP_TRY(swp_derive_edges_from_ops(ctx, body->items, body->count, config, out));
    swp_filter_spurious_cross_stage_flow(body->items, body->count, out);
    return swp_derive_cross_stage_rotation_edges(ctx, body->items, body->count, out);
}

static swp_status give_bootstrap(const void *self, swp_context *ctx, swp_op_list *out)
{
    return copy_ops(ctx, &((const body_kernel *)self)->body->bootstrap, out);
}

static swp_status build_minimal_blocks(const void *self, swp_context *ctx, const swp_op_list *body,
                                       const swp_program *program, swp_op_lists *out)
{
    (void)self;
    (void)body;
    for (size_t i = 0; i < program->blocks.count; i++) {
        const swp_mma_block *block = &program->blocks.items[i];
        swp_op_list ops = {0};
        SWP_TRY(swp_emit_minimal_barrier_block(ctx, block, block->wrap_waits_with_sched_barrier,
                                               false, &ops));
        SWP_TRY(SWP_PUSH(ctx, out, ops));
    }
    return SWP_OK;
}

swp_status swp_describe_body_kernel_define(swp_context *ctx, const swp_description *description,
                                           const swp_settings *settings, swp_pipeline_schedule *out)
{
    body_kernel *kernel = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &kernel));
    kernel->body = &description->body;
    kernel->settings = *settings;
    *out = (swp_pipeline_schedule){
        .self = kernel,
        .op_namer = {name_op, kernel->body},
        .config = give_config,
        .build_body = build_body,
        .schedule_config = give_schedule_config,
        .bootstrap_frags = give_bootstrap,
        .machine = give_machine,
    };
    if (kernel->body->own_edges)
        out->derive_edges = copy_edges;
    else if (settings->pipeline.depth > 1 && settings->pipeline.cross_stage_rotation)
        out->derive_edges = derive_rotation;
    if (kernel->body->blocks == SWP_BLOCKS_MINIMAL)
        out->build_explicit_blocks = build_minimal_blocks;
    return SWP_OK;
}
