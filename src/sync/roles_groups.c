/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After which asynchronous ops a group ends. Matrix ops that stand side by side are one group where the first has to be
 * retired no sooner than the last.
 */
#include "ir/sync_objects.h"
#include "sync/roles.h"

#include <limits.h>

/* How many points after its own the op has to be retired; INT_MAX: only at the end. */
static int deadline_of(const swp_roles *r, const swp_role_plan *plan, int position)
{
    int least = INT_MAX;
    for (size_t i = 0; i < plan->needs.count; i++) {
        const swp_role_need *need = &plan->needs.items[i];
        if (need->target != position)
            continue;
        const int after = need->point - swp_sync_roles_before(r, plan->ops[position], need->shift);
        least = after < least ? after : least;
    }
    return least;
}

static bool goes_on(const swp_roles *r, const swp_role_plan *plan, int position)
{
    const int next = position + 1;
    if (next == plan->count || swp_sync_roles_completion(r, plan->ops[position]) !=
                                   swp_sync_roles_completion(r, plan->ops[next]))
        return false;
    const int own = deadline_of(r, plan, position);
    const int others = deadline_of(r, plan, next);
    return own == INT_MAX || (others != INT_MAX && own >= others + 2);
}

swp_status swp_sync_roles_find_groups(swp_roles *r)
{
    for (int role = 0; role < r->plan_count; role++) {
        const swp_role_plan *plan = &r->plans[role];
        for (int i = 0; i < plan->count; i++) {
            const swp_sync_object tracker =
                swp_ir_sync_tracker(swp_sync_roles_completion(r, plan->ops[i]));
            plan->commits[i] =
                swp_ir_sync_object_row(tracker)->completes == SWP_COMPLETES_BY_GROUP &&
                !goes_on(r, plan, i);
        }
    }
    return SWP_OK;
}
