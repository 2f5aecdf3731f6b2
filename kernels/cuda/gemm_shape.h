/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sizes of a GEMM's block, from the schedule's header, and where its chunks lie in shared memory.
 *
 * The block's rows of A are two halves and its columns of B too (subtiles 0 and 1), so C is four
 * quadrants. Each warp computes 64 x 64 of the block: a 32 x 32 part of every quadrant.
 */
#ifndef SWP_KERNELS_CUDA_GEMM_SHAPE_H
#define SWP_KERNELS_CUDA_GEMM_SHAPE_H

#include <cstdint>
#include <cuda_bf16.h>

#ifdef GEMM_BLOCK_M
static_assert(GEMM_MMA_M == 16 && GEMM_MMA_N == 8 && GEMM_MMA_K == 16 && GEMM_ELEM_BYTES == 2,
              "the schedule is for another matrix instruction");
#else /* the single buffer's description has no geometry */
#define GEMM_BLOCK_M 128
#define GEMM_BLOCK_N 256
#define GEMM_BLOCK_K 32
#endif

namespace
{

using bf16 = __nv_bfloat16;

constexpr int BM = GEMM_BLOCK_M, BN = GEMM_BLOCK_N, BK = GEMM_BLOCK_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int WARP = 64; /* rows and columns of the block that a warp computes */
constexpr int HALVES = 2;
constexpr int WARPS_M = BM / WARP, WARPS_N = BN / WARP, WARPS = WARPS_M * WARPS_N;
constexpr int THREADS = WARPS * 32;
constexpr int PART = WARP / HALVES; /* rows or columns of a quadrant that a warp computes */
constexpr int SLICES = BK / MMA_K;
constexpr int ROW_MMAS = PART / MMA_M, COLUMN_MMAS = PART / MMA_N;

/* Shared memory is handled in chunks of 16 bytes, CHUNKS to a row of BK. */
constexpr int CHUNK = 16, CHUNK_ELEMENTS = CHUNK / int(sizeof(bf16));
constexpr int CHUNKS = BK / CHUNK_ELEMENTS, ROW_BYTES = BK * int(sizeof(bf16));
constexpr int ROWS_AT_ONCE = THREADS / CHUNKS;

/* The rows of A or the columns of B (OPERAND 0 or 1) in one place: half of the block's. */
template <int OPERAND> constexpr int ROWS = (OPERAND == 0 ? BM : BN) / HALVES;
template <int OPERAND> constexpr int COPIES = ROWS<OPERAND> / ROWS_AT_ONCE; /* of a thread */
constexpr int PLACE_A = ROWS<0> * ROW_BYTES, PLACE_B = ROWS<1> * ROW_BYTES;
constexpr int STAGE = HALVES * (PLACE_A + PLACE_B);

/* C goes through shared memory too, its rows padded by a chunk against bank conflicts. */
constexpr int C_PITCH = BN * int(sizeof(bf16)) + CHUNK;
constexpr int larger(int a, int b)
{
    return a > b ? a : b;
}
constexpr int SHARED_BYTES = larger(GEMM_STAGES * STAGE, BM *C_PITCH);

static_assert(BM % WARP == 0 && BN % WARP == 0, "warps of 64 x 64 do not fill the block");
static_assert(BK % MMA_K == 0 && CHUNKS <= 8, "BK is 16, 32 or 64");
static_assert(ROWS<0> % ROWS_AT_ONCE == 0 && ROWS<1> % ROWS_AT_ONCE == 0,
              "the threads do not divide the copies of a load");
static_assert(WARPS == GEMM_WAVES, "the schedule is for another number of warps");
#ifdef GEMM_LOAD_A_VM_COST
static_assert(GEMM_LOAD_A_VM_COST == 1 && GEMM_LOAD_B_VM_COST == 1, "a load here is one group");
#endif
static_assert(SHARED_BYTES <= 227 * 1024, "the stages do not fit in shared memory");

/*
 * Where a chunk of a row stands. The 8 chunks that one ldmatrix phase reads, of 8 rows in a row, and the
 * 8 that 8 neighbouring threads store, then lie in all 8 groups of 4 banks.
 */
__device__ __forceinline__ uint32_t swizzled(int row, int chunk)
{
    return uint32_t(row * ROW_BYTES + ((chunk ^ (row / (8 / CHUNKS)) % CHUNKS) * CHUNK));
}

/* Where the halves of A and B of a stage stand. */
__device__ __forceinline__ uint32_t place_a(int stage, int half)
{
    return uint32_t(stage * STAGE + half * PLACE_A);
}
__device__ __forceinline__ uint32_t place_b(int stage, int half)
{
    return uint32_t(stage * STAGE + HALVES * PLACE_A + half * PLACE_B);
}

} // namespace

#endif
