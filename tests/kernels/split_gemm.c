/* SPDX-License-Identifier: Apache-2.0 */
/* C = A B modulo 2^32, halves of A and B in three buffers each. A wave has two rows in each half of A. */
#include "kernel.h"

#include "split_gemm_schedule.h"

enum { COLUMNS = 3, DEPTH = 2 * LOOP_WAVES };
typedef unsigned element;

#include "tile_gemm.h"

static unsigned element_a0(int row, int k)
{
    return (unsigned)((row * 7 + k * 11) % 13 - 6);
}

static unsigned element_a1(int row, int k)
{
    return (unsigned)((5 + row * 7 + k * 11) % 13 - 6);
}

static unsigned element_b0(int k, int column)
{
    return (unsigned)((k * 5 + column * 7) % 17 - 8);
}

static unsigned element_b1(int k, int column)
{
    return (unsigned)((3 + k * 5 + column * 7) % 17 - 8);
}

static void load_a0(const task *t)
{
    load_tile_a(t, element_a0);
}

static void load_a1(const task *t)
{
    load_tile_a(t, element_a1);
}

static void load_b0(const task *t)
{
    load_tile_b(t, element_b0);
}

static void load_b1(const task *t)
{
    load_tile_b(t, element_b1);
}

SHARED_VALUE(A0, tile_a);
SHARED_VALUE(A1, tile_a);
SHARED_VALUE(B0, tile_b);
SHARED_VALUE(B1, tile_b);
REGISTERS(a0, fragment_a);
REGISTERS(a1, fragment_a);
REGISTERS(b0, tile_b);
REGISTERS(b1, tile_b);
REGISTERS(c00, sums);
REGISTERS(c01, sums);
REGISTERS(c10, sums);
REGISTERS(c11, sums);

static const op LOAD_A0 = {"LOAD_A0", VMCNT, LOOP_LOAD_A0_VM_COST, .writes = {&A0},
                           .work = load_a0};
static const op LOAD_A1 = {"LOAD_A1", VMCNT, LOOP_LOAD_A1_VM_COST, .writes = {&A1},
                           .work = load_a1};
static const op LOAD_B0 = {"LOAD_B0", VMCNT, LOOP_LOAD_B0_VM_COST, .writes = {&B0},
                           .work = load_b0};
static const op LOAD_B1 = {"LOAD_B1", VMCNT, LOOP_LOAD_B1_VM_COST, .writes = {&B1},
                           .work = load_b1};
static const op FRAG_A0 = {"FRAG_A0",       LGKMCNT,        LOOP_FRAG_A0_LGKM_COST,
                           .writes = {&a0}, .reads = {&A0}, .work = read_a};
static const op FRAG_A1 = {"FRAG_A1",       LGKMCNT,        LOOP_FRAG_A1_LGKM_COST,
                           .writes = {&a1}, .reads = {&A1}, .work = read_a};
static const op FRAG_B0 = {"FRAG_B0",       LGKMCNT,        LOOP_FRAG_B0_LGKM_COST,
                           .writes = {&b0}, .reads = {&B0}, .work = read_b};
static const op FRAG_B1 = {"FRAG_B1",       LGKMCNT,        LOOP_FRAG_B1_LGKM_COST,
                           .writes = {&b1}, .reads = {&B1}, .work = read_b};
static const op MMA_00 = {"MMA_00", .updates = {&c00}, .reads = {&a0, &b0},
                          .work = multiply_fragments};
static const op MMA_01 = {"MMA_01", .updates = {&c01}, .reads = {&a0, &b1},
                          .work = multiply_fragments};
static const op MMA_10 = {"MMA_10", .updates = {&c10}, .reads = {&a1, &b0},
                          .work = multiply_fragments};
static const op MMA_11 = {"MMA_11", .updates = {&c11}, .reads = {&a1, &b1},
                          .work = multiply_fragments};

#define LOOP_LOAD_A0(ctx, i, ...) TELL(LOAD_A0, i, __VA_ARGS__)
#define LOOP_LOAD_A1(ctx, i, ...) TELL(LOAD_A1, i, __VA_ARGS__)
#define LOOP_LOAD_B0(ctx, i, ...) TELL(LOAD_B0, i, __VA_ARGS__)
#define LOOP_LOAD_B1(ctx, i, ...) TELL(LOAD_B1, i, __VA_ARGS__)
#define LOOP_FRAG_A0(ctx, i, ...) TELL(FRAG_A0, i, __VA_ARGS__)
#define LOOP_FRAG_A1(ctx, i, ...) TELL(FRAG_A1, i, __VA_ARGS__)
#define LOOP_FRAG_B0(ctx, i, ...) TELL(FRAG_B0, i, __VA_ARGS__)
#define LOOP_FRAG_B1(ctx, i, ...) TELL(FRAG_B1, i, __VA_ARGS__)
#define LOOP_MMA_00(ctx, i, ...) TELL(MMA_00, i, __VA_ARGS__)
#define LOOP_MMA_01(ctx, i, ...) TELL(MMA_01, i, __VA_ARGS__)
#define LOOP_MMA_10(ctx, i, ...) TELL(MMA_10, i, __VA_ARGS__)
#define LOOP_MMA_11(ctx, i, ...) TELL(MMA_11, i, __VA_ARGS__)

static void tell(int n)
{
    LOOP_RUN(NULL, n, 0);
}

#define PLAIN(A, B)                                                                                \
    static unsigned plain_##A##B(int n, int row, int column)                                       \
    {                                                                                              \
        unsigned sum = 0;                                                                          \
        for (int k = 0; k < n * DEPTH; k++)                                                        \
            sum += element_a##A(row, k) * element_b##B(k, column);                                 \
        return sum;                                                                                \
    }
PLAIN(0, 0)
PLAIN(0, 1)
PLAIN(1, 0)
PLAIN(1, 1)

static const struct {
    value *sums;
    unsigned (*plain)(int n, int row, int column);
} parts[] = {{&c00, plain_00}, {&c01, plain_01}, {&c10, plain_10}, {&c11, plain_11}};

static void start(int wave)
{
    for (int i = 0; i < 4; i++)
        clear(parts[i].sums, wave);
}

static bool is_right(int n, int wave)
{
    for (int i = 0; i < 4; i++)
        if (!has_sums(parts[i].sums, n, wave, parts[i].plain))
            return false;
    return true;
}

const kernel the_kernel = {.waves = LOOP_WAVES,
                           .vm_max = 63,
                           .lgkm_max = 15,
                           .tell = tell,
                           .start = start,
                           .is_right = is_right};
