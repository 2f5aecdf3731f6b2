/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVIDIA sm_80 and later with cp.async, ldmatrix and mma.sync (docs/cuda.md, "The machine").
 *
 * Latencies in SM cycles, of one warp that computes 64 x 64 of the block in steps of 32 along K, from
 * - 290 for a global access that misses the caches, 19 for a store to shared memory: Abdelkhalik et
 *   al. 2022, "Demystifying the Nvidia Ampere architecture through microbenchmarking and
 *   instruction-level analysis";
 * - 29 for ldmatrix.x4: Sun et al. 2022, "Dissecting tensor cores via microbenchmarks";
 * - 128 bytes a cycle to and from shared memory and 1024 bf16 multiply-adds a cycle in an SM of four
 *   tensor cores, so 4 cycles an ldmatrix.x4 and 8 cycles an mma.sync.m16n8k16: NVIDIA, A100 white
 *   paper 2020.
 */
#include "target/builtin.h"

#include "target/sm.h"

enum {
    GLOBAL = 290,
    STORE = 19,
    LDMATRIX = 29,
    LDMATRIX_EACH = 4,
    MMA_EACH = 8,
    ACCUMULATORS = SWP_SM_WARP_TILE * SWP_SM_WARP_TILE / SWP_SM_WARP, /* of a lane */
    QUADRANT_FRAG_REGISTERS = 16, /* 32 x 32 elements of 2 bytes over 32 lanes */
    SLICE_FRAG_REGISTERS = 32     /* 64 x 16 of A and of B */
};

/* The first of several ldmatrix.x4 takes its latency; the others follow at the port's rate. */
static int fragments(int count)
{
    return LDMATRIX + (count - 1) * LDMATRIX_EACH;
}

/* A quadrant of the warp's tile is 32 x 32 x 32, and takes 4 ldmatrix.x4 an operand and 16 mma.sync. */
static swp_cost_model double_buffer_costs(void)
{
    const swp_op_cost load = {SWP_GLOBAL_MEM, GLOBAL, SWP_GLOBAL_LOAD, 0, 0};
    const swp_op_cost compute = {SWP_MMA_UNIT, 16 * MMA_EACH, SWP_COMPUTE, 0, 0};
    const swp_op_cost fragment = {SWP_LDS, fragments(4), SWP_FRAGMENT_LOAD, QUADRANT_FRAG_REGISTERS,
                                  0};
    swp_cost_model model = swp_cost_model_none();
    model.costs[0] = load;
    model.costs[1] = load;
    model.costs[2] = compute;
    model.costs[3] = fragment;
    model.costs[4] = fragment;
    model.costs[5] = compute;
    return model;
}

/* A slice of the warp's tile is 64 x 64 x 16, and takes 8 ldmatrix.x4 for both operands and 32 mma.sync. */
static swp_cost_model single_buffer_costs(void)
{
    swp_cost_model model = swp_cost_model_none();
    model.costs[0] = (swp_op_cost){SWP_GLOBAL_MEM, GLOBAL, SWP_GLOBAL_LOAD, 0, 0};
    model.costs[1] = (swp_op_cost){SWP_LDS, STORE, SWP_SHARED_STORE, 0, 0};
    model.costs[2] =
        (swp_op_cost){SWP_LDS, fragments(8), SWP_FRAGMENT_LOAD, SLICE_FRAG_REGISTERS, 0};
    model.costs[3] = (swp_op_cost){SWP_MMA_UNIT, 32 * MMA_EACH, SWP_COMPUTE, ACCUMULATORS, 0};
    return model;
}

/* The kernels, not the machine, decide the structure of a pipeline. */
swp_target_profile swp_sm_80_target(int vm_per_load_a, int vm_per_load_b, int max_globals)
{
    (void)vm_per_load_a;
    (void)vm_per_load_b;
    return (swp_target_profile){.cost_model = double_buffer_costs(),
                                .pipeline = swp_mi355x_double_buffer(1, 1, max_globals)};
}

swp_target_profile swp_sm_80_single_buffer_target(void)
{
    return (swp_target_profile){.cost_model = single_buffer_costs(),
                                .pipeline = swp_mi355x_single_buffer()};
}

#define ABDELKHALIK "paper: Abdelkhalik et al. 2022"
#define SUN "paper: Sun et al. 2022, rounded"
#define WHITE_PAPER "manual: NVIDIA, A100 white paper 2020"
#define THROUGHPUTS                                                                                \
    "manual: NVIDIA, CUDA C++ programming guide, arithmetic throughputs, compute capability 8.0"

const swp_target swp_target_sm_80 = {
    .name = "sm_80",
    .meaning = "NVIDIA sm_80 and later (cp.async, ldmatrix, mma.sync), latencies of an A100",
    SWP_SM_FIELDS,
    .single_buffer = swp_sm_80_single_buffer_target,
    .double_buffer = swp_sm_80_target,
    .completions = {[SWP_COMPLETION_COUNTER] = SWP_SM_COUNTED,
                    [SWP_COMPLETION_COPY_GROUP] = "cp.async",
                    [SWP_COMPLETION_COPY_MBARRIER] = "cp.async, by cp.async.mbarrier.arrive"},
    .figures = {[SWP_TARGET_LOAD_LATENCY] = SWP_TARGET_FIGURE(GLOBAL, ABDELKHALIK),
                [SWP_TARGET_LOAD_BYTES] =
                    SWP_TARGET_FIGURE(47, WHITE_PAPER ", 5120 from L2 for 108 SMs"),
                [SWP_TARGET_MEMORY_BYTES] =
                    SWP_TARGET_FIGURE(10, WHITE_PAPER ", 1555 GB/s for 108 SMs at 1410 MHz"),
                [SWP_TARGET_SHARED_LATENCY] = SWP_TARGET_FIGURE(STORE, ABDELKHALIK ", a store"),
                [SWP_TARGET_SHARED_BYTES] = SWP_TARGET_FIGURE(128, WHITE_PAPER),
                [SWP_TARGET_MMA_SYNC_LATENCY] = SWP_TARGET_FIGURE(25, SUN),
                [SWP_TARGET_MMA_SYNC_PRODUCTS] = SWP_TARGET_FIGURE(1024, WHITE_PAPER),
                [SWP_TARGET_FRAGMENT_LATENCY] = SWP_TARGET_FIGURE(LDMATRIX, SUN),
                [SWP_TARGET_FRAGMENT_BYTES] = SWP_TARGET_FIGURE(128, WHITE_PAPER),
                [SWP_TARGET_FRAGMENT_PERCENT] = SWP_TARGET_FIGURE(0, NULL),
                [SWP_TARGET_COPY_LATENCY] = SWP_TARGET_FIGURE(GLOBAL, NULL),
                [SWP_TARGET_COPY_ISSUE] = SWP_TARGET_FIGURE(0, NULL),
                [SWP_TARGET_VECTOR_LATENCY] = SWP_TARGET_FIGURE(4, NULL),
                [SWP_TARGET_VECTOR_LANES] = SWP_TARGET_FIGURE(64, THROUGHPUTS),
                [SWP_TARGET_EXP_LANES] = SWP_TARGET_FIGURE(16, THROUGHPUTS),
                SWP_SM_SYNC_FIGURES,
                SWP_SM_FIGURES(INT64_C(1024) * 163)}};
