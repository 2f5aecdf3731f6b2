/* SPDX-License-Identifier: Apache-2.0 */
/* C = A B on sm_90, modulo 2^32: cp.async, and wgmmas that may all be in flight, since they add to one accumulator in order. */
#include "kernel.h"

#include "wgmma_gemm_schedule.h"

#include <string.h>

enum { ROWS = 2, COLUMNS = 3, DEPTH = 2 * LOOP_WAVES };

/* Along K in rows: the shares of a tile are parts of it along K, and each wave reads them all. */
typedef int tile_a[DEPTH][LOOP_WAVES * ROWS];
typedef int tile_b[DEPTH][COLUMNS];
typedef unsigned sums[ROWS][COLUMNS];

static int element_a(int row, int k)
{
    return (row * 7 + k * 11) % 13 - 6;
}

static int element_b(int k, int column)
{
    return (k * 5 + column * 7) % 17 - 8;
}

static void load_a(const task *t)
{
    tile_a *tile = t->made[0];
    for (int k = 0; k < DEPTH; k++)
        for (int row = 0; row < LOOP_WAVES * ROWS; row++)
            (*tile)[k][row] = element_a(row, t->iteration * DEPTH + k);
}

static void load_b(const task *t)
{
    tile_b *tile = t->made[0];
    for (int k = 0; k < DEPTH; k++)
        for (int column = 0; column < COLUMNS; column++)
            (*tile)[k][column] = element_b(t->iteration * DEPTH + k, column);
}

/* Adds the product of half a tile to three times what was there, so that another order of the ops comes to something else. */
static void multiply(const task *t, int from)
{
    sums *c = t->made[0];
    const tile_a *a = t->read[0];
    const tile_b *b = t->read[1];
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            unsigned sum = 0;
            for (int k = from; k < from + DEPTH / 2; k++)
                sum += (unsigned)(*a)[k][t->wave * ROWS + row] * (unsigned)(*b)[k][column];
            (*c)[row][column] = 3 * (*c)[row][column] + sum;
        }
}

static void multiply_first(const task *t)
{
    multiply(t, 0);
}

static void multiply_second(const task *t)
{
    multiply(t, DEPTH / 2);
}

SHARED_VALUE(A, tile_a);
SHARED_VALUE(B, tile_b);
REGISTERS(C, sums);

static const op LOAD_A = {"LOAD_A", COPY_GROUP, 1, .writes = {&A}, .work = load_a};
static const op LOAD_B = {"LOAD_B", COPY_GROUP, 1, .writes = {&B}, .work = load_b};
static const op MMA_0 = {"MMA_0",         MATRIX_GROUP,      1,
                         .updates = {&C}, .reads = {&A, &B}, .work = multiply_first};
static const op MMA_1 = {"MMA_1",         MATRIX_GROUP,      1,
                         .updates = {&C}, .reads = {&A, &B}, .work = multiply_second};

#define LOOP_LOAD_A(ctx, i, ...) TELL(LOAD_A, i, __VA_ARGS__)
#define LOOP_LOAD_B(ctx, i, ...) TELL(LOAD_B, i, __VA_ARGS__)
#define LOOP_MMA_0(ctx, i, ...) TELL(MMA_0, i, __VA_ARGS__)
#define LOOP_MMA_1(ctx, i, ...) TELL(MMA_1, i, __VA_ARGS__)

static void tell(int n)
{
    LOOP_RUN(NULL, n, 0);
}

static void start(int wave)
{
    memset(last_version(&C, wave, 0), 0, sizeof(sums));
}

static unsigned plain(int n, int row, int column)
{
    unsigned sum = 0;
    for (int k = 0; k < n * DEPTH; k++) {
        if (k % (DEPTH / 2) == 0)
            sum *= 3;
        sum += (unsigned)(element_a(row, k) * element_b(k, column));
    }
    return sum;
}

static bool is_right(int n, int wave)
{
    const sums *c = last_version(&C, wave, n);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            if ((*c)[row][column] != plain(n, wave * ROWS + row, column))
                return false;
    return true;
}

const kernel the_kernel = {.waves = LOOP_WAVES,
                           .fenced = true,
                           .scoreboard = true,
                           .vm_max = 65535,
                           .lgkm_max = 65535,
                           .tell = tell,
                           .start = start,
                           .is_right = is_right};
