/* SPDX-License-Identifier: Apache-2.0 */
/* C = A B in floats, with B in four bits and a scale for each column and tile. A wave has two rows of A and unpacks a share of B. */
#include "kernel.h"

#include "int4_gemm_schedule.h"

#include <stdint.h>

enum { COLUMNS = 8, SHARE = 2, DEPTH = SHARE * LOOP_WAVES };
typedef float element;

#include "tile_gemm.h"

typedef uint32_t packed[SHARE]; /* a row of B, four bits a column */
typedef float scales[COLUMNS];
typedef float unpacked[SHARE][COLUMNS];

/* All sums of these are exact. */
static float element_a(int row, int k)
{
    return (float)((row * 7 + k * 11) % 13 - 6);
}

static int element_b(int k, int column)
{
    return (k * 5 + column * 3) % 16 - 8;
}

static float scale(int tile, int column)
{
    return (float)(1 + (tile * 3 + column) % 4) / 4;
}

static void load_a(const task *t)
{
    load_tile_a(t, element_a);
}

static void load_q(const task *t)
{
    packed *q = t->made[0];
    for (int k = 0; k < SHARE; k++) {
        (*q)[k] = 0;
        for (int column = 0; column < COLUMNS; column++) {
            const int number = element_b(t->iteration * DEPTH + t->wave * SHARE + k, column);
            (*q)[k] |= ((uint32_t)number & 15) << 4 * column;
        }
    }
}

static void load_s(const task *t)
{
    scales *s = t->made[0];
    for (int column = 0; column < COLUMNS; column++)
        (*s)[column] = scale(t->iteration, column);
}

static void unpack(const task *t)
{
    unpacked *d = t->made[0];
    const packed *q = t->read[0];
    const scales *s = t->read[1];
    for (int k = 0; k < SHARE; k++)
        for (int column = 0; column < COLUMNS; column++) {
            const int bits = (int)((*q)[k] >> 4 * column & 15);
            (*d)[k][column] = (float)(bits < 8 ? bits : bits - 16) * (*s)[column];
        }
}

static void store_b(const task *t)
{
    tile_b *tile = t->made[0];
    memcpy((*tile)[t->wave * SHARE], t->read[0], sizeof(unpacked));
}

SHARED_VALUE(A, tile_a);
SHARED_VALUE(B, tile_b);
REGISTERS(q, packed);
REGISTERS(s, scales);
REGISTERS(d, unpacked);
REGISTERS(a, fragment_a);
REGISTERS(b, tile_b);
REGISTERS(C, sums);

static const op LOAD_A = {"LOAD_A", VMCNT, LOOP_LOAD_A_VM_COST, .writes = {&A}, .work = load_a};
static const op LOAD_Q = {"LOAD_Q", VMCNT, LOOP_LOAD_Q_VM_COST, .writes = {&q}, .work = load_q};
static const op LOAD_S = {"LOAD_S", VMCNT, LOOP_LOAD_S_VM_COST, .writes = {&s}, .work = load_s};
static const op UNPACK = {"UNPACK", .writes = {&d}, .reads = {&q, &s}, .work = unpack};
static const op STORE_B = {"STORE_B",      LGKMCNT,       LOOP_STORE_B_LGKM_COST,
                           .writes = {&B}, .reads = {&d}, .work = store_b};
static const op FRAG_A = {"FRAG_A",       LGKMCNT,       LOOP_FRAG_A_LGKM_COST,
                          .writes = {&a}, .reads = {&A}, .work = read_a};
static const op FRAG_B = {"FRAG_B",       LGKMCNT,       LOOP_FRAG_B_LGKM_COST,
                          .writes = {&b}, .reads = {&B}, .work = read_b};
static const op MMA = {"MMA", .updates = {&C}, .reads = {&a, &b}, .work = multiply_fragments};

#define LOOP_LOAD_A(ctx, i, ...) TELL(LOAD_A, i, __VA_ARGS__)
#define LOOP_LOAD_Q(ctx, i, ...) TELL(LOAD_Q, i, __VA_ARGS__)
#define LOOP_LOAD_S(ctx, i, ...) TELL(LOAD_S, i, __VA_ARGS__)
#define LOOP_UNPACK(ctx, i, ...) TELL(UNPACK, i, __VA_ARGS__)
#define LOOP_STORE_B(ctx, i, ...) TELL(STORE_B, i, __VA_ARGS__)
#define LOOP_FRAG_A(ctx, i, ...) TELL(FRAG_A, i, __VA_ARGS__)
#define LOOP_FRAG_B(ctx, i, ...) TELL(FRAG_B, i, __VA_ARGS__)
#define LOOP_MMA(ctx, i, ...) TELL(MMA, i, __VA_ARGS__)

static void tell(int n)
{
    LOOP_RUN(NULL, n, 0);
}

static void start(int wave)
{
    clear(&C, wave);
}

static float plain(int n, int row, int column)
{
    float sum = 0;
    for (int k = 0; k < n * DEPTH; k++)
        sum += element_a(row, k) * (float)element_b(k, column) * scale(k / DEPTH, column);
    return sum;
}

static bool is_right(int n, int wave)
{
    return has_sums(&C, n, wave, plain);
}

const kernel the_kernel = {.waves = LOOP_WAVES,
                           .vm_max = 63,
                           .lgkm_max = 15,
                           .tell = tell,
                           .start = start,
                           .is_right = is_right};
