/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ops of an emitted header do when a schedule is run on integers. What an op comes to is a number
 * that tells apart the op, its iteration and all that it read, so that an access in the wrong order changes
 * the results. check.cu does the same sums iteration by iteration.
 *
 * A place in shared memory is CHUNKS times a chunk of 16 bytes for each thread. A thread writes its own
 * chunks, and reads chunks of all warps. The generated source defines THREADS and CHUNKS.
 */
#ifndef SWP_BENCH_INTEGERS_H
#define SWP_BENCH_INTEGERS_H

#include "kernel.h"
#include "sums.h"

namespace
{

__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return uint32_t(__cvta_generic_to_shared(p));
}

/* Groups of warps that meet at different instructions need the barrier that is not aligned. */
__device__ __forceinline__ void meet()
{
    if (GROUPS > 1)
        asm volatile("barrier.sync 1;" ::: "memory");
    else
        __syncthreads();
}

} // namespace

#ifdef LOADS_ARE_BULK
#include "bulk_loads.h"
#else
#include "group_loads.h"
#endif

namespace
{

/* What all ops of a thread have in common; the registers are the generated source's. */
struct thread_state {
    ::loads loads;
    const uint4 *inputs;
    uint4 *shared, *stored;
    uint32_t random, odds, span;
};

/* Versions from before the loop are zeros. */
__device__ __forceinline__ void start(thread_state &t, const launch &l, uint4 *shared, int places)
{
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const bool pauses =
        (l.slow_warp < 0 || uint32_t(l.slow_warp) == warp) && (l.slow_lanes >> lane & 1) != 0;
    t.inputs = l.inputs + blockIdx.x * l.inputs_of_block;
    t.stored = l.stored + size_t(blockIdx.x) * MOST_TILES * THREADS;
    t.shared = shared;
    t.random = scramble(l.seed ^ scramble(blockIdx.x * 64 + warp));
    t.odds = pauses ? l.odds : 0;
    t.span = l.span;
    for (int i = threadIdx.x; i < places * CHUNKS * THREADS; i += THREADS)
        shared[i] = make_uint4(0, 0, 0, 0);
    t.loads.begin();
    __syncthreads();
}

/* Every op begins with it: this is how warps get out of step. */
__device__ __forceinline__ void pause(thread_state &t)
{
    t.random = t.random * 1664525u + 1013904223u;
    if (t.random >> 24 < t.odds)
        __nanosleep(t.random >> 8 & t.span);
}

/* Where the inputs of load number LOAD for iteration I begin. An iteration beyond them, which only an unsafe
 * schedule asks for, is brought back to the nearest. */
__device__ __forceinline__ const uint4 *inputs_of(const thread_state &t, int load, int i)
{
    const int inside = min(max(i, 0), MOST_TILES - 1);
    return t.inputs + size_t(load * MOST_TILES + inside) * CHUNKS * THREADS;
}

__device__ __forceinline__ uint4 *place(const thread_state &t, int number)
{
    return t.shared + number * CHUNKS * THREADS;
}

__device__ __forceinline__ void copy_place(thread_state &t, int number, int load, int i)
{
    t.loads.copy(place(t, number), inputs_of(t, load, i));
}

__device__ __forceinline__ void load_registers(thread_state &t, uint4 (&to)[CHUNKS], int load,
                                               int i)
{
#pragma unroll
    for (int q = 0; q < CHUNKS; q++)
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[q].x), "=r"(to[q].y), "=r"(to[q].z), "=r"(to[q].w)
                     : "l"(inputs_of(t, load, i) + q * THREADS + threadIdx.x));
}

__device__ __forceinline__ void store_registers(thread_state &t, int number,
                                                const uint4 (&from)[CHUNKS])
{
#pragma unroll
    for (int q = 0; q < CHUNKS; q++)
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(
                         shared_address(place(t, number) + q * THREADS + threadIdx.x)),
                     "r"(from[q].x), "r"(from[q].y), "r"(from[q].z), "r"(from[q].w)
                     : "memory");
}

__device__ __forceinline__ uint4 read_place(const thread_state &t, int number)
{
    const int thread = threadIdx.x;
    uint4 sum = make_uint4(0, 0, 0, 0);
#pragma unroll
    for (int q = 0; q < CHUNKS; q++) {
        const uint4 *from = place(t, number) + q * THREADS + read_by(thread, q, THREADS / 32);
        uint4 v;
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "r"(shared_address(from))
                     : "memory");
        add(sum, v);
    }
    return sum;
}

__device__ __forceinline__ void store_result(thread_state &t, int i, uint4 v)
{
    const int inside = min(max(i, 0), MOST_TILES - 1);
    asm volatile(
        "st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(t.stored + inside * THREADS + threadIdx.x),
        "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
        : "memory");
}

/* What an unsafe schedule leaves in flight must not land in the shared memory of the next block. */
template <int SUMS>
__device__ __forceinline__ void finish(thread_state &t, const launch &l, const uint4 (&sums)[SUMS])
{
    t.loads.end();
    __syncthreads();
    for (int s = 0; s < SUMS; s++)
        l.sums[(size_t(blockIdx.x) * SUMS + s) * THREADS + threadIdx.x] = sums[s];
}

} // namespace

#endif
