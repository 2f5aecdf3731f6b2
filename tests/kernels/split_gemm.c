/* SPDX-License-Identifier: Apache-2.0 */
/* C = A B in integers, halves of A and B in three buffers each. A wave has two rows in each half of A. */
#include "kernel.h"

#include "split_gemm_schedule.h"

#include <string.h>

enum { ROWS = 2, COLUMNS = 3, DEPTH = 2 * LOOP_WAVES };

/* Along K in rows, so that the shares of a tile are parts of it along K, and each wave reads them all. */
typedef int tile_a[DEPTH][LOOP_WAVES * ROWS];
typedef int tile_b[DEPTH][COLUMNS];
typedef int fragment_a[DEPTH][ROWS];
typedef int sums[ROWS][COLUMNS];

static int element_a(int half, int row, int k)
{
    return (half * 5 + row * 7 + k * 11) % 13 - 6;
}

static int element_b(int half, int k, int column)
{
    return (half * 3 + k * 5 + column * 7) % 17 - 8;
}

static void load_a(const task *t, int half)
{
    tile_a *tile = t->made[0];
    for (int k = 0; k < DEPTH; k++)
        for (int row = 0; row < LOOP_WAVES * ROWS; row++)
            (*tile)[k][row] = element_a(half, row, t->iteration * DEPTH + k);
}

static void load_b(const task *t, int half)
{
    tile_b *tile = t->made[0];
    for (int k = 0; k < DEPTH; k++)
        for (int column = 0; column < COLUMNS; column++)
            (*tile)[k][column] = element_b(half, t->iteration * DEPTH + k, column);
}

static void load_a0(const task *t)
{
    load_a(t, 0);
}

static void load_a1(const task *t)
{
    load_a(t, 1);
}

static void load_b0(const task *t)
{
    load_b(t, 0);
}

static void load_b1(const task *t)
{
    load_b(t, 1);
}

static void read_a(const task *t)
{
    fragment_a *fragment = t->made[0];
    const tile_a *tile = t->read[0];
    for (int k = 0; k < DEPTH; k++)
        memcpy((*fragment)[k], &(*tile)[k][t->wave * ROWS], sizeof(*fragment)[k]);
}

static void read_b(const task *t)
{
    memcpy(t->made[0], t->read[0], sizeof(tile_b));
}

static void multiply(const task *t)
{
    sums *c = t->made[0];
    const fragment_a *a = t->read[0];
    const tile_b *b = t->read[1];
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            for (int k = 0; k < DEPTH; k++)
                (*c)[row][column] += (int)((unsigned)(*a)[k][row] * (unsigned)(*b)[k][column]);
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
static const op MMA_00 = {"MMA_00", .updates = {&c00}, .reads = {&a0, &b0}, .work = multiply};
static const op MMA_01 = {"MMA_01", .updates = {&c01}, .reads = {&a0, &b1}, .work = multiply};
static const op MMA_10 = {"MMA_10", .updates = {&c10}, .reads = {&a1, &b0}, .work = multiply};
static const op MMA_11 = {"MMA_11", .updates = {&c11}, .reads = {&a1, &b1}, .work = multiply};

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

static value *const all_sums[] = {&c00, &c01, &c10, &c11};

static void start(int wave)
{
    for (int i = 0; i < 4; i++)
        memset(last_version(all_sums[i], wave, 0), 0, sizeof(sums));
}

static int plain(int n, int half_a, int half_b, int row, int column)
{
    int sum = 0;
    for (int k = 0; k < n * DEPTH; k++)
        sum += element_a(half_a, row, k) * element_b(half_b, k, column);
    return sum;
}

static bool is_right(int n, int wave)
{
    for (int i = 0; i < 4; i++) {
        const sums *c = last_version(all_sums[i], wave, n);
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < COLUMNS; column++)
                if ((*c)[row][column] != plain(n, i / 2, i % 2, wave * ROWS + row, column))
                    return false;
    }
    return true;
}

const kernel the_kernel = {.waves = LOOP_WAVES,
                           .vm_max = 63,
                           .lgkm_max = 15,
                           .tell = tell,
                           .start = start,
                           .is_right = is_right};
