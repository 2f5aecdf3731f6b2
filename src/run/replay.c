/* SPDX-License-Identifier: Apache-2.0 */
/* Executing a counterexample: its events as they stand, then everything as early as possible. */
#include "swp/run.h"

#include "base/diag.h"
#include "base/require.h"
#include "run/claims.h"
#include "run/outcome.h"
#include "run/roles_find.h"
#include "run/session.h"
#include "run/timing.h"

#include <string.h>

static swp_status refuse(swp_context *ctx, size_t index, const swp_timing_event *event,
                         const char *why)
{
    return swp_error(ctx, SWP_E0713, SWP_NOWHERE,
                     "an edited counterexample? `swp verify --counterexample` writes one anew",
                     "events[%zu], of wave %d, is not permitted: %s", index, event->wave, why);
}

static swp_status replay_issues(swp_context *ctx, swp_run_machine *m, size_t index,
                                const swp_timing_event *event)
{
    for (int i = 0; i < event->issue; i++) {
        if (!swp_run_next_step(m, event->wave))
            return refuse(ctx, index, event, "the wave has issued all of its entries");
        if (swp_run_waits(m, event->wave))
            return refuse(ctx, index, event, "the wave waits at a barrier");
        if (!swp_run_may_issue(m, event->wave))
            return refuse(ctx, index, event,
                          "its next entry waits for accesses that have not taken effect");
        SWP_TRY(swp_run_issue(m, event->wave));
    }
    return SWP_OK;
}

static swp_status replay_effect(swp_context *ctx, swp_run_machine *m, size_t index,
                                const swp_timing_event *event)
{
    const swp_run_thread *wave = &m->threads[event->wave];
    const bool exists = event->effect >= 0 && (size_t)event->effect < wave->steps->count;
    const int access = exists ? wave->access_of_step[event->effect] : -1;
    if (access < 0)
        return refuse(ctx, index, event, "no such access is in flight");
    if (!swp_run_may_take_effect(m, access))
        return refuse(ctx, index, event,
                      "the access took effect before, or an older LDS operation has not yet");
    return swp_run_take_effect(m, access);
}

static swp_status replay(swp_context *ctx, swp_run_machine *m, const swp_timing_event_list *events)
{
    for (size_t i = 0; i < events->count; i++) {
        const swp_timing_event *event = &events->items[i];
        if (event->wave < 0 || event->wave >= m->program->waves)
            return refuse(ctx, i, event, "there is no such wave");
        SWP_TRY(event->issue ? replay_issues(ctx, m, i, event) : replay_effect(ctx, m, i, event));
    }
    return swp_run_rest(m);
}

swp_status swp_counterexample_replay(swp_context *ctx, const swp_schedule *schedule,
                                     const swp_counterexample *counterexample, swp_run_outcome *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && counterexample && out);
    *out = (swp_run_outcome){0};
    SWP_TRY(swp_run_check_claims(ctx, schedule, counterexample));
    const swp_run_extent extent = {counterexample->n, counterexample->tiles,
                                   counterexample->tile_count};
    swp_run_session session;
    swp_status status = swp_run_open(ctx, schedule, extent, counterexample->waves_per_group,
                                     counterexample->seed, &session);
    swp_run_prepare_roles(&session.machine, counterexample->kind);
    if (status == SWP_OK)
        status = session.program.has_roles
                     ? swp_run_replay_roles(ctx, &session.machine, &counterexample->events)
                     : replay(ctx, &session.machine, &counterexample->events);
    if (status == SWP_OK)
        status = swp_run_judge(&session.machine);
    if (status == SWP_OK) {
        *out = session.outcome;
        status = swp_run_keep(ctx, out);
    }
    swp_run_close(&session);
    return status == SWP_OK ? swp_run_compare_claims(ctx, schedule, counterexample, out) : status;
}
