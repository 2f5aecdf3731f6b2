/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emitted header of gemm_fragments, run in order with tile numbers for data: each accumulator gets
 * every tile once, in order, for every number of tiles. Timing is the proof's business.
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST_TILES = 40 };

static int places[2][2][2];
static int fragments[2][2];
static int sums[2][2];
static int tiles;

static void load(int channel, int stage, int subtile, int tile)
{
    if (tile < 0 || tile >= tiles) {
        (void)printf("tile %d of %d is loaded\n", tile, tiles);
        exit(1);
    }
    places[channel][stage][subtile] = tile;
}

static void multiply(int row, int column, int tile)
{
    if (fragments[0][row] != tile || fragments[1][column] != tile || sums[row][column] != tile) {
        (void)printf("N = %d: MMA %d,%d of tile %d has tiles %d and %d after %d\n", tiles, row,
                     column, tile, fragments[0][row], fragments[1][column], sums[row][column]);
        exit(1);
    }
    sums[row][column]++;
}

#define SWP_WAIT_VM(n) ((void)0)
#define SWP_WAIT_LGKM(n) ((void)0)
#define SWP_BARRIER() ((void)0)
#define FRAGMENT(channel, stage, subtile)                                                          \
    ((void)(fragments[channel][subtile] = places[channel][stage][subtile]))
#define GEMM_FRAGMENTS_LOAD_A0(ctx, stage, subtile, tile) load(0, stage, subtile, tile)
#define GEMM_FRAGMENTS_LOAD_A1(ctx, stage, subtile, tile) load(0, stage, subtile, tile)
#define GEMM_FRAGMENTS_LOAD_B0(ctx, stage, subtile, tile) load(1, stage, subtile, tile)
#define GEMM_FRAGMENTS_LOAD_B1(ctx, stage, subtile, tile) load(1, stage, subtile, tile)
#define GEMM_FRAGMENTS_FRAG_A0(ctx, stage, subtile, tile) FRAGMENT(0, stage, subtile)
#define GEMM_FRAGMENTS_FRAG_A1(ctx, stage, subtile, tile) FRAGMENT(0, stage, subtile)
#define GEMM_FRAGMENTS_FRAG_B0(ctx, stage, subtile, tile) FRAGMENT(1, stage, subtile)
#define GEMM_FRAGMENTS_FRAG_B1(ctx, stage, subtile, tile) FRAGMENT(1, stage, subtile)
#define GEMM_FRAGMENTS_MMA_00(ctx, row, column, tile) multiply(row, column, tile)
#define GEMM_FRAGMENTS_MMA_01(ctx, row, column, tile) multiply(row, column, tile)
#define GEMM_FRAGMENTS_MMA_10(ctx, row, column, tile) multiply(row, column, tile)
#define GEMM_FRAGMENTS_MMA_11(ctx, row, column, tile) multiply(row, column, tile)
#include "gemm_fragments.h"

int main(void)
{
    for (tiles = 0; tiles <= MOST_TILES; tiles++) {
        for (int i = 0; i < 4; i++)
            sums[i / 2][i % 2] = 0;
        GEMM_FRAGMENTS_RUN(0, tiles, 0);
        for (int i = 0; i < 4; i++)
            if (sums[i / 2][i % 2] != tiles) {
                (void)printf("N = %d: an accumulator has %d tiles\n", tiles, sums[i / 2][i % 2]);
                return 1;
            }
    }
    return 0;
}
