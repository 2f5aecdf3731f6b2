/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVIDIA sm_90 (H100 SXM at 1.83 GHz).
 *
 * Cycles of an SM, from
 * - 480 for a global access that misses the caches, 29 for shared memory, 128 for
 *   wgmma.m64n256k16: Luo et al. 2024, "Benchmarking and dissecting the Nvidia Hopper GPU architecture
 *   via microbenchmarks" (rounded);
 * - 2048 bf16 multiply-adds a cycle: NVIDIA, H100 white paper 2022 (989 TFLOP/s dense in 132 SMs);
 * - 128 fp32 operations and 16 exponentials a cycle: NVIDIA, CUDA C++ programming guide, table of
 *   arithmetic throughputs for compute capability 9.0;
 * - 128 bytes a cycle from shared memory: as on sm_80. 64 from L2 are assumed: of an A100, 47 are published.
 * The published kernels run on it as on sm_80 (cp.async, ldmatrix, mma.sync), with these latencies.
 */
#include "target/builtin.h"

#include "target/sm.h"

enum { GLOBAL = 480, SHARED = 29 };

static void set_latencies(swp_cost_model *model)
{
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++)
        if (model->costs[tag].role == SWP_GLOBAL_LOAD)
            model->costs[tag].latency = GLOBAL;
        else if (model->costs[tag].role == SWP_SHARED_STORE)
            model->costs[tag].latency = SHARED;
}

swp_target_profile swp_sm_90_target(int vm_per_load_a, int vm_per_load_b, int max_globals)
{
    swp_target_profile profile = swp_sm_80_target(vm_per_load_a, vm_per_load_b, max_globals);
    set_latencies(&profile.cost_model);
    return profile;
}

swp_target_profile swp_sm_90_single_buffer_target(void)
{
    swp_target_profile profile = swp_sm_80_single_buffer_target();
    set_latencies(&profile.cost_model);
    return profile;
}

#define LUO "paper: Luo et al. 2024, rounded"
#define A100 "manual: NVIDIA, A100 white paper 2020"
#define H100 "manual: NVIDIA, H100 white paper 2022"
#define AS_SM_80 "assumed: as of sm_80"
#define THROUGHPUTS                                                                                \
    "manual: NVIDIA, CUDA C++ programming guide, arithmetic throughputs, compute capability 9.0"

const swp_target swp_target_sm_90 = {
    .name = "sm_90",
    .meaning = "NVIDIA sm_90 (TMA and wgmma in loops; else as sm_80), figures of an H100",
    SWP_SM_FIELDS,
    .single_buffer = swp_sm_90_single_buffer_target,
    .double_buffer = swp_sm_90_target,
    .has_loops = true,
    .exp_apart = true,
    .mma_is_async = true,
    .mbarriers = true,
    .completions = {[SWP_COMPLETION_COUNTER] = SWP_SM_COUNTED,
                    [SWP_COMPLETION_COPY_GROUP] = "cp.async, and stores by TMA of one role",
                    [SWP_COMPLETION_MATRIX_GROUP] = "wgmma",
                    [SWP_COMPLETION_COPY_MBARRIER] = "loads by TMA, and cp.async",
                    [SWP_COMPLETION_STORE_GROUP] = "stores by TMA of warp roles"},
    .figures = {[SWP_TARGET_LOAD_LATENCY] = SWP_TARGET_FIGURE(GLOBAL, LUO),
                [SWP_TARGET_LOAD_BYTES] = SWP_TARGET_FIGURE(64, NULL),
                [SWP_TARGET_MEMORY_BYTES] =
                    SWP_TARGET_FIGURE(14, H100 ", 3.35 TB/s for 132 SMs at 1830 MHz"),
                [SWP_TARGET_ROW_BYTES] =
                    SWP_TARGET_FIGURE(125, "measurement: 2026-11-26, NVIDIA H100 80GB HBM3, "
                                           "bulk_halves_beside_wgmma, median of 15, spread 0.0 %"),
                [SWP_TARGET_SHARED_LATENCY] = SWP_TARGET_FIGURE(SHARED, LUO),
                [SWP_TARGET_SHARED_BYTES] = SWP_TARGET_FIGURE(128, A100),
                [SWP_TARGET_MMA_LATENCY] = SWP_TARGET_FIGURE(128, LUO),
                [SWP_TARGET_MMA_PRODUCTS] = SWP_TARGET_FIGURE(2048, H100),
                [SWP_TARGET_MMA_SYNC_LATENCY] = SWP_TARGET_FIGURE(25, AS_SM_80),
                [SWP_TARGET_MMA_SYNC_PRODUCTS] = SWP_TARGET_FIGURE(1024, AS_SM_80),
                [SWP_TARGET_FRAGMENT_LATENCY] = SWP_TARGET_FIGURE(29, AS_SM_80),
                [SWP_TARGET_FRAGMENT_BYTES] = SWP_TARGET_FIGURE(128, A100),
                [SWP_TARGET_FRAGMENT_PERCENT] = SWP_TARGET_FIGURE(0, NULL),
                [SWP_TARGET_COPY_LATENCY] = SWP_TARGET_FIGURE(GLOBAL, LUO),
                [SWP_TARGET_COPY_ISSUE] = SWP_TARGET_FIGURE(0, NULL),
                [SWP_TARGET_VECTOR_LATENCY] = SWP_TARGET_FIGURE(4, NULL),
                [SWP_TARGET_VECTOR_LANES] = SWP_TARGET_FIGURE(128, THROUGHPUTS),
                [SWP_TARGET_EXP_LANES] = SWP_TARGET_FIGURE(16, THROUGHPUTS),
                SWP_SM_SYNC_FIGURES,
                SWP_SM_FIGURES(INT64_C(1024) * 227)}};
