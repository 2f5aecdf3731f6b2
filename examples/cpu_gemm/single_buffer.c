/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GEMM whose main loop is the single-buffered schedule: a load brings a tile to registers, a store
 * takes it to LDS, and a fragment is a slice of the tile along K.
 */
#include "workgroup.h"

/* w is the wave that runs the schedule. */
#define SWP_WAIT_VM(n) wait_vm(w, n)
#define SWP_WAIT_LGKM(n) ((void)(n)) /* LDS operations are done when they return */
#define SWP_BARRIER() barrier()
#include "gemm_schedule.h"

/* Four waves in 2 x 2; the schedule says nothing of the sizes. */
enum { BM = 32, BN = 48, SLICE = 8, SLICES = GEMM_COLUMNS, BK = SLICE * SLICES };
enum { WAVES_M = 2, WAVES_N = GEMM_WAVES / WAVES_M, WAVE_M = BM / WAVES_M, WAVE_N = BN / WAVES_N };

/* The rows of A, then the columns of B. */
enum { LINES = BM + BN, SHARE = (LINES + GEMM_WAVES - 1) / GEMM_WAVES };

static int32_t lds[LINES][BK];

typedef struct registers {
    int32_t staged[SHARE][BK];
    int32_t a[SLICES][WAVE_M][SLICE];
    int32_t b[SLICES][WAVE_N][SLICE];
    int32_t sum[WAVE_M][WAVE_N];
} registers;

static registers of_wave[GEMM_WAVES];

static int first_row(const wave *w)
{
    return w->index / WAVES_N * WAVE_M;
}

static int first_column(const wave *w)
{
    return w->index % WAVES_N * WAVE_N;
}

static void land(wave *w, const transfer *t)
{
    const problem *p = w->problem;
    for (int share = 0; share < SHARE; share++) {
        const int line = share * GEMM_WAVES + w->index;
        for (int k = 0; line < LINES && k < BK; k++) {
            const int at = t->tile * BK + k;
            of_wave[w->index].staged[share][k] =
                line < BM ? p->a[line * p->k + at] : p->b[at * p->n + line - BM];
        }
    }
}

/* The compiler of a GPU waits for registers before their use; here the store does. */
static void store_tile(wave *w)
{
    const registers *r = &of_wave[w->index];
    wait_vm(w, 0);
    for (int share = 0; share < SHARE; share++)
        for (int k = 0; share * GEMM_WAVES + w->index < LINES && k < BK; k++)
            lds[share * GEMM_WAVES + w->index][k] = r->staged[share][k];
}

static void load_fragment(const wave *w, int slice)
{
    registers *r = &of_wave[w->index];
    for (int k = 0; k < SLICE; k++) {
        for (int i = 0; i < WAVE_M; i++)
            r->a[slice][i][k] = lds[first_row(w) + i][slice * SLICE + k];
        for (int j = 0; j < WAVE_N; j++)
            r->b[slice][j][k] = lds[BM + first_column(w) + j][slice * SLICE + k];
    }
}

static void multiply(const wave *w, int slice)
{
    registers *r = &of_wave[w->index];
    for (int i = 0; i < WAVE_M; i++)
        for (int j = 0; j < WAVE_N; j++)
            for (int k = 0; k < SLICE; k++)
                r->sum[i][j] += r->a[slice][i][k] * r->b[slice][j][k];
}

/* The macros of the schedule. */
#define GEMM_LOAD_DRAM(w, stage, subtile, tile)                                                    \
    issue(w, (transfer){0, stage, subtile, tile, GEMM_LOAD_DRAM_VM_COST})
#define GEMM_STORE_SMEM(w, stage, subtile, tile) store_tile(w)
#define GEMM_LOAD_FRAG(w, stage, subtile, tile) load_fragment(w, subtile)
#define GEMM_COMPUTE(w, row, column, tile) multiply(w, column)

static void run(wave *w, int n_tiles)
{
    registers *r = &of_wave[w->index];
    *r = (registers){0};
    GEMM_RUN(w, n_tiles, w->group);
    for (int i = 0; i < WAVE_M; i++)
        for (int j = 0; j < WAVE_N; j++)
            w->problem->c[(first_row(w) + i) * w->problem->n + first_column(w) + j] = r->sum[i][j];
}

const kernel the_kernel = {.name = GEMM_NAME,
                           .block_m = BM,
                           .block_n = BN,
                           .block_k = BK,
                           .waves = GEMM_WAVES,
                           .waves_per_group = GEMM_WAVES_PER_GROUP,
                           .min_tiles = GEMM_MIN_TILES,
                           .tile_multiple = GEMM_TILE_MULTIPLE,
                           .run = run,
                           .land = land};
