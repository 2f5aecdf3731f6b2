/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs of one schedule. */
#include "swp/run.h"

#include "base/diag.h"

enum { STANDARD_MOST = 12, STANDARD_SEEDS = 64 };

static swp_run_sweep completed(const swp_schedule *schedule, const swp_run_sweep *sweep)
{
    swp_run_sweep s = *sweep;
    s.least = s.least ? s.least : schedule->loop.min_tiles;
    s.most = s.most ? s.most : STANDARD_MOST;
    s.most = s.most > s.least ? s.most : s.least;
    s.seeds = s.seeds ? s.seeds : STANDARD_SEEDS;
    return s;
}

static swp_status run_size(swp_context *ctx, const swp_schedule *schedule,
                           const swp_run_sweep *sweep, int n, swp_run_summary *out)
{
    swp_run_tally tally = {.n = n};
    for (; tally.runs < sweep->seeds; tally.runs++) {
        const swp_run_options options = {.n = n,
                                         .waves_per_group = sweep->waves_per_group,
                                         .timing = sweep->timing,
                                         .seed = (uint64_t)tally.runs};
        swp_run_outcome outcome;
        SWP_TRY(swp_run(ctx, schedule, &options, &outcome));
        if (outcome.symptom == SWP_NO_SYMPTOM)
            continue;
        tally.wrong++;
        if (out->wrong++ > 0)
            continue;
        out->first = outcome;
        out->first_seed = options.seed;
    }
    out->runs += tally.runs;
    return SWP_PUSH(ctx, &out->tallies, tally);
}

swp_status swp_run_many(swp_context *ctx, const swp_schedule *schedule, const swp_run_sweep *sweep,
                        swp_run_summary *out)
{
    const swp_run_sweep s = completed(schedule, sweep);
    *out = (swp_run_summary){.timing = s.timing};
    for (int n = s.least; n <= s.most; n++)
        if (swp_loop_takes(&schedule->loop, n))
            SWP_TRY(run_size(ctx, schedule, &s, n, out));
    if (out->tallies.count)
        return SWP_OK;
    return swp_error(ctx, SWP_E0711, SWP_NOWHERE, NULL,
                     "the loop takes none of %d to %d tiles: it takes %d at least, a multiple of "
                     "%d, and %d more with each pass",
                     s.least, s.most, schedule->loop.min_tiles, schedule->loop.multiple,
                     schedule->loop.tiles_per_pass);
}
