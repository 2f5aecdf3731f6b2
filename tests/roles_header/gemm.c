/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles, sums, and what is stored of them. */
#include "gemm.h"

#include <string.h>

enum { ROWS = 2, COLUMNS = 2, DEPTH = 4, MOST_SLOTS = 16 };

typedef struct tile {
    unsigned a[MOST_TEAMS * ROWS][DEPTH];
    unsigned b[DEPTH][COLUMNS];
} tile;

typedef unsigned sums[ROWS][COLUMNS];

static tile tiles[MOST_SLOTS];
static sums c[MOST_TEAMS];

static unsigned element_a(int row, int k)
{
    return (unsigned)((row * 7 + k * 11) % 13 - 6);
}

static unsigned element_b(int k, int column)
{
    return (unsigned)((k * 5 + column * 7) % 17 - 8);
}

/* A tile of A, then one of B. */
static void copy(const work *w, int part)
{
    tile *t = &tiles[w->slot];
    const int from = w->iteration * DEPTH;
    for (int k = 0; k < DEPTH && part == 0; k++)
        for (int row = 0; row < MOST_TEAMS * ROWS; row++)
            t->a[row][k] = element_a(row, from + k);
    for (int k = 0; k < DEPTH && part == 1; k++)
        for (int column = 0; column < COLUMNS; column++)
            t->b[k][column] = element_b(from + k, column);
}

void load(int i, int slot, mbarrier *m, int bytes)
{
    start_copy((work){.part = copy, .parts = 2, .iteration = i, .slot = slot}, m, bytes);
}

/* Adds half a product to three times what was there, so that another order comes to something else. */
static void multiply_half(const work *w, int part)
{
    const tile *t = &tiles[w->slot];
    const int from = part * DEPTH / 2;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            unsigned *sum = &c[w->team][row][column];
            *sum *= 3;
            for (int k = from; k < from + DEPTH / 2; k++)
                *sum += t->a[w->team * ROWS + row][k] * t->b[k][column];
        }
}

void multiply(int i, int slot)
{
    const int team = this_thread()->team;
    start_matrix(
        (work){.part = multiply_half, .parts = 2, .iteration = i, .slot = slot, .team = team});
}

/* ---- What the sums are after each tile ---- */

enum { PARTS = 3, STAGES = 4, HALVES = 2 };
typedef unsigned staged[MOST_TEAMS][PARTS];

static staged stages[STAGES];
static staged read_from[HALVES][MOST_TILES + 2], stored[HALVES][MOST_TILES + 2];

/* The iteration that a call names is in it, too: one for another iteration shows. */
static unsigned digest(int half, int i, int team, int part)
{
    unsigned sum = (unsigned)(part + PARTS * half) + 64 * (unsigned)i;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            sum = 5 * sum + c[team][row][column];
    return sum;
}

/* Each thread its own part. */
static void stage_half(int half, int i, int slot)
{
    const thread *t = this_thread();
    write_shared(&stages[slot][t->team][t->part], digest(half, i, t->team, t->part));
}

void stage(int i, int slot)
{
    stage_half(0, i, slot);
}

void stage_other(int i, int slot)
{
    stage_half(1, i, slot);
}

static void copy_half(int half, const work *w, int part)
{
    unsigned *read = read_from[half][w->iteration + 1][w->team];
    if (part < 0)
        memcpy(stored[half][w->iteration + 1][w->team], read, sizeof(unsigned[PARTS]));
    else
        read[part] = stages[w->slot][w->team][part];
}

static void copy_back(const work *w, int part)
{
    copy_half(0, w, part);
}

static void copy_other_back(const work *w, int part)
{
    copy_half(1, w, part);
}

void store(int i, int slot)
{
    const int team = this_thread()->team;
    start_store(
        (work){.part = copy_back, .parts = PARTS, .iteration = i, .slot = slot, .team = team});
}

void store_other(int i, int slot)
{
    const int team = this_thread()->team;
    start_store((work){
        .part = copy_other_back, .parts = PARTS, .iteration = i, .slot = slot, .team = team});
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

void look_at_sums(int n)
{
    const int team = this_thread()->team;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            if (c[team][row][column] != plain(n, team * ROWS + row, column))
                is_wrong("wrong numbers");
}

static bool is_stored(int half, int teams, int n)
{
    for (int team = 0; team < teams; team++)
        for (int i = 0; i < n; i++) {
            for (int row = 0; row < ROWS; row++)
                for (int column = 0; column < COLUMNS; column++)
                    c[team][row][column] = plain(i + 1, team * ROWS + row, column);
            for (int part = 0; part < PARTS; part++)
                if (stored[half][i + 1][team][part] != digest(half, i, team, part))
                    return false;
        }
    return true;
}

bool are_stores_right(int teams, int n)
{
    return is_stored(0, teams, n);
}

bool are_halves_right(int teams, int n)
{
    return is_stored(0, teams, n) && is_stored(1, teams, n);
}

void clear_gemm(void)
{
    memset(tiles, 0x5a, sizeof tiles);
    memset(c, 0, sizeof c);
    memset(stored, 0x5a, sizeof stored);
}
