/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels of C = A B have alike, with tiles that the waves share: each has two rows of A. For a file that has said what an `element`
 * is, and COLUMNS and DEPTH, the extent of a tile along K.
 */
#ifndef TILE_GEMM_H
#define TILE_GEMM_H

#include "kernel.h"

#include <string.h>

enum { ROWS = 2 };

/* Along K in rows: the shares of a tile are parts of it along K, and each wave reads them all. */
typedef element tile_a[DEPTH][LOOP_WAVES * ROWS];
typedef element tile_b[DEPTH][COLUMNS];
typedef element fragment_a[DEPTH][ROWS];
typedef element sums[ROWS][COLUMNS];

static inline void load_tile_a(const task *t, element (*at)(int row, int k))
{
    tile_a *tile = t->made[0];
    for (int k = 0; k < DEPTH; k++)
        for (int row = 0; row < LOOP_WAVES * ROWS; row++)
            (*tile)[k][row] = at(row, t->iteration * DEPTH + k);
}

static inline void load_tile_b(const task *t, element (*at)(int k, int column))
{
    tile_b *tile = t->made[0];
    for (int k = 0; k < DEPTH; k++)
        for (int column = 0; column < COLUMNS; column++)
            (*tile)[k][column] = at(t->iteration * DEPTH + k, column);
}

static inline void read_a(const task *t)
{
    fragment_a *fragment = t->made[0];
    const tile_a *tile = t->read[0];
    for (int k = 0; k < DEPTH; k++)
        memcpy((*fragment)[k], &(*tile)[k][t->wave * ROWS], sizeof(*fragment)[k]);
}

static inline void read_b(const task *t)
{
    memcpy(t->made[0], t->read[0], sizeof(tile_b));
}

static inline void multiply_fragments(const task *t)
{
    sums *c = t->made[0];
    const fragment_a *a = t->read[0];
    const tile_b *b = t->read[1];
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            for (int k = 0; k < DEPTH; k++)
                (*c)[row][column] += (*a)[k][row] * (*b)[k][column];
}

static inline void clear(value *c, int wave)
{
    memset(last_version(c, wave, 0), 0, sizeof(sums));
}

/* Whether a wave's sums are what `plain` says of n tiles. */
static inline bool has_sums(value *v, int n, int wave, element (*plain)(int n, int row, int column))
{
    const sums *c = last_version(v, wave, n);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            if (!((*c)[row][column] == plain(n, wave * ROWS + row, column)))
                return false;
    return true;
}

#endif
