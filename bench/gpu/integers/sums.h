/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of kernels and reference, and who reads whose share. */
#ifndef SWP_BENCH_SUMS_H
#define SWP_BENCH_SUMS_H

#include <cstddef>
#include <cstdint>
#include <vector_types.h>

enum { MOST_TILES = 40 };

static __host__ __device__ inline uint32_t scramble(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Chunk number C of all inputs. */
static __host__ __device__ inline uint4 input_chunk(uint64_t c)
{
    const uint32_t x = scramble(uint32_t(c) + uint32_t(c >> 32) * 0x9e3779b1u);
    return uint4{x, x ^ 0x55555555u, x + 0x12345678u, ~x};
}

/* What an op's sum begins with. */
static __host__ __device__ inline uint4 begin(int op, int i)
{
    const uint32_t x = scramble(uint32_t(op) * 4096u + uint32_t(i) + 1u);
    return uint4{x, x * 3u, x * 5u, x * 7u};
}

/* Horner's rule: in another order, or with another number, it is another sum. */
static __host__ __device__ inline void add(uint4 &sum, uint4 v)
{
    sum.x = sum.x * 0x9e3779b1u + v.x;
    sum.y = sum.y * 0x85ebca77u + v.y;
    sum.z = sum.z * 0xc2b2ae3du + v.z;
    sum.w = sum.w * 0x27d4eb2fu + v.w;
}

/* The thread whose chunk Q of a place THREAD reads: the lanes of a warp read from all warps. */
static __host__ __device__ inline int read_by(int thread, int q, int warps)
{
    return (thread / 32 + thread % 32 + q) % warps * 32 + thread % 32;
}

#endif
