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

#include "gemm_block.h"

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

/* A block's tile of the grid, in bands of rows so that the blocks running at once share operands in L2. */
__device__ __forceinline__ void block_position(int blocks_m, int blocks_n, int &m, int &n)
{
    constexpr int BAND = 2048 / BM;
    const int id = int(blockIdx.x), first = id / (BAND * blocks_n) * BAND;
    const int rows = min(BAND, blocks_m - first), in_band = id % (BAND * blocks_n);
    m = first + in_band % rows;
    n = in_band / rows;
}

template <bool MASKED>
__global__ void __launch_bounds__(THREADS, THREADS <= 128 ? 2 : 1)
    gemm(const gemm_problem p, int blocks_m, int blocks_n, int n_tiles)
{
    char *const shared = dynamic_shared();
    int m = 0, n = 0;
    block_position(blocks_m, blocks_n, m, n);
    block_of_c<MASKED> block(p, shared_address(shared), m * BM, n * BN);
    const int group = int(threadIdx.x) / (THREADS / GEMM_GROUPS);
    GEMM_RUN(block, n_tiles, group);
    block.write(p, shared, m * BM, n * BN);
}

int divide_up(int a, int b)
{
    return (a - 1) / b + 1;
}

/* Tiles of K that the schedule takes; those beyond K are masked. */
int tiles_of(int k)
{
    const int tiles = divide_up(k, BK) > GEMM_MIN_TILES ? divide_up(k, BK) : GEMM_MIN_TILES;
    return divide_up(tiles, GEMM_TILE_MULTIPLE) * GEMM_TILE_MULTIPLE;
}

bool is_aligned(const void *operand)
{
    return reinterpret_cast<uintptr_t>(operand) % CHUNK == 0;
}

bool is_taken(const gemm_problem &p)
{
    constexpr int LONGEST = 1 << 30; /* and its padding still is an int */
    return is_aligned(p.a) && is_aligned(p.b) && is_aligned(p.c) && p.m > 0 && p.n > 0 && p.k > 0 &&
           p.k <= LONGEST && p.lda >= p.k && p.ldb >= p.k && p.ldc >= p.n &&
           p.lda % CHUNK_ELEMENTS == 0 && p.ldb % CHUNK_ELEMENTS == 0 &&
           p.ldc % CHUNK_ELEMENTS == 0;
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
    return launch_as<true>(*p, n_tiles, stream);
}

} // namespace

#define PASTE(a, b) a##b
#define EXPAND(a, b) PASTE(a, b)
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

extern const gemm_kernel EXPAND(gemm_, GEMM_NAME);
const gemm_kernel EXPAND(gemm_, GEMM_NAME) = {
    TEXT(GEMM_NAME), BM, BN, BK, GEMM_MIN_TILES, GEMM_TILE_MULTIPLE, SHARED_BYTES, launch};
