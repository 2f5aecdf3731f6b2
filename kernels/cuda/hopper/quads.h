/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the four threads of a quad do together with the sums of wgmmas: of a row they have two columns of each
 * eight (PTX ISA, "Register fragments for wgmma").
 */
#ifndef SWP_KERNELS_CUDA_HOPPER_QUADS_H
#define SWP_KERNELS_CUDA_HOPPER_QUADS_H

#include <cstdint>
#include <wgmma.h>

namespace
{

/* Of four eights in a row: thread q gets the whole of the q-th, as pairs of bf16. */
__device__ __forceinline__ void transpose_quad(uint32_t (&pairs)[4])
{
    const int q = int(threadIdx.x) % 4;
#pragma unroll
    for (int bit = 1; bit <= 2; bit *= 2)
#pragma unroll
        for (int low = 0; low < 4; low++)
            if (!(low & bit)) {
                const uint32_t got =
                    __shfl_xor_sync(~0u, q & bit ? pairs[low] : pairs[low | bit], bit);
                if (q & bit)
                    pairs[low] = got;
                else
                    pairs[low | bit] = got;
            }
}

__device__ __forceinline__ int greatest_of(int a, int b, int c)
{
    return max(max(a, b), c);
}

__device__ __forceinline__ float sum_of_quad(float x)
{
    x += __shfl_xor_sync(~0u, x, 1);
    return x + __shfl_xor_sync(~0u, x, 2);
}

__device__ __forceinline__ float greatest_of_quad(float x)
{
    x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
    return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}

} // namespace

#endif
