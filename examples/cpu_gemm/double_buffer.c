/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GEMM whose main loop is a double-buffered schedule: pingpong, fourwave or one of your own with
 * their ops. The block's rows and columns are in two halves, the parts ("subtiles") of a tile.
 */
#include "workgroup.h"

/* w is the wave that runs the schedule. */
#define SWP_WAIT_VM(n) wait_vm(w, n)
#define SWP_WAIT_LGKM(n) ((void)(n)) /* fragment loads are done when they return */
#define SWP_BARRIER() barrier()
#include "gemm_schedule.h"

enum { A, B, PARTS = 2 };
enum { BM = GEMM_BLOCK_M, BN = GEMM_BLOCK_N, BK = GEMM_BLOCK_K };
/* A half of the block, and what a wave computes of each quadrant. */
enum { HALF_M = BM / PARTS, HALF_N = BN / PARTS };
enum { WAVE_M = HALF_M / GEMM_WARPS_M, WAVE_N = HALF_N / GEMM_WARPS_N };

static struct {
    int32_t a[GEMM_STAGES][PARTS][HALF_M][BK];
    int32_t b[GEMM_STAGES][PARTS][HALF_N][BK];
} lds;

/* The registers of a wave. */
typedef struct registers {
    int32_t a[PARTS][WAVE_M][BK];
    int32_t b[PARTS][WAVE_N][BK];
    int32_t sum[PARTS][PARTS][WAVE_M][WAVE_N];
} registers;

static registers of_wave[GEMM_WAVES];

/* Where the wave stands in a half of the block. */
static int first_row(const wave *w)
{
    return w->index / GEMM_WARPS_N * WAVE_M;
}

static int first_column(const wave *w)
{
    return w->index % GEMM_WARPS_N * WAVE_N;
}

/* Every wave loads a share of every part, here each so many-th row or column. */
static void land(wave *w, const transfer *t)
{
    const problem *p = w->problem;
    const int first = t->subtile * (t->channel == A ? HALF_M : HALF_N);
    for (int i = w->index; i < (t->channel == A ? HALF_M : HALF_N); i += GEMM_WAVES)
        for (int k = 0; k < BK; k++) {
            const int at = t->tile * BK + k;
            if (t->channel == A)
                lds.a[t->stage][t->subtile][i][k] = p->a[(first + i) * p->k + at];
            else
                lds.b[t->stage][t->subtile][i][k] = p->b[at * p->n + first + i];
        }
}

static void load_fragment_a(const wave *w, int stage, int part)
{
    registers *r = &of_wave[w->index];
    for (int i = 0; i < WAVE_M; i++)
        for (int k = 0; k < BK; k++)
            r->a[part][i][k] = lds.a[stage][part][first_row(w) + i][k];
}

static void load_fragment_b(const wave *w, int stage, int part)
{
    registers *r = &of_wave[w->index];
    for (int i = 0; i < WAVE_N; i++)
        for (int k = 0; k < BK; k++)
            r->b[part][i][k] = lds.b[stage][part][first_column(w) + i][k];
}

static void multiply(const wave *w, int row, int column)
{
    registers *r = &of_wave[w->index];
    for (int i = 0; i < WAVE_M; i++)
        for (int j = 0; j < WAVE_N; j++)
            for (int k = 0; k < BK; k++)
                r->sum[row][column][i][j] += r->a[row][i][k] * r->b[column][j][k];
}

/* The macros of the schedule. */
#define GEMM_LOAD_A(w, stage, subtile, tile)                                                       \
    issue(w, (transfer){A, stage, subtile, tile, GEMM_LOAD_A_VM_COST})
#define GEMM_LOAD_B(w, stage, subtile, tile)                                                       \
    issue(w, (transfer){B, stage, subtile, tile, GEMM_LOAD_B_VM_COST})
#define GEMM_MMA_LOAD_A(w, stage, subtile, tile) load_fragment_a(w, stage, subtile)
#define GEMM_MMA_LOAD_B(w, stage, subtile, tile) load_fragment_b(w, stage, subtile)
#define GEMM_MMA(w, row, column, tile) multiply(w, row, column)

static void store(const wave *w)
{
    const registers *r = &of_wave[w->index];
    const problem *p = w->problem;
    for (int row = 0; row < PARTS; row++)
        for (int column = 0; column < PARTS; column++)
            for (int i = 0; i < WAVE_M; i++)
                for (int j = 0; j < WAVE_N; j++)
                    p->c[(row * HALF_M + first_row(w) + i) * p->n + column * HALF_N +
                         first_column(w) + j] = r->sum[row][column][i][j];
}

static void run(wave *w, int n_tiles)
{
    of_wave[w->index] = (registers){0};
    GEMM_RUN(w, n_tiles, w->group);
    store(w);
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
