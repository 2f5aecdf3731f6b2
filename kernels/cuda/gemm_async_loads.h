/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads of a GEMM schedule by cp.async, or through registers: every thread copies its share, and a load is
 * one group of each thread.
 */
#ifndef SWP_KERNELS_CUDA_GEMM_ASYNC_LOADS_H
#define SWP_KERNELS_CUDA_GEMM_ASYNC_LOADS_H

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

/* One thread's loads of a block. MASKED: chunks beyond A or B are filled with zeros. */
template <bool MASKED> class async_loads
{
  public:
    __device__ __forceinline__ async_loads(const gemm_problem &p, uint32_t shared, int m0, int n0)
        : a_source_(p.a, p.lda, m0 + thread_row(), p.m, thread_chunk() * CHUNK_ELEMENTS),
          b_source_(p.b, p.ldb, n0 + thread_row(), p.n, thread_chunk() * CHUNK_ELEMENTS),
          k_left_(p.k - thread_chunk() * CHUNK_ELEMENTS),
          store_(shared + swizzled(thread_row(), thread_chunk()))
    {
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

    /* The single buffer's: LOAD_DRAM and STORE_SMEM. */
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

  private:
    static __device__ __forceinline__ int thread_row()
    {
        return int(threadIdx.x) / CHUNKS;
    }
    static __device__ __forceinline__ int thread_chunk()
    {
        return int(threadIdx.x) % CHUNKS;
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
    uint32_t store_;
    uint4 staged_a_[HALVES][COPIES<0>], staged_b_[HALVES][COPIES<1>]; /* of the single buffer */
};

} // namespace

#endif
