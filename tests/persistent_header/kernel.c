/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: KERNEL SEQUENCES SEED: output tiles of A B modulo 2^32 by the header of a persistent kernel, for so many sequences of numbers of
 * iterations, drawn at random, and the shortest ones. Prints the first sequence that goes wrong, and how; else "right".
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4, TEAMS = 2, PARTS = 3, DEPTH = 4, MOST_TILES = 5, MOST_ITERATIONS = 7 };

typedef unsigned digests[TEAMS][PARTS];

static unsigned a[SLOTS][DEPTH], b[SLOTS][DEPTH];
/* Each thread has its own, of the output tile that it was cleared for. A wgmma of the next one finds zeros there, as it comes after that. */
static struct {
    unsigned sum;
    int tile;
    bool cleared;
} sums[TEAMS][PARTS];
static digests staged, read_from[MOST_TILES + 2], stored[MOST_TILES + 2];

static unsigned element(int k, int of)
{
    return (unsigned)((k * 7 + of * 11) % 13 - 6);
}

/* A tile of A, then one of B, of one iteration of all. */
static void copy(const work *w, int part)
{
    for (int k = 0; k < DEPTH; k++)
        (part == 0 ? a : b)[w->slot][k] = element(w->iteration * DEPTH + k, part);
}

static void load(int i, int slot, mbarrier *m, int bytes)
{
    start_copy((work){.part = copy, .parts = 2, .iteration = i, .slot = slot}, m, bytes);
}

static void begin_tile(int team, int part, int tile)
{
    if (sums[team][part].tile == tile)
        return;
    sums[team][part].tile = tile;
    sums[team][part].sum = 0;
    sums[team][part].cleared = false;
}

static void clear(int tile)
{
    const thread *t = this_thread();
    begin_tile(t->team, t->part, tile);
    sums[t->team][t->part].cleared = true;
}

/* Another order of the halves, or of iterations, comes to something else. */
static unsigned added(unsigned sum, const unsigned *left, const unsigned *right, int half, int team)
{
    sum = 3 * sum + (unsigned)team;
    for (int k = half * DEPTH / 2; k < (half + 1) * DEPTH / 2; k++)
        sum += left[k] * right[k];
    return sum;
}

static void multiply_half(const work *w, int half)
{
    for (int part = 0; part < PARTS; part++) {
        begin_tile(w->team, part, w->iteration);
        sums[w->team][part].sum =
            added(sums[w->team][part].sum, a[w->slot], b[w->slot], half, w->team);
    }
}

static void multiply(int tile, int slot)
{
    start_matrix((work){.part = multiply_half,
                        .parts = 2,
                        .iteration = tile,
                        .slot = slot,
                        .team = this_thread()->team});
}

static void stage(void)
{
    const thread *t = this_thread();
    if (!sums[t->team][t->part].cleared)
        is_wrong("sums that nobody cleared");
    write_shared(&staged[t->team][t->part], sums[t->team][t->part].sum);
}

static void copy_back(const work *w, int part)
{
    unsigned *read = read_from[w->iteration + 1][w->team];
    if (part < 0)
        memcpy(stored[w->iteration + 1][w->team], read, sizeof(unsigned[PARTS]));
    else
        read[part] = staged[w->team][part];
}

static void store(int tile)
{
    start_store(
        (work){.part = copy_back, .parts = PARTS, .iteration = tile, .team = this_thread()->team});
}

/* What the header calls; ctx is the state. */
#define X_MBARRIERS(ctx) mbarriers
#define X_CLEAR(ctx, i, C) clear(i)
#ifdef TWO_VALUES
#define X_LOAD(ctx, i, A, B, m, bytes) load((ctx).pass + (i), A, m, bytes)
#define X_MMA(ctx, i, C, A, B) multiply((ctx).tile, A)
#else
#define X_LOAD(ctx, i, T, m, bytes) load((ctx).pass + (i), T, m, bytes)
#define X_MMA(ctx, i, C, T) multiply((ctx).tile, T)
#endif
#define X_STAGE(ctx, i, D, C) stage()
#define X_STORE(ctx, i, D) store(i)
#include "X.h"

/* The iterations of each tile of a run. */
static int tiles[MOST_TILES];
static int tile_count;

#define RUN(R)                                                                                     \
    do {                                                                                           \
        X_STATE state = X_FIRST_STATE;                                                             \
        X_ENTER_##R(0);                                                                            \
        for (int t = 0; t < tile_count; t++)                                                       \
            X_RUN_##R(state, X_INSTANCE_OF(warp), state, tiles[t]);                                \
        X_DRAIN_##R(state, X_INSTANCE_OF(warp), state);                                            \
    } while (0)

static void run(int n)
{
    const int warp = SWP_WARP();
    (void)n;
    X_INIT(0);
    if (X_ROLE_OF(warp) == X_ROLE_PRODUCER)
        RUN(PRODUCER);
    else
        RUN(CONSUMER);
}

static void add_instance(program *p, int warp, int warps, int team)
{
    p->threads[p->thread_count++] = (thread){warp, 1, true, team, 0};
    p->threads[p->thread_count++] = (thread){warp, 31, false, team, 1};
    if (warps > 1)
        p->threads[p->thread_count++] = (thread){warp + warps - 1, 32 * (warps - 1), true, team, 2};
}

static program work_group(void)
{
    program p = {.run = run};
    add_instance(&p, X_FIRST_WARP_PRODUCER, X_WARPS_PRODUCER, TEAMS);
    p.threads[p.thread_count++] =
        (thread){X_FIRST_WARP_PRODUCER + X_WARPS_PRODUCER,
                 32 * (X_FIRST_WARP_CONSUMER - X_WARPS_PRODUCER), true, TEAMS + 1, 0};
    for (int i = 0; i < TEAMS; i++)
        add_instance(&p, X_FIRST_WARP_CONSUMER + i * X_WARPS_CONSUMER, X_WARPS_CONSUMER, i);
    return p;
}

static unsigned expected(int from, int count, int team)
{
    unsigned sum = 0;
    for (int i = from; i < from + count; i++) {
        unsigned left[DEPTH], right[DEPTH];
        for (int k = 0; k < DEPTH; k++) {
            left[k] = element(i * DEPTH + k, 0);
            right[k] = element(i * DEPTH + k, 1);
        }
        for (int half = 0; half < 2; half++)
            sum = added(sum, left, right, half, team);
    }
    return sum;
}

static bool is_right(void)
{
    int from = 0;
    for (int t = 0; t < tile_count; from += tiles[t++])
        for (int team = 0; team < TEAMS; team++)
            for (int part = 0; part < PARTS; part++)
                if (stored[t + 1][team][part] != expected(from, tiles[t], team))
                    return false;
    return true;
}

static uint64_t random_state;

static int draw(int below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (unsigned)below);
}

/* The first ones are all of up to two tiles of up to five iterations. */
static void choose_sequence(int number)
{
    enum { SHORT = 6 };
    tile_count = number == 0 ? 0 : number <= SHORT ? 1 : 2;
    tiles[0] = (number - 1) % SHORT;
    tiles[1] = (number - 1) / SHORT - 1;
    if (number <= SHORT + SHORT * SHORT)
        return;
    tile_count = draw(MOST_TILES + 1);
    for (int t = 0; t < tile_count; t++)
        tiles[t] = draw(MOST_ITERATIONS);
}

int main(int argc, char **argv)
{
    const int sequences = argc > 1 ? atoi(argv[1]) : 200;
    const program p = work_group();
    random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int s = 0; s < sequences; s++) {
        choose_sequence(s);
        memset(a, 0x5a, sizeof a);
        memset(b, 0x5a, sizeof b);
        memset(sums, -1, sizeof sums);
        memset(stored, 0x5a, sizeof stored);
        const char *wrong = carry_out(&p, 0, random_state ^ (uint64_t)s);
        if (!wrong && !is_right())
            wrong = "wrong numbers";
        if (!wrong)
            continue;
        for (int t = 0; t < tile_count; t++)
            printf("%d ", tiles[t]);
        printf("\t%s\n", wrong);
        return 0;
    }
    printf("right\n");
    return 0;
}
