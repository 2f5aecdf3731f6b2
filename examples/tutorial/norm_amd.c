/* SPDX-License-Identifier: Apache-2.0 */
/* docs/tutorial.md: the same for gfx950, around the header of norm_amd.yaml. */
#include "norm_amd.h"

#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
typedef float four __attribute__((ext_vector_type(4)));

enum { THREADS = 64 * NORM_WAVES, ACCESS = 16 * THREADS }; // bytes that all threads move at once

static LDS char tiles[NORM_SLOTS_X][NORM_BYTES_X]
    __attribute__((loader_uninitialized, aligned(16)));

typedef struct block {
    __amdgpu_buffer_rsrc_t from;
    int in_tile; // byte of the lane in what its wave moves
    int wave;
    four part[4];
    float sum;
} block;

// LOAD: four accesses of 16 bytes a lane, from memory to LDS. Each lane reads there what it has loaded.
static void load(const block *b, int i, int slot)
{
    for (int n = 0; n < NORM_LOAD_VM_COST; n++)
        __asm__ volatile(
            "s_mov_b32 m0, %0\n\ts_nop 0\n\tbuffer_load_dwordx4 %1, %2, %3 offen lds" ::"s"(
                tiles[slot] + n * ACCESS + b->wave * 1024),
            "v"(b->in_tile), "s"(b->from), "s"(i * NORM_BYTES_X + n * ACCESS)
            : "memory");
}

// READ: four reads of 16 bytes a lane.
static void read(block *b, int slot)
{
    for (int n = 0; n < NORM_READ_LGKM_COST; n++)
        b->part[n] = *(LDS four *)(tiles[slot] + n * ACCESS + b->in_tile);
}

static void add(block *b)
{
    for (int n = 0; n < 4; n++)
        for (int e = 0; e < 4; e++)
            b->sum += b->part[n][e] * b->part[n][e];
}

#define NORM_LOAD(ctx, i, X) load(ctx, i, X)
#define NORM_READ(ctx, i, R, X) read(ctx, X)
#define NORM_ADD(ctx, i, SUM, R) add(ctx)

__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(THREADS, THREADS))) void
norm(GLOBAL const char *x, int tiles_a_block, GLOBAL float *out)
{
    const int thread = (int)__builtin_amdgcn_workitem_id_x();
    const int first = (int)__builtin_amdgcn_workgroup_id_x() * tiles_a_block;
    block b = {.from = __builtin_amdgcn_make_buffer_rsrc((void *)(x + (long)first * NORM_BYTES_X),
                                                         0, tiles_a_block * NORM_BYTES_X, 0x27000),
               .in_tile = thread * 16,
               .wave = __builtin_amdgcn_readfirstlane(thread / 64)};
    NORM_RUN(&b, tiles_a_block, 0);
    out[first / tiles_a_block * THREADS + thread] = b.sum; // one sum a thread
}
