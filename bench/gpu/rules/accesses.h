/* SPDX-License-Identifier: Apache-2.0 */
/* The accesses that the programs are made of, each one instruction of PTX. */
#ifndef SWP_BENCH_ACCESSES_H
#define SWP_BENCH_ACCESSES_H

#include <cstddef>
#include <cstdint>
#include <vector_types.h>

enum { THREADS = 256, BLOCKS = 528, ROUNDS = 64, CHUNKS = 4, MANY_GROUPS = 96 };

struct arguments {
    const uint4 *cold; /* chunk c holds number c + 1 in all words */
    uint4 *out;
    unsigned long long *wrong;
    uint32_t seed;
};

__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return uint32_t(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void copy_async(uint4 *to, const uint4 *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
                 : "memory");
}
__device__ __forceinline__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int N> __device__ __forceinline__ void wait_group()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
__device__ __forceinline__ uint32_t load_shared(const void *from)
{
    uint32_t v;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(shared_address(from)) : "memory");
    return v;
}
__device__ __forceinline__ void store_shared(void *to, uint32_t v)
{
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared_address(to)), "r"(v) : "memory");
}
__device__ __forceinline__ uint32_t load_global(const void *from)
{
    uint32_t v;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    return v;
}
__device__ __forceinline__ void store_global(void *to, uint32_t v)
{
    asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(v) : "memory");
}

/* Chunk of this round that only this thread reads; cold, since each is read once. */
__device__ __forceinline__ const uint4 *cold_chunk(const arguments &a, int round, int q)
{
    return a.cold + ((size_t(round) * CHUNKS + q) * gridDim.x + blockIdx.x) * THREADS + threadIdx.x;
}
__device__ __forceinline__ uint32_t number_of(const arguments &a, const uint4 *chunk)
{
    return uint32_t(chunk - a.cold) + 1;
}

__device__ __forceinline__ void load_matrix(uint32_t (&f)[4], const uint4 *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                 : "r"(shared_address(row))
                 : "memory");
}

/* One warp in four dawdles. */
__device__ __forceinline__ void dawdle(const arguments &a, int round)
{
    const uint32_t mix =
        (a.seed + blockIdx.x * 7 + threadIdx.x / 32 * 13 + round * 29) * 2654435761u;
    if (mix >> 30 == 0)
        __nanosleep(mix >> 20 & 1023);
}

#define COUNT_WRONG(a, condition)                                                                  \
    do {                                                                                           \
        if (condition)                                                                             \
            atomicAdd((a).wrong, 1ull);                                                            \
    } while (0)
#define ROUNDS_OF(round) _Pragma("unroll 1") for (int round = 0; round < ROUNDS; round++)

#endif
