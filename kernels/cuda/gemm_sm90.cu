/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gemm_sm80.cu with the loads of sm_90: a load of the schedule is one tensor copy, and wait_vm waits for the
 * mbarriers of those that the warp issued. All else is the same, and so are the headers.
 *
 * Build once for each schedule, with -DSCHEDULE_HEADER="\"x.h\"" -DGEMM_NAME=x; it defines the
 * gemm_kernel `gemm_x`.
 */
#include <ptx_tensor.h> /* not "ptx_tensor.h": tests/cuda puts another before it */

/* The header's waits know no ctx; the block that gemm() gives to GEMM_RUN is called this. */
#undef SWP_WAIT_VM
#define SWP_WAIT_VM(n) block.wait(n)

#include SCHEDULE_HEADER

#include "gemm_block.h"
#include "gemm_launch.h"
#include "gemm_tensor_loads.h"

#define GEMM_LOAD_A(ctx, stage, half, tile) (ctx).load_a(stage, half, tile)
#define GEMM_LOAD_B(ctx, stage, half, tile) (ctx).load_b(stage, half, tile)
#define GEMM_MMA_LOAD_A(ctx, stage, half, tile) (ctx).load_fragments_a(stage, half)
#define GEMM_MMA_LOAD_B(ctx, stage, half, tile) (ctx).load_fragments_b(stage, half)
#define GEMM_MMA(ctx, row, column, tile) (ctx).multiply(row, column)

namespace
{

constexpr int ALL_SHARED_BYTES = SHARED_BYTES + GEMM_STAGES * 8;

__global__ void __launch_bounds__(THREADS, THREADS <= 128 ? 2 : 1)
    gemm(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b,
         const gemm_problem p, int blocks_m, int blocks_n, int n_tiles)
{
    char *const shared = dynamic_shared();
    const uint32_t address = shared_address(shared), landings = address + SHARED_BYTES;
    if (threadIdx.x == 0)
        start_landings(landings, GEMM_STAGES, TILE_LOADS);
    __syncthreads();
    int m = 0, n = 0;
    block_position(blocks_m, blocks_n, m, n);
    block_of_c<tensor_loads> block({a, b, address, landings, m * BM, n * BN}, address);
    const int group = int(threadIdx.x) / (THREADS / GEMM_GROUPS);
    GEMM_RUN(block, n_tiles, group);
    block.write<true>(p, shared, m * BM, n * BN);
}

cudaError_t launch(const gemm_problem *p, cudaStream_t stream)
{
    if (!is_taken(*p))
        return cudaErrorInvalidValue;
    tensor_map a, b;
    cudaError_t error = make_tensor_map(&a, p->a, p->m, p->k, p->lda, ROWS<0>, BK);
    if (error == cudaSuccess)
        error = make_tensor_map(&b, p->b, p->n, p->k, p->ldb, ROWS<1>, BK);
    if (error != cudaSuccess)
        return error;
    const int blocks_m = divide_up(p->m, BM), blocks_n = divide_up(p->n, BN);
    return launch_kernel(gemm, unsigned(blocks_m) * unsigned(blocks_n), THREADS, ALL_SHARED_BYTES,
                         stream, a, b, *p, blocks_m, blocks_n, tiles_of(p->k));
}

} // namespace

GEMM_DEFINE(launch)
