/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async groups and their waits. */
#ifndef SWP_BENCH_COPY_RULES_H
#define SWP_BENCH_COPY_RULES_H

#include "accesses.h"

/* A wait leaves as many groups as it says, and retires what is older. */
template <int LEFT> __device__ void wait_leaves(arguments a)
{
    __shared__ uint4 place[2][THREADS];
    ROUNDS_OF(r)
    {
        for (int q = 0; q < 2; q++) {
            copy_async(&place[q][threadIdx.x], cold_chunk(a, r, q));
            commit();
        }
        wait_group<LEFT>();
        COUNT_WRONG(a, load_shared(&place[0][threadIdx.x]) != number_of(a, cold_chunk(a, r, 0)));
        wait_group<0>();
    }
}
__global__ void wait_retires_older_group(arguments a)
{
    wait_leaves<1>(a);
}
__global__ void wait_too_weak(arguments a)
{
    wait_leaves<2>(a);
}

/* More groups than a scoreboard counts (63), of which a wait leaves FEW or MANY. */
template <int LEFT> __device__ void many_groups(arguments a)
{
    __shared__ uint4 place[MANY_GROUPS][32];
    if (threadIdx.x >= 32)
        return;
    for (int r = 0; r < 2; r++) {
        const uint4 *from = cold_chunk(a, 0, 0) + size_t(r) * MANY_GROUPS * 32;
#pragma unroll
        for (int g = 0; g < MANY_GROUPS; g++) {
            copy_async(&place[g][threadIdx.x], from + size_t(g) * BLOCKS * THREADS / 2);
            commit();
        }
        wait_group<LEFT>();
#pragma unroll
        for (int g = 0; g < MANY_GROUPS - LEFT; g++)
            COUNT_WRONG(a, load_shared(&place[g][threadIdx.x]) !=
                               number_of(a, from + size_t(g) * BLOCKS * THREADS / 2));
        wait_group<0>();
    }
}
__global__ void many_groups_few_left(arguments a)
{
    many_groups<10>(a);
}
__global__ void many_groups_many_left(arguments a)
{
    many_groups<70>(a);
}

/* A wait alone, without a barrier, shows nothing to other warps; with one it does. */
template <bool BARRIER> __device__ void wait_then_other_warp(arguments a)
{
    __shared__ uint4 place[THREADS];
    ROUNDS_OF(r)
    {
        dawdle(a, r);
        copy_async(&place[threadIdx.x], cold_chunk(a, r, 0));
        commit();
        wait_group<0>();
        if (BARRIER)
            __syncthreads();
        const int other = (threadIdx.x + 32) % THREADS;
        COUNT_WRONG(a, load_shared(&place[other]) !=
                           number_of(a, cold_chunk(a, r, 0) + other - int(threadIdx.x)));
        __syncthreads();
    }
}
__global__ void wait_and_barrier(arguments a)
{
    wait_then_other_warp<true>(a);
}
__global__ void wait_without_barrier(arguments a)
{
    wait_then_other_warp<false>(a);
}

/* A barrier alone retires no copy. */
__global__ void barrier_retires_copy(arguments a)
{
    __shared__ uint4 place[THREADS];
    ROUNDS_OF(r)
    {
        copy_async(&place[threadIdx.x], cold_chunk(a, r, 0));
        commit();
        __syncthreads();
        COUNT_WRONG(a, load_shared(&place[threadIdx.x]) != number_of(a, cold_chunk(a, r, 0)));
        wait_group<0>();
        __syncthreads();
    }
}

/* Reading what a copy writes does not wait for it. */
__global__ void copy_then_read(arguments a)
{
    __shared__ uint4 place[THREADS];
    ROUNDS_OF(r)
    {
        copy_async(&place[threadIdx.x], cold_chunk(a, r, 0));
        commit();
        COUNT_WRONG(a, load_shared(&place[threadIdx.x]) != number_of(a, cold_chunk(a, r, 0)));
        wait_group<0>();
    }
}

#endif
