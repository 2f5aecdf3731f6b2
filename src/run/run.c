/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a schedule for one N, and the words of timings and symptoms. */
#include "swp/run.h"

#include "base/diag.h"
#include "base/names.h"
#include "base/require.h"
#include "run/outcome.h"
#include "run/session.h"
#include "run/timing.h"
#include "run/values.h"

#include <string.h>

enum { CONDITIONS = 3 }; /* drawn apart from timings */

static const swp_name timings[] = {SWP_TIMINGS(SWP_MEANING_ROW)};
static const swp_name symptoms[] = {SWP_SYMPTOMS(SWP_MEANING_ROW)};

const char *swp_timing_name(swp_timing timing)
{
    return swp_shown_name(timings, SWP_COUNT_OF(timings), (int)timing);
}

bool swp_timing_from_name(const char *name, swp_timing *out)
{
    SWP_REQUIRE_OR(false, name && out);
    int number = 0;
    if (!swp_number_of(timings, SWP_COUNT_OF(timings), name, &number))
        return false;
    *out = (swp_timing)number;
    return true;
}

const char *swp_symptom_name(swp_symptom symptom)
{
    return swp_shown_name(symptoms, SWP_COUNT_OF(symptoms), (int)symptom);
}

const char *swp_symptom_meaning(swp_symptom symptom)
{
    return swp_shown_meaning(symptoms, SWP_COUNT_OF(symptoms), (int)symptom);
}

static swp_status run(swp_context *ctx, swp_run_session *session, const swp_run_options *options,
                      swp_run_outcome *out)
{
    swp_timing chosen = options->timing;
    session->machine.conditions = swp_run_mix(options->seed, CONDITIONS) | 1;
    SWP_TRY(swp_run_with(&session->machine, options->timing, options->seed, &chosen));
    SWP_TRY(swp_run_judge(&session->machine));
    *out = session->outcome;
    out->timing = chosen;
    return swp_run_keep(ctx, out);
}

swp_status swp_run(swp_context *ctx, const swp_schedule *schedule, const swp_run_options *options,
                   swp_run_outcome *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    static const swp_run_options defaults = {0};
    *out = (swp_run_outcome){0};
    options = options ? options : &defaults;
    const int waves = swp_run_waves_per_group(schedule, options->waves_per_group);
    const bool any_n = schedule->streams[0].tails.straight_count > 0;
    const int n = options->n || any_n ? options->n : schedule->loop.min_tiles;
    swp_run_session session;
    const swp_run_extent extent = {n, options->tiles, options->tile_count};
    swp_status status = swp_run_open(ctx, schedule, extent, waves, options->seed, &session);
    if (status == SWP_OK)
        status = run(ctx, &session, options, out);
    swp_run_close(&session);
    return status;
}
