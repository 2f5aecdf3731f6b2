/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs of one schedule. */
#include "swp/run.h"

#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"
#include "run/outcome.h"
#include "run/session.h"

enum { STANDARD_MOST = 12, STANDARD_SEEDS = 64, TILES_OF_ONE_N = 3 };

/* The least number of iterations that a loop takes. */
static int least_of(const swp_schedule *schedule)
{
    return schedule->streams[0].tails.straight_count ? 0 : schedule->loop.min_tiles;
}

static swp_run_sweep completed(const swp_schedule *schedule, const swp_run_sweep *sweep)
{
    swp_run_sweep s = *sweep;
    if (!s.exact && s.least == 0)
        s.least = least_of(schedule);
    if (!s.exact && s.most == 0)
        s.most = STANDARD_MOST;
    s.most = s.most > s.least ? s.most : s.least;
    s.seeds = s.seeds ? s.seeds : STANDARD_SEEDS;
    return s;
}

/* What is run of one N; of output tiles a sequence, in which what a tile hands on goes through a short one, too. */
static swp_status tally_of(swp_context *ctx, const swp_schedule *schedule, int n,
                           swp_run_tally *out)
{
    *out = (swp_run_tally){.n = n};
    if (!schedule->output_tiles)
        return SWP_OK;
    int *tiles = NULL;
    SWP_TRY(SWP_TAKE(ctx, TILES_OF_ONE_N, &tiles));
    tiles[0] = n;
    tiles[1] = least_of(schedule);
    tiles[2] = n;
    *out = (swp_run_tally){.n = swp_run_iterations(tiles, TILES_OF_ONE_N),
                           .tiles = tiles,
                           .tile_count = TILES_OF_ONE_N};
    return SWP_OK;
}

static swp_status run_size(swp_context *ctx, const swp_schedule *schedule,
                           const swp_run_sweep *sweep, swp_run_tally tally, swp_budget *budget,
                           swp_run_summary *out)
{
    while (tally.runs < sweep->seeds && !out->stopped) {
        const swp_run_options options = {.n = tally.n,
                                         .tiles = tally.tiles,
                                         .tile_count = tally.tile_count,
                                         .waves_per_group = sweep->waves_per_group,
                                         .timing = sweep->timing,
                                         .seed = (uint64_t)tally.runs};
        swp_run_outcome outcome;
        SWP_TRY(swp_run(ctx, schedule, &options, &outcome));
        tally.runs++;
        if (outcome.symptom != SWP_NO_SYMPTOM) {
            tally.wrong++;
            if (out->wrong++ == 0) {
                out->first = outcome;
                out->first_seed = options.seed;
            }
        }
        /* Asked after a run, so that a summary has one at least. */
        out->stopped = !swp_budget_poll(budget);
    }
    out->runs += tally.runs;
    return SWP_PUSH(ctx, &out->tallies, tally);
}

/* One sequence of output tiles, or every N of the range. */
static swp_status run_sizes(swp_context *ctx, const swp_schedule *schedule,
                            const swp_run_sweep *sweep, swp_budget *budget, swp_run_summary *out)
{
    swp_run_tally tally = {.tiles = sweep->tiles, .tile_count = sweep->tile_count};
    if (sweep->tiles) {
        tally.n = swp_run_iterations(sweep->tiles, sweep->tile_count);
        return run_size(ctx, schedule, sweep, tally, budget, out);
    }
    for (int n = sweep->least; n <= sweep->most && !out->stopped; n++) {
        if (swp_schedule_form_of(schedule, n) < 0)
            continue;
        SWP_TRY(tally_of(ctx, schedule, n, &tally));
        SWP_TRY(run_size(ctx, schedule, sweep, tally, budget, out));
    }
    return SWP_OK;
}

swp_status swp_run_many(swp_context *ctx, const swp_schedule *schedule, const swp_run_sweep *sweep,
                        swp_run_summary *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    static const swp_run_sweep defaults = {0};
    const swp_run_sweep s = completed(schedule, sweep ? sweep : &defaults);
    /* Work counts search nodes, and the progress line speaks of makespans. */
    const swp_limits limits = {.seconds = ctx->limits.seconds,
                               .interrupted = ctx->limits.interrupted,
                               .user = ctx->limits.user};
    swp_budget budget = swp_budget_start(ctx, 0);
    budget.limits = &limits;
    *out = (swp_run_summary){.timing = s.timing};
    SWP_TRY(run_sizes(ctx, schedule, &s, &budget, out));
    if (out->stopped)
        return swp_warn(ctx, SWP_W0401, SWP_NOWHERE, "ask for fewer runs, or allow more time",
                        "the runs were stopped after %ld, at N = %d", out->runs,
                        out->tallies.items[out->tallies.count - 1].n);
    if (out->tallies.count)
        return SWP_OK;
    return swp_error(ctx, SWP_E0711, SWP_NOWHERE, NULL,
                     "the loop takes none of %d to %d tiles: it takes %d at least, a multiple of "
                     "%d, and %d more with each pass",
                     s.least, s.most, schedule->loop.min_tiles, schedule->loop.multiple,
                     schedule->loop.tiles_per_pass);
}
