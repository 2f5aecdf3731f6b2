/* SPDX-License-Identifier: Apache-2.0 */
/* The rule about lost peers: asynchronous operations, and arrivals at other ranks, that nobody waits for. */
#include "base/text.h"
#include "happens_before/queues.h"
#include "verify/roles.h"

/*
 * Whether any wait tells of a phase: one for it, or for a later one of the slot. What is on a phase below 0, which is
 * complete without it, no wait tells of.
 */
static bool is_awaited(const swp_happens_run *run, int phase)
{
    if (run->phases[phase].turn < 0)
        return false;
    for (; phase >= 0; phase = run->phases[phase].after)
        if (run->phases[phase].waits.count > 0)
            return true;
    return false;
}

static bool is_lost(const swp_role_judge *judge, const swp_happens_step *at)
{
    if (swp_happens_is_queued(at)) /* who needs it waits for it, and nobody else */
        return false;
    switch (swp_happens_tracked_by(at)->completes) {
    case SWP_COMPLETES_BY_PHASE:
        return !is_awaited(judge->run, at->phase) &&
               swp_verify_role_holds(judge, SWP_HAPPENS_LOST_COPY);
    case SWP_COMPLETES_BY_GROUP:
        return at->retired_by < 0 && swp_verify_role_holds(judge, SWP_HAPPENS_LOST_GROUP);
    default:
        return false;
    }
}

static swp_status tell_lost(swp_role_judge *judge, swp_happens_at at)
{
    swp_hazard *hazard = NULL;
    char name[SWP_ROLE_NAME_SIZE];
    SWP_TRY(swp_verify_role_tell(judge, SWP_LOST_PEER, at, (swp_happens_at){-1, -1}, &hazard));
    if (!hazard)
        return SWP_OK;
    const bool goes_to_all =
        swp_happens_goes_to_all(swp_happens_step_of(judge->run, at.instance, at.step));
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s may be in flight when all threads%s have ended: nobody waits for it",
                      swp_verify_role_name(judge, at, name),
                      goes_to_all ? " of a work group that it goes to" : "");
}

/* Behind the next meeting of the cluster an arrival is there: all come to it, and wait for it. */
static bool meets_behind(const swp_happens_run *run, swp_happens_at at)
{
    for (int s = at.step + 1; s < run->lengths[at.instance]; s++)
        if (swp_happens_meets_cluster(&run->steps[at.instance][s]))
            return true;
    return false;
}

/* All ranks have the same waits. */
static bool is_under_way(const swp_role_judge *judge, swp_happens_at at)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    return step->op->to == SWP_TO_ALL && !is_awaited(judge->run, step->phase) &&
           !meets_behind(judge->run, at) && swp_verify_role_holds(judge, SWP_HAPPENS_LOST_ARRIVAL);
}

static swp_status tell_under_way(swp_role_judge *judge, swp_happens_at at)
{
    swp_hazard *hazard = NULL;
    char name[SWP_ROLE_NAME_SIZE];
    SWP_TRY(swp_verify_role_tell(judge, SWP_LOST_PEER, at, (swp_happens_at){-1, -1}, &hazard));
    if (!hazard)
        return SWP_OK;
    hazard->hint = "let all threads of the cluster meet behind it, before the end";
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s may come to another work group when that has ended: nobody there waits "
                      "for its phase, and the cluster does not meet after it",
                      swp_verify_role_name(judge, at, name));
}

static swp_status ask(swp_role_judge *judge, int instance, int step)
{
    const swp_happens_at at = {instance, step};
    if (is_lost(judge, &judge->run->steps[instance][step]))
        SWP_TRY(tell_lost(judge, at));
    return is_under_way(judge, at) ? tell_under_way(judge, at) : SWP_OK;
}

/* Whether a wait before the cut tells of a phase. */
static bool is_awaited_before(const swp_happens_run *run, int phase)
{
    for (; phase >= 0 && phase < swp_happens_phases_at_cut(run); phase = run->phases[phase].after) {
        const swp_happens_places *waits = &run->phases[phase].waits;
        if (waits->count > 0 &&
            waits->items[0].step < swp_happens_length_at_cut(run, waits->items[0].instance))
            return run->phases[phase].turn >= 0;
    }
    return false;
}

/* A pass to come may have what it waits for. */
static bool is_open(const swp_role_judge *judge, int instance, int s)
{
    const swp_happens_run *run = judge->run;
    const swp_happens_step *step = &run->steps[instance][s];
    if (swp_happens_is_queued(step))
        return false;
    if (swp_happens_is_copy(step) || step->op->to == SWP_TO_ALL)
        return !is_awaited_before(run, step->phase);
    return swp_happens_is_of_group(step) &&
           (step->retired_by < 0 || step->retired_by >= swp_happens_length_at_cut(run, instance));
}

/*
 * Where no thread is stuck, an operation that a thread waits for is over before that thread ends. A work group with a
 * thread that is stuck does not end. Then no rank ends, since each has such a thread.
 */
swp_status swp_verify_role_lost_peers(swp_role_judge *judge)
{
    for (int i = 0; !judge->run->stuck && i < swp_verify_role_tellers(judge); i++)
        SWP_TRY(swp_verify_role_ask_steps(judge, i, ask, is_open));
    return SWP_OK;
}
