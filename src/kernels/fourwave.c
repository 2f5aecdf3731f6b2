/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the 4-wave matmul with register rotation across stages (Pipeline4Wave;
 * docs/descriptions.md, "Built-ins").
 */
#include "swp/swp.h"

#include "base/require.h"
#include "kernels/builtin.h"

/* Each half has four groups: a load, the fragment that the next MMA still lacks, and an MMA. */
static void declare_half(swp_body *b, int half)
{
    const int other = 1 - half;
    const swp_k_offset k = half == 0 ? SWP_K0 : SWP_K1;
    swp_load(b, SWP_LOAD_A, .channel = 0, .stage = half, .subtile = 0, .k_offset = k);
    swp_frag(b, SWP_MMA_LOAD_B, .channel = 1, .stage = half, .subtile = 1);
    swp_compute(b, SWP_MMA, .stage = 0, .subtile = 0);
    swp_load(b, SWP_LOAD_B, .channel = 1, .stage = half, .subtile = 0, .k_offset = k);
    swp_frag(b, SWP_MMA_LOAD_A, .channel = 0, .stage = half, .subtile = 1);
    swp_compute(b, SWP_MMA, .stage = 0, .subtile = 1);
    swp_load(b, SWP_LOAD_B, .channel = 1, .stage = half, .subtile = 1, .k_offset = k);
    swp_frag(b, SWP_MMA_LOAD_A, .channel = 0, .stage = other, .subtile = 0);
    swp_compute(b, SWP_MMA, .stage = 1, .subtile = 0);
    swp_load(b, SWP_LOAD_A, .channel = 0, .stage = half, .subtile = 1, .k_offset = k);
    swp_frag(b, SWP_MMA_LOAD_B, .channel = 1, .stage = other, .subtile = 0);
    swp_compute(b, SWP_MMA, .stage = 1, .subtile = 1);
}

swp_status swp_pipeline_4wave_declare_ops(swp_context *ctx, swp_op_list *ops)
{
    SWP_REQUIRE(ctx, ctx && ops);
    swp_body *b = swp_body_new(ctx);
    if (!b)
        return SWP_OUT_OF_MEMORY;
    declare_half(b, 0);
    declare_half(b, 1);
    return swp_body_done(b, ops);
}

static swp_status build_body(const void *self, swp_context *ctx, swp_op_list *out)
{
    const swp_pipeline_4wave *kernel = self;
    const swp_status status = swp_pipeline_4wave_declare_ops(ctx, out);
    if (status == SWP_OK)
        swp_annotate_ops(out->items, out->count, &kernel->options.target.cost_model);
    return status;
}

static swp_status derive_edges(const void *self, swp_context *ctx, const swp_op_list *body,
                               swp_edge_list *out)
{
    const swp_pipeline_4wave *kernel = self;
    const swp_status status = swp_derive_edges_from_ops(ctx, body->items, body->count,
                                                        &kernel->options.target.pipeline, out);
    if (status != SWP_OK)
        return status;
    swp_filter_spurious_cross_stage_flow(body->items, body->count, out);
    return swp_derive_cross_stage_rotation_edges(ctx, body->items, body->count, out);
}

static swp_status build_explicit_blocks(const void *self, swp_context *ctx, const swp_op_list *body,
                                        const swp_program *program, swp_op_lists *out)
{
    (void)self;
    (void)body;
    for (size_t i = 0; i < program->blocks.count; i++) {
        const swp_mma_block *block = &program->blocks.items[i];
        swp_op_list ops = {0};
        swp_status status = swp_emit_minimal_barrier_block(
            ctx, block, block->wrap_waits_with_sched_barrier, false, &ops);
        if (status == SWP_OK)
            status = swp_op_lists_push(ctx, out, ops);
        if (status != SWP_OK)
            return status;
    }
    return SWP_OK;
}

/* The first pass loads row 0 and column 0 itself, since no half before it has. */
static swp_status bootstrap_frags(const void *self, swp_context *ctx, swp_op_list *out)
{
    const swp_pipeline_4wave *kernel = self;
    swp_body *b = swp_body_new(ctx);
    if (!b)
        return SWP_OUT_OF_MEMORY;
    swp_frag(b, SWP_MMA_LOAD_A, .channel = 0, .stage = 0, .subtile = 0);
    swp_frag(b, SWP_MMA_LOAD_B, .channel = 1, .stage = 0, .subtile = 0);
    const swp_status status = swp_body_done(b, out);
    if (status == SWP_OK)
        swp_annotate_ops(out->items, out->count, &kernel->options.target.cost_model);
    return status;
}

/* The rotation needs these, whatever the caller asks for: X(field, value, text of the value). */
#define INVARIANTS(X)                                                                              \
    X(scheduling, SWP_IDENTITY, "identity")                                                        \
    X(minimal_barriers, true, "true")                                                              \
    X(omit_mma_set_prio, true, "true")                                                             \
    X(inter_block_lgkm_drain, true, "true")                                                        \
    X(partial_prologue_drain, true, "true")

swp_schedule_config swp_pipeline_4wave_default_schedule_config(void)
{
    swp_schedule_config config = swp_schedule_config_default();
#define SET(field, value, text) config.field = value;
    INVARIANTS(SET)
#undef SET
    return config;
}

static swp_status warn(swp_context *ctx, const char *setting, const char *message)
{
    const swp_diag diag = {.severity = SWP_WARNING,
                           .code = "W0203",
                           .message = message,
                           .hint = "leave it at its default",
                           .subject = setting};
    return swp_context_report(ctx, &diag);
}

static swp_status force_invariants(swp_context *ctx, swp_schedule_config *config)
{
    swp_status status = SWP_OK;
#define FORCE(field, value, text)                                                                  \
    if (config->field != (value) && status == SWP_OK)                                              \
        status = warn(ctx, "schedule." #field, "fourwave sets schedule." #field " to " text);      \
    config->field = value;
    INVARIANTS(FORCE)
#undef FORCE
    return status;
}

static void set_pipeline(swp_pipeline_config *out)
{
    out->warp_stagger = swp_warp_stagger_none();
    out->cross_stage_rotation = true;
}

swp_status swp_pipeline_4wave_init(swp_context *ctx, swp_pipeline_4wave *kernel,
                                   const swp_kernel_geometry *geometry,
                                   const swp_schedule_config *schedule,
                                   const swp_target_profile *target)
{
    SWP_REQUIRE(ctx, ctx && kernel && geometry);
    kernel->options = (swp_kernel_options){
        .target = target ? *target : swp_mi355x_target(4, 4, 1),
        .schedule = schedule ? *schedule : swp_pipeline_4wave_default_schedule_config(),
        .machine = swp_machine_default()};
    set_pipeline(&kernel->options.target.pipeline);
    kernel->options.target.pipeline.lgkm_per_load_a = geometry->lgkm_per_load_a;
    kernel->options.target.pipeline.lgkm_per_load_b = geometry->lgkm_per_load_b;
    return force_invariants(ctx, &kernel->options.schedule);
}

swp_pipeline_schedule swp_pipeline_4wave_schedule(const swp_pipeline_4wave *kernel)
{
    SWP_REQUIRE_OR((swp_pipeline_schedule){0}, kernel);
    return (swp_pipeline_schedule){.self = kernel,
                                   .name = "fourwave",
                                   .target = "mi355x",
                                   .op_namer = {swp_kernels_double_buffer_op_name, NULL},
                                   .config = swp_kernels_config,
                                   .build_body = build_body,
                                   .derive_edges = derive_edges,
                                   .schedule_config = swp_kernels_schedule_config,
                                   .build_explicit_blocks = build_explicit_blocks,
                                   .bootstrap_frags = bootstrap_frags,
                                   .machine = swp_kernels_machine};
}

static void defaults(const swp_target *target, swp_settings *settings)
{
    settings->pipeline = target->double_buffer(4, 4, 1).pipeline;
    set_pipeline(&settings->pipeline);
    settings->schedule = swp_pipeline_4wave_default_schedule_config();
}

static swp_status define(swp_context *ctx, const swp_target *target, const swp_settings *settings,
                         swp_pipeline_schedule *out)
{
    swp_pipeline_4wave *kernel = swp_context_take(ctx, sizeof *kernel);
    if (!kernel)
        return SWP_OUT_OF_MEMORY;
    const swp_target_profile profile = target->double_buffer(4, 4, 1);
    kernel->options = swp_kernels_options_from(&profile, settings);
    *out = swp_pipeline_4wave_schedule(kernel);
    out->target = target->name;
    return force_invariants(ctx, &kernel->options.schedule);
}

const swp_builtin swp_kernels_fourwave_builtin = {
    .name = "fourwave",
    .meaning = "matmul of four waves, fragments a half ahead",
    .depth = 2,
    .layout = swp_wave_layout_four_wave,
    .default_geometry = true,
    .defaults = defaults,
    .define = define};
