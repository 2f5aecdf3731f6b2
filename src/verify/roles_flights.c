/* SPDX-License-Identifier: Apache-2.0 */
/* Finds wgmmas, bulk stores and accesses that are in flight at a cut, as far as anything to come tells them apart. */
#include "happens_before/queues.h"
#include "verify/roles_state.h"

static bool is_in_flight(const swp_role_state_writer *w, int instance, int step)
{
    const swp_happens_step *at = &w->run->steps[instance][step];
    if (at->retired_by >= 0 && at->retired_by < w->earliest[instance])
        return false;
    if (swp_happens_is_queued(at) && !swp_happens_ends_for_all(w->run, instance, step))
        return swp_verify_role_access_matters(w, instance, step);
    return swp_happens_is_queued(at) || swp_happens_is_of_group(at);
}

/* Of those of a warp group that each wait retires the newest one stands for those before it, unless something asks for them. */
static swp_status number_access(swp_role_state_writer *w, int instance, int s, int *newest)
{
    swp_role_flights *flights = &w->flights[instance];
    const int behind = swp_verify_role_accesses_behind(w, instance, s);
    if (*newest > 0 && !swp_verify_role_access_matters(w, instance, s))
        return SWP_OK;
    if (behind >= w->lists->most_groups && swp_happens_ends_for_all(w->run, instance, s))
        *newest = s + 1;
    flights->of[s] = s;
    return SWP_PUSH(w->run->ctx, flights, ((swp_role_flight){s, behind}));
}

/*
 * Of those with so many groups behind them that each wait retires them, the newest one stands for those before it, of
 * which there may be any number: a wait learns what the newest has known that it retires.
 */
static swp_status number_in_flight(swp_role_state_writer *w, int instance)
{
    const swp_happens_step *steps = w->run->steps[instance];
    swp_role_flights *flights = &w->flights[instance];
    int commits[SWP_MOST_SYNC_ROWS] = {0};
    int newest[SWP_MOST_SYNC_ROWS] = {0}; /* and one more; 0: none */
    SWP_TRY(SWP_TAKE(w->run->ctx, (size_t)w->run->lengths[instance] + 1, &flights->of));
    for (int s = w->run->lengths[instance] - 1; s >= 0; s--) {
        const swp_sync_operation *operation = swp_happens_operation(&steps[s]);
        const int kind =
            (int)(operation->commits ? operation->object : swp_happens_tracker(&steps[s]));
        commits[kind] += operation->commits && s < w->earliest[instance];
        flights->of[s] = -1;
        if (!is_in_flight(w, instance, s))
            continue;
        if (swp_happens_is_queued(&steps[s])) {
            SWP_TRY(number_access(w, instance, s, &newest[steps[s].queue]));
            continue;
        }
        flights->of[s] = newest[kind] > 0 ? newest[kind] - 1 : s;
        if (newest[kind] == 0 && commits[kind] >= w->lists->most_groups)
            newest[kind] = s + 1;
        if (flights->of[s] == s)
            SWP_TRY(SWP_PUSH(w->run->ctx, flights,
                             ((swp_role_flight){s, commits[kind] < w->lists->most_groups
                                                       ? commits[kind]
                                                       : w->lists->most_groups})));
    }
    return SWP_OK;
}

swp_status swp_verify_role_find_flights(swp_role_state_writer *w)
{
    SWP_TRY(SWP_TAKE(w->run->ctx, (size_t)w->run->program->count, &w->flights));
    for (int i = 0; i < w->run->program->count; i++)
        SWP_TRY(number_in_flight(w, i));
    return SWP_OK;
}

/* They are numbered from the newest on. */
int swp_verify_role_in_flight(const swp_role_state_writer *w, int instance, int s)
{
    const swp_role_flights *flights = &w->flights[instance];
    int number = -1;
    for (size_t i = 0; i < flights->count && flights->of[s] >= 0; i++)
        if (flights->items[i].step == flights->of[s])
            number = (int)i;
    return number;
}
