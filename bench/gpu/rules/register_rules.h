/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that an access in flight reads or writes. */
#ifndef SWP_BENCH_REGISTER_RULES_H
#define SWP_BENCH_REGISTER_RULES_H

#include "accesses.h"

/* Use of a register waits for the load that writes it. */
__global__ void use_of_loaded_register(arguments a)
{
    ROUNDS_OF(r)
    {
        const uint4 *from = cold_chunk(a, r, 0);
        COUNT_WRONG(a, load_global(from) != number_of(a, from));
    }
}

/* The same retires the older copies of its thread: cp.async, then a fast load whose value is used. */
__global__ void use_retires_older_copy(arguments a)
{
    __shared__ uint4 place[THREADS];
    const uint4 *fast = cold_chunk(a, 0, 1);
    load_global(fast);
    ROUNDS_OF(r)
    {
        const uint4 *from = cold_chunk(a, r, 0);
        copy_async(&place[threadIdx.x], from);
        commit();
        const uint32_t v = load_global(fast); /* counted after the copy */
        /* v is small: this is its use, and keeps the read behind it */
        COUNT_WRONG(a, load_shared(&place[threadIdx.x + (v >> 30)]) != number_of(a, from));
        wait_group<0>();
    }
}

/* Overwriting a register that a store in flight reads: the store must have the old value... */
__global__ void overwrite_of_stored_register(arguments a)
{
    uint4 *to = a.out + blockIdx.x * THREADS + threadIdx.x;
    uint32_t v = 1 + (a.seed >> 31); /* 1, which ptxas cannot know */
    ROUNDS_OF(r)
    {
        store_global(to, v);
        asm volatile("mov.u32 %0, %1;" : "=r"(v) : "r"(r + 2));
        COUNT_WRONG(a, load_global(to) != uint32_t(r + 1));
    }
}

/* ... but that it was overwritten retires neither the store nor the copy before it. */
__global__ void overwrite_retires_older_copy(arguments a)
{
    __shared__ uint4 place[THREADS];
    uint4 *to = a.out + blockIdx.x * THREADS + threadIdx.x;
    uint32_t v = 1 + (a.seed >> 31); /* 1, which ptxas cannot know */
    ROUNDS_OF(r)
    {
        const uint4 *from = cold_chunk(a, r, 0);
        copy_async(&place[threadIdx.x], from);
        commit();
        store_global(to, v); /* counted after the copy */
        commit();
        asm volatile("add.u32 %0, %0, 1;" : "+r"(v));
        /* v is small: this only keeps the read behind it */
        COUNT_WRONG(a, load_shared(&place[threadIdx.x + (v >> 16)]) != number_of(a, from));
        wait_group<0>();
    }
    store_global(to, v);
}

/* Loading a register that an older load in flight writes: the second value is there... */
__global__ void overwrite_of_loading_register(arguments a)
{
    ROUNDS_OF(r)
    {
        const uint4 *first = cold_chunk(a, r, 0), *second = cold_chunk(a, 0, 1);
        uint32_t v;
        asm volatile("ld.global.u32 %0, [%1];\n"
                     "ld.global.u32 %0, [%2];"
                     : "=&r"(v)
                     : "l"(first), "l"(second)
                     : "memory");
        COUNT_WRONG(a, v != number_of(a, second));
    }
}

/* ... but it retires nothing older; ptxas leaves the first load out, for nobody can see its value. */
__global__ void overwrite_of_loading_retires_copy(arguments a)
{
    __shared__ uint4 place[THREADS];
    const uint4 *fast = cold_chunk(a, 0, 1);
    load_global(fast);
    ROUNDS_OF(r)
    {
        const uint4 *from = cold_chunk(a, r, 0);
        copy_async(&place[threadIdx.x], from);
        commit();
        uint32_t v;
        asm volatile("ld.global.u32 %0, [%1];\n"
                     "mov.u32 %0, %2;"
                     : "=&r"(v)
                     : "l"(fast), "r"(r)
                     : "memory");
        COUNT_WRONG(a, load_shared(&place[threadIdx.x]) != number_of(a, from) || v != uint32_t(r));
        wait_group<0>();
    }
}

/* mma.sync has read its registers when ldmatrix loads the next ones into them, and waits for those. */
__global__ void registers_of_mma(arguments a)
{
    __shared__ uint4 place[2][THREADS];
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t bytes = 0x01010101u * (i + 1);
        place[i][threadIdx.x] = make_uint4(bytes, bytes, bytes, bytes);
    }
    __syncwarp();
    uint32_t f[4];
    load_matrix(f, &place[0][threadIdx.x]);
    ROUNDS_OF(r)
    {
        int c[4] = {};
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%4, %5}, {%0, %1, %2, %3};"
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                     : "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3]));
        load_matrix(f, &place[(r + 1) & 1][threadIdx.x]);
        const int want = r & 1 ? 32 * 2 * 2 : 32;
        COUNT_WRONG(a, c[0] != want || c[1] != want || c[2] != want || c[3] != want);
    }
}

#endif
