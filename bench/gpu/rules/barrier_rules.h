/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory, between the warps of a block and in one thread. */
#ifndef SWP_BENCH_BARRIER_RULES_H
#define SWP_BENCH_BARRIER_RULES_H

#include "accesses.h"

/* The fenced barrier: st.shared and ld.shared before it are done for all warps behind it. The values read are looked
 * at after the barrier, so that only the barrier can have waited for the loads. */
enum meeting { ALIGNED, NAMED, NONE };
template <meeting HOW> __device__ __forceinline__ void meet()
{
    if (HOW == ALIGNED)
        __syncthreads();
    else if (HOW == NAMED)
        asm volatile("barrier.sync 1;" ::: "memory");
}

template <meeting HOW> __device__ void stores_then_loads(arguments a)
{
    __shared__ uint32_t place[THREADS];
    ROUNDS_OF(r)
    {
        dawdle(a, r);
        store_shared(&place[threadIdx.x], r * THREADS + threadIdx.x);
        meet<HOW>();
        const int other = (threadIdx.x + 96) % THREADS;
        COUNT_WRONG(a, load_shared(&place[other]) != uint32_t(r * THREADS + other));
        __syncthreads();
    }
}
__global__ void barrier_after_store(arguments a)
{
    stores_then_loads<ALIGNED>(a);
}
__global__ void named_barrier_after_store(arguments a)
{
    stores_then_loads<NAMED>(a);
}
__global__ void no_barrier_after_store(arguments a)
{
    stores_then_loads<NONE>(a);
}

/* Reads, a barrier, and then a store or a fast copy of another warp over what was read. */
template <meeting HOW, bool COPY> __device__ void loads_then_writes(arguments a)
{
    __shared__ uint4 place[CHUNKS][THREADS];
    const uint4 *fast = a.cold + blockIdx.x * THREADS + threadIdx.x;
    load_global(fast);
    ROUNDS_OF(r)
    {
        for (int q = 0; q < CHUNKS; q++)
            store_shared(&place[q][threadIdx.x], ~uint32_t(r));
        __syncthreads();
        dawdle(a, r);
        const int other = (threadIdx.x + 96) % THREADS;
        uint32_t v[CHUNKS];
#pragma unroll
        for (int q = 0; q < CHUNKS; q++)
            v[q] = load_shared(&place[q][other]);
        meet<HOW>();
        for (int q = 0; q < CHUNKS; q++)
            if (COPY)
                copy_async(&place[q][threadIdx.x], fast);
            else
                store_shared(&place[q][threadIdx.x], 1);
        commit();
        for (int q = 0; q < CHUNKS; q++)
            COUNT_WRONG(a, v[q] != ~uint32_t(r));
        wait_group<0>();
        __syncthreads();
    }
}
__global__ void barrier_before_store(arguments a)
{
    loads_then_writes<ALIGNED, false>(a);
}
__global__ void barrier_before_copy(arguments a)
{
    loads_then_writes<ALIGNED, true>(a);
}
__global__ void named_barrier_before_copy(arguments a)
{
    loads_then_writes<NAMED, true>(a);
}
__global__ void no_barrier_before_copy(arguments a)
{
    loads_then_writes<NONE, true>(a);
}

/* Shared memory operations of one thread take effect in the order of issue. (Volatile: ptxas would hand on the stored
 * value in a register.) */
__global__ void shared_in_order(arguments a)
{
    __shared__ volatile uint32_t place[THREADS];
    const uint32_t at = threadIdx.x * 33 % THREADS;
    ROUNDS_OF(r)
    {
        place[at] = r;
        const uint32_t first = place[at];
        place[at] = ~uint32_t(r);
        const uint32_t second = place[at];
        COUNT_WRONG(a, first != uint32_t(r) || second != ~uint32_t(r));
    }
}

#endif
