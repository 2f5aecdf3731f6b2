/* SPDX-License-Identifier: Apache-2.0 */
/* As much of CUDA's run time as the kernels use, for a CPU; emulator.cpp runs their threads. */
#ifndef TEST_CUDA_RUNTIME_H
#define TEST_CUDA_RUNTIME_H

#include <algorithm>
#include <cstddef>
#include <cstdint>

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__

using std::max;
using std::min;

struct uint4 {
    uint32_t x, y, z, w;
};
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return {x, y, z, w};
}

struct coordinates {
    unsigned x;
};
extern coordinates threadIdx, blockIdx;

void block_barrier();
inline void __syncthreads()
{
    block_barrier();
}

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue };
using cudaStream_t = void *;

[[noreturn]] void emulator_fail(const char *why);
#define SWP_WAIT_VM(n) wait_groups(n)
#define SWP_WAIT_LGKM(n) ((void)0)
#define SWP_BARRIER() block_barrier()
#define SWP_BAD_TILES(ctx, n) emulator_fail("a number of tiles that the schedule does not take")

#endif
