/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs of one schedule. */
#include "swp/run.h"

#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/roles.h"

enum { STANDARD_MOST = 12, STANDARD_SEEDS = 64 };

static swp_run_sweep completed(const swp_schedule *schedule, const swp_run_sweep *sweep)
{
    swp_run_sweep s = *sweep;
    if (!s.exact && s.least == 0 && schedule->streams[0].tails.straight_count == 0)
        s.least = schedule->loop.min_tiles;
    if (!s.exact && s.most == 0)
        s.most = STANDARD_MOST;
    s.most = s.most > s.least ? s.most : s.least;
    s.seeds = s.seeds ? s.seeds : STANDARD_SEEDS;
    return s;
}

static swp_status run_size(swp_context *ctx, const swp_schedule *schedule,
                           const swp_run_sweep *sweep, int n, swp_budget *budget,
                           swp_run_summary *out)
{
    swp_run_tally tally = {.n = n};
    while (tally.runs < sweep->seeds && !out->stopped) {
        const swp_run_options options = {.n = n,
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

swp_status swp_run_many(swp_context *ctx, const swp_schedule *schedule, const swp_run_sweep *sweep,
                        swp_run_summary *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    static const swp_run_sweep defaults = {0};
    if (schedule->output_tiles)
        SWP_TRY(swp_ir_check_role_loop(ctx, schedule));
    const swp_run_sweep s = completed(schedule, sweep ? sweep : &defaults);
    /* Work counts search nodes, and the progress line speaks of makespans. */
    const swp_limits limits = {.seconds = ctx->limits.seconds,
                               .interrupted = ctx->limits.interrupted,
                               .user = ctx->limits.user};
    swp_budget budget = swp_budget_start(ctx, 0);
    budget.limits = &limits;
    *out = (swp_run_summary){.timing = s.timing};
    for (int n = s.least; n <= s.most && !out->stopped; n++)
        if (swp_schedule_form_of(schedule, n) >= 0)
            SWP_TRY(run_size(ctx, schedule, &s, n, &budget, out));
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
