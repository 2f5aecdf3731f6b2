/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks share: random matrices on the GPU, and when an element of a product is right. */
#ifndef SWP_BENCH_GPU_DATA_H
#define SWP_BENCH_GPU_DATA_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#define TRY(call) try_cuda((call), #call, __LINE__)

static void try_cuda(cudaError_t error, const char *what, int line)
{
    if (error == cudaSuccess)
        return;
    std::printf("line %d: %s: %s\n", line, what, cudaGetErrorString(error));
    std::exit(2);
}

namespace
{

using bf16 = __nv_bfloat16;
constexpr unsigned THREADS = 256;
constexpr uint16_t POISON = 0x7fff; /* NaN */
enum data { INTEGERS, REALS };
constexpr double ROUNDING = 1.0 / 256 + 1e-5; /* of one element to bf16, at most */

struct tally {
    unsigned long long wrong;
    double error, norm; /* sums of squares */
};

unsigned blocks_for(int64_t count)
{
    const int64_t blocks = (count + THREADS - 1) / THREADS;
    return unsigned(blocks < 65536 ? blocks : 65536);
}

/* A hash of a position: random data without a state (Steele et al. 2014, SplitMix). */
__device__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/* Integers -2 to 2, or reals -1 to 1; poison between the rows. */
__global__ void fill(bf16 *m, int64_t rows, int columns, int stride, data kind, uint64_t seed)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * stride; i += step) {
        const uint64_t bits = mix(seed + uint64_t(i));
        const float value = kind == INTEGERS ? float(int(bits % 5) - 2)
                                             : float(int64_t(bits >> 40) - (1 << 23)) / (1 << 23);
        m[i] = i % stride < columns ? __float2bfloat16_rn(value) : __ushort_as_bfloat16(POISON);
    }
}

/*
 * Integers: the rounded reference itself. Reals: half a unit in the last place of bf16, and what fp32
 * accumulation may lose; a missing or doubled product of a tile is far more.
 */
__device__ bool is_right(bf16 found, double expected, data kind, int k)
{
    const double value = double(float(found));
    if (kind == INTEGERS)
        return value == double(float(__float2bfloat16_rn(float(expected))));
    return fabs(value - expected) <= fabs(expected) / 256 + 1e-6 * k; /* false for NaN */
}

} // namespace

#endif
