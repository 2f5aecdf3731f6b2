/* SPDX-License-Identifier: Apache-2.0 */
/* What the GEMMs share around their main loop: the order of the blocks, which problems they take, and a name. */
#ifndef SWP_KERNELS_CUDA_GEMM_LAUNCH_H
#define SWP_KERNELS_CUDA_GEMM_LAUNCH_H

#include "gemm.h"
#include "gemm_shape.h"

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

} // namespace

#define PASTE(a, b) a##b
#define EXPAND(a, b) PASTE(a, b)
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

/* Defines the gemm_kernel of GEMM_NAME. */
#define GEMM_DEFINE(launch)                                                                        \
    extern const gemm_kernel EXPAND(gemm_, GEMM_NAME);                                             \
    const gemm_kernel EXPAND(gemm_, GEMM_NAME) = {                                                 \
        TEXT(GEMM_NAME), BM, BN, BK, GEMM_MIN_TILES, GEMM_TILE_MULTIPLE, SHARED_BYTES, launch};

#endif
