/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one fragment load and one MMA of a GEMM schedule are to a thread. The schedule's header
 * is included before this one; nothing here says when these happen.
 */
#ifndef SWP_KERNELS_CUDA_GEMM_BLOCK_H
#define SWP_KERNELS_CUDA_GEMM_BLOCK_H

#include "gemm.h"
#include "gemm_shape.h"
#include <ptx.h>

namespace
{

/* One thread's part of a block of C; Loads has what brings its tiles to shared memory. */
template <class Loads> class block_of_c : public Loads
{
  public:
    __device__ __forceinline__ block_of_c(const Loads &loads, uint32_t shared) : Loads(loads)
    {
        const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
        const int row_a = warp / WARPS_N * PART + lane % 16;
        const int row_b = warp % WARPS_N * PART + lane % 8 + lane / 16 * 8;
#pragma unroll
        for (int slice = 0; slice < SLICES; slice++) {
            read_a_[slice] = shared + swizzled(row_a, slice * 2 + lane / 16);
            read_b_[slice] = shared + swizzled(row_b, slice * 2 + lane / 8 % 2);
        }
    }

    /* MMA_LOAD_A, MMA_LOAD_B. */
    __device__ __forceinline__ void load_fragments_a(int stage, int half)
    {
#pragma unroll
        for (int slice = 0; slice < SLICES; slice++)
            read_a(stage, half, slice);
    }
    __device__ __forceinline__ void load_fragments_b(int stage, int half)
    {
#pragma unroll
        for (int slice = 0; slice < SLICES; slice++)
            read_b(stage, half, slice);
    }

    /* MMA. */
    __device__ __forceinline__ void multiply(int row, int column)
    {
#pragma unroll
        for (int slice = 0; slice < SLICES; slice++)
            multiply(row, column, slice);
    }

    /* The single buffer's: LOAD_FRAG and COMPUTE. */
    __device__ __forceinline__ void load_slice(int slice)
    {
#pragma unroll
        for (int half = 0; half < HALVES; half++) {
            read_a(0, half, slice);
            read_b(0, half, slice);
        }
    }
    __device__ __forceinline__ void multiply_slice(int slice)
    {
#pragma unroll
        for (int quadrant = 0; quadrant < HALVES * HALVES; quadrant++)
            multiply(quadrant / HALVES, quadrant % HALVES, slice);
    }

    /* After the main loop. MASKED: what is beyond C is not stored. */
    template <bool MASKED>
    __device__ __forceinline__ void write(const gemm_problem &p, char *shared, int m0,
                                          int n0) const;

  private:
    __device__ __forceinline__ void read_a(int stage, int half, int slice)
    {
#pragma unroll
        for (int m = 0; m < ROW_MMAS; m++)
            load_matrices(a_[half][slice][m],
                          read_a_[slice] + place_a(stage, half) + uint32_t(m * MMA_M * ROW_BYTES));
    }
    __device__ __forceinline__ void read_b(int stage, int half, int slice)
    {
#pragma unroll
        for (int n = 0; n < COLUMN_MMAS / 2; n++)
            load_matrices(b_[half][slice][n], read_b_[slice] + place_b(stage, half) +
                                                  uint32_t(n * 2 * MMA_N * ROW_BYTES));
    }

    __device__ __forceinline__ void multiply(int row, int column, int slice)
    {
#pragma unroll
        for (int m = 0; m < ROW_MMAS; m++)
#pragma unroll
            for (int n = 0; n < COLUMN_MMAS; n++) {
                /* Back and forth, so that each MMA shares an operand with the one before. */
                const int at = m % 2 == 0 ? n : COLUMN_MMAS - 1 - n;
                const uint32_t *b = &b_[column][slice][at / 2][at % 2 * 2];
                mma(c_[row][column][m][at], a_[row][slice][m], b[0], b[1]);
            }
    }

    uint32_t read_a_[SLICES], read_b_[SLICES];
    uint32_t a_[HALVES][SLICES][ROW_MMAS][4], b_[HALVES][SLICES][COLUMN_MMAS / 2][4];
    float c_[HALVES][HALVES][ROW_MMAS][COLUMN_MMAS][4] = {};
};

/* To bf16, through shared memory so that whole rows are stored. The main loop is over. */
template <class Loads>
template <bool MASKED>
__device__ __forceinline__ void block_of_c<Loads>::write(const gemm_problem &p, char *shared,
                                                         int m0, int n0) const
{
    const int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32;
    __syncthreads();
#pragma unroll
    for (int at = 0; at < HALVES * HALVES * ROW_MMAS * COLUMN_MMAS; at++) {
        const int n = at % COLUMN_MMAS, m = at / COLUMN_MMAS % ROW_MMAS;
        const int column_half = at / (COLUMN_MMAS * ROW_MMAS) % HALVES;
        const int row_half = at / (COLUMN_MMAS * ROW_MMAS * HALVES);
        const int row = row_half * ROWS<0> + warp / WARPS_N * PART + m * MMA_M + lane / 4;
        const int column = column_half * ROWS<1> + warp % WARPS_N * PART + n * MMA_N + lane % 4 * 2;
        const float(&c)[4] = c_[row_half][column_half][m][n];
        char *to = shared + row * C_PITCH + column * int(sizeof(bf16));
        *reinterpret_cast<__nv_bfloat162 *>(to) = __floats2bfloat162_rn(c[0], c[1]);
        *reinterpret_cast<__nv_bfloat162 *>(to + 8 * C_PITCH) = __floats2bfloat162_rn(c[2], c[3]);
    }
    __syncthreads();
    constexpr int ROW_CHUNKS = BN / CHUNK_ELEMENTS;
    for (int at = thread; at < BM * ROW_CHUNKS; at += THREADS) {
        const int row = at / ROW_CHUNKS, column = at % ROW_CHUNKS * CHUNK_ELEMENTS;
        const char *from = shared + row * C_PITCH + column * int(sizeof(bf16));
        bf16 *to = p.c + int64_t(m0 + row) * p.ldc + n0 + column;
        if (!MASKED || (m0 + row < p.m && n0 + column + CHUNK_ELEMENTS <= p.n))
            *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from);
        else if (m0 + row < p.m)
            for (int i = 0; n0 + column + i < p.n; i++)
                to[i] = reinterpret_cast<const bf16 *>(from)[i];
    }
}

} // namespace

#endif
