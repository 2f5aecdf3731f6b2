/* SPDX-License-Identifier: Apache-2.0 */
/* Describes MI355X (gfx950) with the published round latencies (docs/simulation.md). */
#include "target/builtin.h"

#include "target/figures.h"
#include "target/gfx9.h"

static const swp_op_cost load = {SWP_GLOBAL_MEM, 200, SWP_GLOBAL_LOAD, 0, 0};
static const swp_op_cost store = {SWP_LDS, 20, SWP_SHARED_STORE, 0, 0};

swp_cost_model swp_mi355x_cost_model(void)
{
    const swp_op_cost compute = {SWP_MMA_UNIT, 16, SWP_COMPUTE, 4, 0};
    const swp_op_cost fragment = {SWP_LDS, 20, SWP_FRAGMENT_LOAD, 8, 0};
    swp_cost_model model = swp_cost_model_none();
    model.costs[0] = load;
    model.costs[1] = load;
    model.costs[2] = compute;
    model.costs[3] = fragment;
    model.costs[4] = fragment;
    model.costs[5] = compute;
    return model;
}

swp_cost_model swp_mi355x_single_buffer_cost_model(void)
{
    swp_cost_model model = swp_cost_model_none();
    model.costs[0] = load;
    model.costs[1] = store;
    model.costs[2] = (swp_op_cost){SWP_LDS, 20, SWP_FRAGMENT_LOAD, 4, 0};
    model.costs[3] = (swp_op_cost){SWP_MMA_UNIT, 64, SWP_COMPUTE, 16, 0};
    return model;
}

swp_pipeline_config swp_mi355x_double_buffer(int vm_per_load_a, int vm_per_load_b, int max_globals)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.vm_per_load_a = vm_per_load_a;
    config.vm_per_load_b = vm_per_load_b;
    config.block_sizing.max_globals = max_globals;
    config.warp_stagger = swp_warp_stagger_auto();
    return config;
}

swp_pipeline_config swp_mi355x_single_buffer(void)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.depth = 1;
    config.num_partitions = 1;
    config.prologue_fill = 0;
    config.loop_carried = swp_loop_carried_fragment_zero();
    return config;
}

swp_target_profile swp_mi355x_target(int vm_per_load_a, int vm_per_load_b, int max_globals)
{
    return (swp_target_profile){
        .cost_model = swp_mi355x_cost_model(),
        .pipeline = swp_mi355x_double_buffer(vm_per_load_a, vm_per_load_b, max_globals)};
}

swp_target_profile swp_mi355x_single_buffer_target(void)
{
    return (swp_target_profile){.cost_model = swp_mi355x_single_buffer_cost_model(),
                                .pipeline = swp_mi355x_single_buffer()};
}

/*
 * Latencies are as published. Throughputs of a compute unit at 2.4 GHz are from AMD's CDNA 4 white
 * paper: 2.5 PFLOP/s of dense fp16 in 256 compute units, 157 TFLOP/s of fp32 vectors, twice CDNA
 * 3's 16 transcendentals, 128 bytes a cycle from LDS, 64 from L2.
 */
#define PUBLISHED "published with the kernels, round figures; not measured"
#define WHITE_PAPER "manual: AMD, CDNA 4 white paper"

const swp_target swp_target_mi355x = {
    .name = "mi355x",
    .meaning = "AMD Instinct MI355X (gfx950), published latencies",
    .accesses = {.wave_size = 64, .dma_bytes = 16},
    .barrier = SWP_BARRIER_RAW,
    .residency = {0, SWP_GFX950_LDS_GRANULE, SWP_GFX9_WAVES, SWP_GFX9_WORK_GROUPS},
    .tile_shape = {{256, 256, 64}, {16, 16, 32}, 2},
    .single_buffer = swp_mi355x_single_buffer_target,
    .double_buffer = swp_mi355x_target,
    .has_loops = true,
    .completions = SWP_GFX9_COMPLETIONS,
    .figures = {[SWP_TARGET_LOAD_LATENCY] = SWP_TARGET_FIGURE(200, PUBLISHED),
                [SWP_TARGET_LOAD_BYTES] = SWP_TARGET_FIGURE(64, WHITE_PAPER),
                [SWP_TARGET_SHARED_LATENCY] = SWP_TARGET_FIGURE(20, PUBLISHED),
                [SWP_TARGET_SHARED_BYTES] = SWP_TARGET_FIGURE(128, WHITE_PAPER),
                [SWP_TARGET_MMA_LATENCY] = SWP_TARGET_FIGURE(16, PUBLISHED),
                [SWP_TARGET_MMA_PRODUCTS] = SWP_TARGET_FIGURE(2048, WHITE_PAPER),
                [SWP_TARGET_VECTOR_LATENCY] = SWP_TARGET_FIGURE(8, NULL),
                [SWP_TARGET_VECTOR_LANES] = SWP_TARGET_FIGURE(128, WHITE_PAPER),
                [SWP_TARGET_EXP_LANES] = SWP_TARGET_FIGURE(32, WHITE_PAPER),
                [SWP_TARGET_GROUP_BYTES] = SWP_TARGET_FIGURE(INT64_C(1024) * 160, NULL),
                SWP_GFX9_FIGURES}};
