/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the ping-pong matmul: one of two warp groups computes while the other loads
 * (docs/descriptions.md, "Built-ins").
 */
#include "swp/swp.h"

#include "base/require.h"
#include "kernels/builtin.h"

enum { QUADRANTS = 2, GROUPS = 2 };

/* Half 0 still completes the tile that half 1 of the previous pass began to load. */
static void declare_half(swp_body *b, int half)
{
    const int own = half;
    const int other = 1 - half;
    const swp_k_offset k = half == 0 ? SWP_K0 : SWP_K1;
    swp_load(b, SWP_LOAD_A, .channel = 0, .stage = other, .subtile = 1,
             .k_offset = half == 0 ? SWP_K_PREV : SWP_K0);
    swp_load(b, SWP_LOAD_A, .channel = 0, .stage = own, .subtile = 0, .k_offset = k);
    swp_load(b, SWP_LOAD_B, .channel = 1, .stage = own, .subtile = 0, .k_offset = k);
    swp_load(b, SWP_LOAD_B, .channel = 1, .stage = own, .subtile = 1, .k_offset = k);
    swp_fan(b, QUADRANTS, SWP_MMA_LOAD_A, .channel = 0, .stage = own);
    swp_fan(b, QUADRANTS, SWP_MMA_LOAD_B, .channel = 1, .stage = own);
    swp_grid(b, QUADRANTS, QUADRANTS, SWP_MMA);
}

static swp_status build_body(const void *self, swp_context *ctx, swp_op_list *out)
{
    const swp_pingpong *kernel = self;
    swp_op_list ops = {0};
    swp_body *b = swp_body_new(ctx);
    if (!b)
        return SWP_OUT_OF_MEMORY;
    declare_half(b, 0);
    declare_half(b, 1);
    const swp_status status = swp_body_done(b, &ops);
    if (status != SWP_OK)
        return status;
    swp_annotate_ops(ops.items, ops.count, &kernel->options.target.cost_model);
    return swp_double_buffer_reorder(ctx, ops.items, ops.count, &kernel->options.target.pipeline,
                                     out);
}

static void set_machine(swp_machine *out)
{
    out->groups = GROUPS;
    out->lag = 1;
}

static void set_schedule(swp_schedule_config *out)
{
    out->scheduling = SWP_CSP;
    out->sync_pace = true; /* one group computes while the other loads */
}

void swp_pingpong_init(swp_pingpong *kernel)
{
    SWP_REQUIRE_OR(, kernel);
    kernel->options = (swp_kernel_options){.target = swp_mi355x_target(4, 4, 1),
                                           .schedule = swp_schedule_config_default(),
                                           .machine = swp_machine_default()};
    set_schedule(&kernel->options.schedule);
    set_machine(&kernel->options.machine);
}

swp_pipeline_schedule swp_pingpong_schedule(const swp_pingpong *kernel)
{
    SWP_REQUIRE_OR((swp_pipeline_schedule){0}, kernel);
    return (swp_pipeline_schedule){.self = kernel,
                                   .name = "pingpong",
                                   .target = "mi355x",
                                   .op_namer = {swp_kernels_double_buffer_op_name, NULL},
                                   .config = swp_kernels_config,
                                   .build_body = build_body,
                                   .schedule_config = swp_kernels_schedule_config,
                                   .machine = swp_kernels_machine};
}

static void defaults(const swp_target *target, swp_settings *settings)
{
    settings->pipeline = target->double_buffer(4, 4, 1).pipeline;
    set_schedule(&settings->schedule);
    set_machine(&settings->machine);
}

static swp_status define(swp_context *ctx, const swp_target *target, const swp_settings *settings,
                         swp_pipeline_schedule *out)
{
    swp_pingpong *kernel = swp_context_take(ctx, sizeof *kernel);
    if (!kernel)
        return SWP_OUT_OF_MEMORY;
    const swp_target_profile profile = target->double_buffer(4, 4, 1);
    kernel->options = swp_kernels_options_from(&profile, settings);
    *out = swp_pingpong_schedule(kernel);
    out->target = target->name;
    return SWP_OK;
}

const swp_builtin swp_kernels_pingpong_builtin = {.name = "pingpong",
                                                  .meaning =
                                                      "matmul with two staggered warp groups",
                                                  .depth = 2,
                                                  .layout = swp_wave_layout_ping_pong,
                                                  .defaults = defaults,
                                                  .define = define};
