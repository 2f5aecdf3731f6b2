/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one load, one fragment load and one MMA of a GEMM schedule are to a thread. The schedule's header
 * is included before this one; nothing here says when these happen.
 */
#ifndef SWP_KERNELS_CUDA_GEMM_BLOCK_H
#define SWP_KERNELS_CUDA_GEMM_BLOCK_H

#include "gemm.h"
#include "gemm_shape.h"
#include <ptx.h>

namespace
{

/*
 * Where a thread's chunks of A or B come from (OPERAND 0 or 1): one chunk of every ROWS_AT_ONCE-th row.
 * MASKED: rows may lie beyond the matrix; its last row stands for them, and what it adds to C is not
 * stored. Chunks beyond K are zeros, and not read.
 */
template <int OPERAND, bool MASKED> class chunk_source
{
  public:
    __device__ __forceinline__ chunk_source(const bf16 *matrix, int stride, int row, int rows,
                                            int k)
        : first_(reinterpret_cast<const char *>(matrix + int64_t(MASKED ? 0 : row) * stride + k)),
          row_bytes_(uint32_t(stride) * uint32_t(sizeof(bf16))), row_(row), last_row_(rows - 1)
    {
    }

    /* The chunk of one of the thread's rows, counted in steps of ROWS_AT_ONCE. */
    __device__ __forceinline__ const char *chunk(int half, int i, int tile) const
    {
        const int down = (half * COPIES<OPERAND> + i) * ROWS_AT_ONCE;
        const int row = MASKED ? min(row_ + down, last_row_) : down;
        return first_ + int64_t(tile) * ROW_BYTES + uint64_t(row_bytes_) * uint32_t(row);
    }

  private:
    const char *first_;
    uint32_t row_bytes_;
    int row_, last_row_;
};

/* One thread's part of a block of C. MASKED: chunks beyond A or B are filled with zeros. */
template <bool MASKED> class block_of_c
{
  public:
    __device__ __forceinline__ block_of_c(const gemm_problem &p, uint32_t shared, int m0, int n0)
        : a_source_(p.a, p.lda, m0 + thread_row(), p.m, thread_chunk() * CHUNK_ELEMENTS),
          b_source_(p.b, p.ldb, n0 + thread_row(), p.n, thread_chunk() * CHUNK_ELEMENTS),
          k_left_(p.k - thread_chunk() * CHUNK_ELEMENTS),
          store_(shared + swizzled(thread_row(), thread_chunk()))
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

    /* LOAD_A, LOAD_B. A thread commits one group, whatever is masked. */
    __device__ __forceinline__ void load_a(int stage, int half, int tile)
    {
        load(a_source_, place_a(stage, half), half, tile, COPIES<0>);
    }
    __device__ __forceinline__ void load_b(int stage, int half, int tile)
    {
        load(b_source_, place_b(stage, half), half, tile, COPIES<1>);
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

    /* The single buffer's: LOAD_DRAM, STORE_SMEM, LOAD_FRAG and COMPUTE. */
    __device__ __forceinline__ void load_registers(int tile)
    {
#pragma unroll
        for (int half = 0; half < HALVES; half++) {
            load_staged(staged_a_[half], a_source_, half, tile);
            load_staged(staged_b_[half], b_source_, half, tile);
        }
    }
    __device__ __forceinline__ void store_registers()
    {
#pragma unroll
        for (int half = 0; half < HALVES; half++) {
            store_staged(staged_a_[half], place_a(0, half));
            store_staged(staged_b_[half], place_b(0, half));
        }
    }
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

    /* After the main loop. */
    __device__ __forceinline__ void write(const gemm_problem &p, char *shared, int m0,
                                          int n0) const;

  private:
    static __device__ __forceinline__ int thread_row()
    {
        return int(threadIdx.x) / CHUNKS;
    }
    static __device__ __forceinline__ int thread_chunk()
    {
        return int(threadIdx.x) % CHUNKS;
    }

    static __device__ __forceinline__ uint32_t place_a(int stage, int half)
    {
        return uint32_t(stage * STAGE + half * PLACE_A);
    }
    static __device__ __forceinline__ uint32_t place_b(int stage, int half)
    {
        return uint32_t(stage * STAGE + HALVES * PLACE_A + half * PLACE_B);
    }

    /* Of this thread's chunk in a tile, the bytes that lie before the end of K. */
    __device__ __forceinline__ int valid_bytes(int tile) const
    {
        if (!MASKED)
            return CHUNK;
        return min(max(k_left_ - tile * BK, 0), CHUNK_ELEMENTS) * int(sizeof(bf16));
    }

    template <class Source>
    __device__ __forceinline__ void load(const Source &source, uint32_t place, int half, int tile,
                                         int copies)
    {
        const int valid = valid_bytes(tile);
#pragma unroll
        for (int i = 0; i < copies; i++) {
            const uint32_t to = store_ + place + uint32_t(i * ROWS_AT_ONCE * ROW_BYTES);
            if (!MASKED)
                copy_async(to, source.chunk(half, i, tile));
            else
                copy_async(to, source.chunk(half, i, valid ? tile : 0), valid);
        }
        commit_group();
    }

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

    template <int COPIES, class Source>
    __device__ __forceinline__ void load_staged(uint4 (&staged)[COPIES], const Source &source,
                                                int half, int tile)
    {
        const int valid = valid_bytes(tile);
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            staged[i] = load_chunk(source.chunk(half, i, tile), valid);
    }

    template <int COPIES>
    __device__ __forceinline__ void store_staged(const uint4 (&staged)[COPIES], uint32_t place)
    {
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            store_shared(store_ + place + uint32_t(i * ROWS_AT_ONCE * ROW_BYTES), staged[i]);
    }

    static __device__ __forceinline__ uint4 load_chunk(const char *from, int bytes)
    {
        if (bytes == CHUNK)
            return load_global(from);
        uint32_t words[4] = {};
#pragma unroll
        for (int i = 0; i < CHUNK_ELEMENTS; i++)
            if (i * int(sizeof(bf16)) < bytes)
                words[i / 2] |= uint32_t(load_element(from + i * int(sizeof(bf16)))) << i % 2 * 16;
        return make_uint4(words[0], words[1], words[2], words[3]);
    }

    chunk_source<0, MASKED> a_source_;
    chunk_source<1, MASKED> b_source_;
    int k_left_;
    uint32_t store_, read_a_[SLICES], read_b_[SLICES];
    uint32_t a_[HALVES][SLICES][ROW_MMAS][4], b_[HALVES][SLICES][COLUMN_MMAS / 2][4];
    uint4 staged_a_[HALVES][COPIES<0>], staged_b_[HALVES][COPIES<1>]; /* of the single buffer */
    float c_[HALVES][HALVES][ROW_MMAS][COLUMN_MMAS][4] = {};
};

/* To bf16, through shared memory so that whole rows are stored. The main loop is over. */
template <bool MASKED>
__device__ __forceinline__ void block_of_c<MASKED>::write(const gemm_problem &p, char *shared,
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
