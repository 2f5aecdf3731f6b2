/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bf16 GEMM with cp.async, ldmatrix and mma.sync, whose main loop is a generated schedule: GEMM_RUN
 * from the header SCHEDULE_HEADER, made by `swp emit --format c --prefix GEMM`. This file says what one
 * load, one fragment load and one MMA of the schedule are, and nothing of when they happen; between
 * the start and the end of GEMM_RUN no code here issues a load, a wait or a barrier by itself.
 *
 * Build once for each schedule, with -DSCHEDULE_HEADER="\"x.h\"" -DGEMM_NAME=x; it defines the
 * gemm_kernel `gemm_x`.
 */
#include <ptx.h> /* not "ptx.h": tests/cuda puts another before it */

#include SCHEDULE_HEADER

#include "gemm_async_loads.h"
#include "gemm_block.h"
#include "gemm_launch.h"

/* What the schedule's ops are here. */
#define GEMM_LOAD_A(ctx, stage, half, tile) (ctx).load_a(stage, half, tile)
#define GEMM_LOAD_B(ctx, stage, half, tile) (ctx).load_b(stage, half, tile)
#define GEMM_MMA_LOAD_A(ctx, stage, half, tile) (ctx).load_fragments_a(stage, half)
#define GEMM_MMA_LOAD_B(ctx, stage, half, tile) (ctx).load_fragments_b(stage, half)
#define GEMM_MMA(ctx, row, column, tile) (ctx).multiply(row, column)
/* The single buffer's: a fragment is a slice of 16 along K of all that a warp reads. */
#define GEMM_LOAD_DRAM(ctx, stage, subtile, tile) (ctx).load_registers(tile)
#define GEMM_STORE_SMEM(ctx, stage, subtile, tile) (ctx).store_registers()
#define GEMM_LOAD_FRAG(ctx, stage, slice, tile) (ctx).load_slice(slice)
#define GEMM_COMPUTE(ctx, row, slice, tile) (ctx).multiply_slice(slice)

namespace
{

template <bool MASKED>
__global__ void __launch_bounds__(THREADS, THREADS <= 128 ? 2 : 1)
    gemm(const gemm_problem p, int blocks_m, int blocks_n, int n_tiles)
{
    char *const shared = dynamic_shared();
    int m = 0, n = 0;
    block_position(blocks_m, blocks_n, m, n);
    const uint32_t address = shared_address(shared);
    block_of_c<async_loads<MASKED>> block({p, address, m * BM, n * BN}, address);
    const int group = int(threadIdx.x) / (THREADS / GEMM_GROUPS);
    GEMM_RUN(block, n_tiles, group);
    block.template write<MASKED>(p, shared, m * BM, n * BN);
}

template <bool MASKED>
cudaError_t launch_as(const gemm_problem &p, int n_tiles, cudaStream_t stream)
{
    const int blocks_m = divide_up(p.m, BM), blocks_n = divide_up(p.n, BN);
    return launch_kernel(gemm<MASKED>, unsigned(blocks_m) * unsigned(blocks_n), THREADS,
                         SHARED_BYTES, stream, p, blocks_m, blocks_n, n_tiles);
}

cudaError_t launch(const gemm_problem *p, cudaStream_t stream)
{
    if (!is_taken(*p))
        return cudaErrorInvalidValue;
    const int n_tiles = tiles_of(p->k);
    if (p->m % BM == 0 && p->n % BN == 0 && p->k == n_tiles * BK)
        return launch_as<false>(*p, n_tiles, stream);
#ifdef GEMM_WHOLE_BLOCKS_ONLY /* benchmarks compile what they run */
    return cudaErrorNotSupported;
#else
    return launch_as<true>(*p, n_tiles, stream);
#endif
}

} // namespace

GEMM_DEFINE(launch)
