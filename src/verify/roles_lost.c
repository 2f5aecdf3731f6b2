/* SPDX-License-Identifier: Apache-2.0 */
/* The rule about lost peers: asynchronous operations that nobody waits for. */
#include "base/text.h"
#include "verify/roles.h"

/* Whether any wait tells of a phase: one for it, or for a later one of the slot. */
static bool is_awaited(const swp_happens_run *run, int phase)
{
    for (; phase >= 0; phase = run->phases[phase].after)
        if (run->phases[phase].wait_count > 0)
            return true;
    return false;
}

static bool is_lost(const swp_role_judge *judge, const swp_happens_step *at)
{
    switch (swp_happens_completion(at)) {
    case SWP_COMPLETION_COPY_MBARRIER:
        return !is_awaited(judge->run, at->phase) &&
               swp_verify_role_holds(judge, SWP_HAPPENS_LOST_COPY);
    case SWP_COMPLETION_MATRIX_GROUP:
    case SWP_COMPLETION_STORE_GROUP:
        return at->retired_by < 0 && swp_verify_role_holds(judge, SWP_HAPPENS_LOST_GROUP);
    default:
        return false;
    }
}

static swp_status tell_lost(swp_role_judge *judge, swp_role_at at)
{
    swp_hazard *hazard = NULL;
    char name[SWP_ROLE_NAME_SIZE];
    SWP_TRY(swp_verify_role_tell(judge, SWP_LOST_PEER, at, (swp_role_at){-1, -1}, &hazard));
    if (!hazard)
        return SWP_OK;
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s may be in flight when all threads have ended: nobody waits for it",
                      swp_verify_role_name(judge, at, name));
}

/* Nobody is stuck in the run: who is awaited is retired before the end of who waited. */
swp_status swp_verify_role_lost_peers(swp_role_judge *judge)
{
    const swp_happens_run *run = judge->run;
    for (int i = 0; i < run->program->count; i++)
        for (int s = 0; s < run->lengths[i]; s++)
            if (is_lost(judge, &run->steps[i][s]))
                SWP_TRY(tell_lost(judge, (swp_role_at){i, s}));
    return SWP_OK;
}
