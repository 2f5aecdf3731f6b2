/* SPDX-License-Identifier: Apache-2.0 */
/* Follows a barrier of both warp groups, and finds the group that waits for ever (a deadlock). */
#include "verify/bodies/barriers.h"

#include "ir/implied_barriers.h"
#include "verify/bodies/retire.h"

/* Whether group 1 has one more barrier in a run, from an entry of its present phase on. */
static bool barrier_follows(const swp_model *model, swp_entry_ref from, bool more_passes)
{
    if (swp_bodies_model_has_barrier(model, from.phase, from.entry))
        return true;
    return from.phase < SWP_EPILOGUE &&
           ((more_passes && swp_bodies_model_has_barrier(model, SWP_KERNEL, 0)) ||
            swp_bodies_model_has_barrier(model, SWP_EPILOGUE, 0));
}

/* Where group 0 has met its last barrier, group 1 waits at this one for ever. */
static swp_status check_deadlock(swp_followed_run *run, swp_entry_ref at)
{
    const swp_finding finding = {
        .kind = SWP_DEADLOCK, .at = {at, run->pass}, .wanted = SWP_NO_TILE, .found = SWP_NO_TILE};
    const swp_entry_ref from = {at.phase, at.entry + 1};
    if (!run->state->model->deadlocks_at_end ||
        barrier_follows(run->state->model, from, run->pass + 1 < run->passes))
        return SWP_OK;
    run->state->stuck = true;
    return swp_bodies_findings_add(run->findings, &finding);
}

/* That of group 0 alone is met by the last one of group 1. */
swp_status swp_bodies_follow_barrier(swp_followed_run *run, swp_entry_ref at)
{
    const int group = swp_ir_only_group(&swp_bodies_model_entry(run->state->model, at)->op);
    if (group == 0)
        return SWP_OK;
    if (group == 1)
        swp_bodies_state_lag(run->state);
    else
        swp_bodies_state_barrier(run->state);
    return check_deadlock(run, at);
}

swp_status swp_bodies_find_unmet_end(swp_findings *findings)
{
    const swp_model *model = findings->model;
    const swp_finding finding = {.kind = SWP_DEADLOCK,
                                 .at = {{SWP_EPILOGUE, model->effects.lengths[SWP_EPILOGUE]}, 0},
                                 .wanted = SWP_NO_TILE,
                                 .found = SWP_NO_TILE};
    if (!model->makes_up || model->lags)
        return SWP_OK;
    findings->n = model->loop.min_tiles;
    return swp_bodies_findings_add(findings, &finding);
}
