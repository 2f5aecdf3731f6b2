/* SPDX-License-Identifier: Apache-2.0 */
/* What works beside the warps on sm_90: the copy engine and asynchronous MMAs. */
#ifndef SWP_BENCH_ENGINE_RULES_H
#define SWP_BENCH_ENGINE_RULES_H

#include "accesses.h"

#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
/* The copy engine's copies and their mbarrier. */
template <bool WAIT> __device__ void bulk_copy(arguments a)
{
    __shared__ __align__(128) uint4 place[THREADS];
    __shared__ uint64_t mbarriers[THREADS / 32];
    const int first = int(threadIdx.x) / 32 * 32;
    const bool issues = threadIdx.x % 32 == 0;
    const uint32_t mbarrier = shared_address(&mbarriers[threadIdx.x / 32]);
    if (issues)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(mbarrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    ROUNDS_OF(r)
    {
        const uint4 *from = cold_chunk(a, r, 0);
        if (issues) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(mbarrier)
                         : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                         "[%1], 512, [%2];" ::"r"(shared_address(&place[first])),
                         "l"(from), "r"(mbarrier)
                         : "memory");
        }
        __syncwarp();
        const uint32_t early = load_shared(&place[threadIdx.x]);
        uint32_t done = 0;
        while (!done)
            asm volatile("{\n"
                         ".reg .pred p;\n"
                         "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                         "selp.u32 %0, 1, 0, p;\n"
                         "}\n"
                         : "=r"(done)
                         : "r"(mbarrier), "r"(r & 1)
                         : "memory");
        const uint32_t late = load_shared(&place[threadIdx.x]);
        COUNT_WRONG(a, (WAIT ? late : early) != number_of(a, from));
        __syncthreads(); /* all have read when the next copy begins */
    }
}
#else
template <bool WAIT> __device__ void bulk_copy(arguments)
{
}
#endif
__global__ void mbarrier_retires_copy(arguments a)
{
    bulk_copy<true>(a);
}
__global__ void no_mbarrier_wait(arguments a)
{
    bulk_copy<false>(a);
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || !defined(__CUDA_ARCH__)
enum { CHAIN = 64, PRODUCTS = 32 };

/* K-major without swizzle; all bytes of the place are alike, so that its layout does not matter. */
__device__ __forceinline__ uint64_t matrix_at(const void *place)
{
    return uint64_t(shared_address(place) >> 4 & 0x3fff) | uint64_t(8) << 16 | uint64_t(16) << 32;
}
__device__ __forceinline__ void begin_wgmma()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void wait_wgmma()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
__device__ __forceinline__ void fill_place(uint4 *place, uint32_t bytes)
{
    for (int word = 0; word < 4; word++)
        store_shared(reinterpret_cast<uint32_t *>(&place[threadIdx.x]) + word, bytes);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Asynchronous MMAs that read shared memory, a barrier, and what they read is overwritten. */
template <bool WAIT> __device__ void wgmma_then_barrier(arguments a)
{
    __shared__ __align__(128) uint4 place[THREADS];
    ROUNDS_OF(r)
    {
        fill_place(place, 0x01010101u);
        __syncthreads();
        int d[4] = {};
        const uint64_t matrix = matrix_at(place);
        begin_wgmma();
#pragma unroll
        for (int i = 0; i < CHAIN; i++)
            asm volatile(
                "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0, %1, %2, %3}, %4, %4, 1;"
                : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                : "l"(matrix));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (WAIT)
            wait_wgmma();
        __syncthreads();
        fill_place(place, 0x02020202u);
        wait_wgmma();
        for (int i = 0; i < 4; i++)
            COUNT_WRONG(a, d[i] != CHAIN * PRODUCTS);
        __syncthreads();
    }
}
#else
template <bool WAIT> __device__ void wgmma_then_barrier(arguments)
{
}
#endif
__global__ void wgmma_wait_and_barrier(arguments a)
{
    wgmma_then_barrier<true>(a);
}
__global__ void barrier_retires_wgmma(arguments a)
{
    wgmma_then_barrier<false>(a);
}

#endif
