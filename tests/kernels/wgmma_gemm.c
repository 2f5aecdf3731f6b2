/* SPDX-License-Identifier: Apache-2.0 */
/* C = A B on sm_90, modulo 2^32: cp.async, and wgmmas that may all be in flight, since they add to one accumulator in order. */
#include "kernel.h"

#include "wgmma_gemm_schedule.h"

enum { COLUMNS = 3, DEPTH = 2 * LOOP_WAVES };
typedef unsigned element;

#include "tile_gemm.h"

static unsigned element_a(int row, int k)
{
    return (unsigned)((row * 7 + k * 11) % 13 - 6);
}

static unsigned element_b(int k, int column)
{
    return (unsigned)((k * 5 + column * 7) % 17 - 8);
}

static void load_a(const task *t)
{
    load_tile_a(t, element_a);
}

static void load_b(const task *t)
{
    load_tile_b(t, element_b);
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
                sum += (*a)[k][t->wave * ROWS + row] * (*b)[k][column];
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
    clear(&C, wave);
}

static unsigned plain(int n, int row, int column)
{
    unsigned sum = 0;
    for (int k = 0; k < n * DEPTH; k++) {
        if (k % (DEPTH / 2) == 0)
            sum *= 3;
        sum += element_a(row, k) * element_b(k, column);
    }
    return sum;
}

static bool is_right(int n, int wave)
{
    return has_sums(&C, n, wave, plain);
}

const kernel the_kernel = {.waves = LOOP_WAVES,
                           .fenced = true,
                           .scoreboard = true,
                           .vm_max = 65535,
                           .lgkm_max = 65535,
                           .tell = tell,
                           .start = start,
                           .is_right = is_right};
