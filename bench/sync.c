/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derived synchronisation: time of swp_derive_sync() for the built-ins and for random orders of
 * larger loops, as a ratio to one proof of what it makes, and how far from the optimum that is.
 */
#include "measure.h"

#include <string.h>

enum { RUNS = 5, MOST_OPS = 256 };

static void print_row(const char *name, size_t ops, double seconds, const swp_schedule *schedule)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    const double began = seconds_now();
    stop_on(name, swp_verify(ctx, schedule, NULL, 0, &verdict));
    const double proof = seconds_now() - began;
    const swp_sync_result *sync = &schedule->sync;
    const double passes = sync->passes;
    (void)printf("%-16s %4zu ops  derive %9.1f ms  %7.0fx a proof  %8.2f cycles, %3d barriers, %s",
                 name, ops, seconds * 1e3, seconds / proof, (double)sync->cycles / passes,
                 sync->barriers, verdict.safe ? "safe, " : "UNSAFE, ");
    if (sync->optimal)
        (void)printf("optimal\n");
    else
        (void)printf("at least %.2f\n", (double)sync->bound / passes);
    swp_context_free(ctx);
}

static void derive_builtin(const char *name, const char *pace)
{
    const swp_place nowhere = {NULL, 0, 0};
    double runs[RUNS];
    swp_schedule *schedule = NULL;
    swp_context *ctx = swp_context_new(NULL);
    for (int i = 0; i < RUNS; i++) {
        swp_description *description = NULL;
        swp_schedule_free(schedule);
        stop_on(name, swp_description_from_builtin(ctx, name, &description));
        stop_on(name, swp_description_set(ctx, description, "schedule.sync_pace", pace, nowhere));
        stop_on(name, swp_description_compile(ctx, description, &schedule));
        const double began = seconds_now();
        stop_on(name, swp_derive_sync(ctx, schedule, SWP_SYNC_CYCLES, schedule->schedule.sync_pace,
                                      &schedule->sync));
        runs[i] = seconds_now() - began;
    }
    print_row(name, schedule->body.count, median(runs, RUNS), schedule);
    swp_schedule_free(schedule);
    swp_context_free(ctx);
}

/* --- Random orders --- */

/* A double buffer of rows x columns MMAs in each of two halves of a pass. */
typedef struct loop {
    swp_op ops[MOST_OPS];
    size_t count;
    uint64_t random;
} loop;

static size_t below(loop *l, size_t end)
{
    l->random = l->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(l->random >> 33) % end;
}

/* Anywhere from `first` on. */
static void scatter(loop *l, size_t first, swp_op op)
{
    const size_t at = first + below(l, l->count - first + 1);
    memmove(l->ops + at + 1, l->ops + at, (l->count - at) * sizeof *l->ops);
    l->ops[at] = op;
    l->count++;
}

static swp_op data_op(int tag, swp_role role, int channel, int stage, int subtile, int latency)
{
    swp_op op = swp_op_logical(tag, channel, stage, subtile, SWP_K_NONE);
    op.role = role;
    op.resource = swp_role_resource(role);
    op.latency = latency;
    op.vm_cost = role == SWP_GLOBAL_LOAD ? 4 : 0;
    op.lgkm_cost = role == SWP_FRAGMENT_LOAD ? 8 : 0;
    return op;
}

/* Fragments of a half come before its MMAs, and loads of its places after all of its fragments. */
static void add_half(loop *l, int half, int rows, int columns)
{
    const size_t first = l->count;
    for (int i = 0; i < rows + columns; i++)
        scatter(l, first,
                data_op(i < rows ? SWP_MMA_LOAD_A : SWP_MMA_LOAD_B, SWP_FRAGMENT_LOAD, i >= rows,
                        half, i < rows ? i : i - rows, 20));
    const size_t loads = l->count;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            l->ops[l->count++] = data_op(SWP_MMA, SWP_COMPUTE, -1, row, column, 16);
    for (int i = 0; i < rows + columns; i++) {
        swp_op op = data_op(i < rows ? SWP_LOAD_A : SWP_LOAD_B, SWP_GLOBAL_LOAD, i >= rows, half,
                            i < rows ? i : i - rows, 200);
        op.k_offset = half == 0 ? SWP_K0 : SWP_K1;
        scatter(l, loads, op);
    }
}

/* A schedule names every tag. */
static const char **op_names(void)
{
    static const char *names[SWP_KERNEL_TAGS];
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++)
        names[tag] = "op";
    return names;
}

static void fill_schedule(swp_context *ctx, const loop *l, int rows, int columns, int barriers,
                          swp_schedule *out)
{
    *out = (swp_schedule){.op_names = op_names(),
                          .stream_count = 1,
                          .machine = swp_machine_default(),
                          .loop = {.tiles_per_pass = 2,
                                   .first_base = 2,
                                   .min_tiles = 2,
                                   .multiple = 2,
                                   .m_mmas = rows,
                                   .n_mmas = columns,
                                   .placement = SWP_PLACE_K_OFFSET}};
    for (int i = 0; i < barriers; i++)
        stop_on("entry",
                swp_entry_list_push(ctx, &out->streams[0].kernel,
                                    (swp_entry){.op = swp_op_barrier(), .phase = SWP_KERNEL}));
    for (size_t i = 0; i < l->count; i++)
        stop_on("entry", swp_entry_list_push(ctx, &out->streams[0].kernel,
                                             (swp_entry){.op = l->ops[i], .phase = SWP_KERNEL}));
}

static void derive_random(int rows, int columns, bool lag, uint64_t seed)
{
    swp_context *ctx = swp_context_new(NULL);
    loop l = {.random = seed};
    swp_schedule schedule;
    char name[32];
    add_half(&l, 0, rows, columns);
    add_half(&l, 1, rows, columns);
    fill_schedule(ctx, &l, rows, columns, 8, &schedule);
    schedule.machine.groups = lag ? 2 : 1;
    schedule.machine.lag = lag;
    (void)snprintf(name, sizeof name, "%dx%d%s", rows, columns, lag ? ", a lag" : "");
    const double began = seconds_now();
    stop_on(name, swp_derive_sync(ctx, &schedule, SWP_SYNC_CYCLES, false, &schedule.sync));
    print_row(name, l.count, seconds_now() - began, &schedule);
    swp_context_free(ctx);
}

int main(void)
{
    static const int grids[][2] = {{2, 2}, {4, 2}, {4, 4}, {6, 6}, {8, 6}, {8, 8}};
    derive_builtin("single_buffer", "false");
    derive_builtin("fourwave", "false");
    derive_builtin("pingpong", "true");
    derive_builtin("pingpong", "false");
    for (int lag = 0; lag < 2; lag++)
        for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
            for (uint64_t seed = 1; seed <= 2; seed++)
                derive_random(grids[i][0], grids[i][1], lag, seed);
    return EXIT_SUCCESS;
}
