/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branch and bound. The gaps of a pass get their barriers one after the other. A partial placement
 * is given up when the gaps that are left cannot meet all demands, or when a pass takes too long
 * even if they do so at no cost: to add barriers or waits to a group never makes it faster.
 */
#include "sync/branch_and_bound.h"

#include "sync/arcs.h"
#include "sync/fit.h"

#include <string.h>

typedef struct brancher {
    swp_sync_search *search;
    int *gaps;    /* those that are not decided have their floor */
    int *trial;   /* for the placer to fill */
    int barriers; /* of `gaps` */
    int most;     /* in one gap */
} brancher;

/* The placement may cost less than the target, but what it costs depends on more than a bound says. */
static swp_status leave_open(brancher *e)
{
    swp_sync_search *s = e->search;
    swp_sync_cost bound = {s->meter.busiest, e->barriers};
    SWP_TRY(swp_sync_bound_cycles(s->ctx, &s->meter, e->gaps, s->flow->count, &bound.cycles));
    if (swp_sync_cost_compare(bound, s->open) < 0)
        s->open = bound;
    return SWP_OK;
}

static swp_status judge(brancher *e)
{
    swp_sync_search *s = e->search;
    bool less = false;
    swp_sync_cost cost;
    SWP_TRY(swp_sync_measure(s->ctx, &s->meter, e->gaps, s->target, &less, &cost));
    if (less) {
        SWP_TRY(swp_sync_search_keep(s, e->gaps, &s->meter.waits, cost));
        s->target = cost;
    }
    return s->meter.exact ? swp_sync_fit_waits(s, e->gaps) : leave_open(e);
}

static swp_status decide(brancher *e, int gap)
{
    swp_sync_search *s = e->search;
    const int count = s->flow->count;
    const int floor = s->placer.floor[gap % count];
    bool can = false;
    if (!swp_sync_search_step(s))
        return SWP_OK;
    memcpy(e->trial, e->gaps, (size_t)gap * sizeof *e->gaps);
    /* Gaps that are left can take all that is left. */
    if (!swp_sync_place_sum(&s->placer, gap < count ? s->most_barriers : e->barriers, gap,
                            e->trial))
        return SWP_OK;
    SWP_TRY(swp_sync_can_beat(s->ctx, &s->meter, e->gaps, gap, s->target, &can));
    if (!can)
        return SWP_OK;
    if (gap == count)
        return judge(e);
    const int before = e->barriers;
    for (int more = 0; floor + more <= e->most && before + more <= s->most_barriers; more++) {
        e->gaps[gap] = floor + more;
        e->barriers = before + more;
        SWP_TRY(decide(e, gap + 1));
    }
    e->gaps[gap] = floor;
    e->barriers = before;
    return SWP_OK;
}

swp_status swp_sync_branch_and_bound(swp_sync_search *search, swp_sync_cost target, uint64_t effort)
{
    const size_t count = (size_t)search->flow->count;
    /* A gap with more barriers than any arc demands has some too many. */
    const int demand = swp_sync_barrier_demand(&search->flow->schedule->machine);
    brancher e = {.search = search, .most = demand > 1 ? demand : 1};
    search->target = target;
    search->effort = effort;
    search->cut = false;
    search->open = swp_sync_no_cost();
    SWP_TRY(SWP_TAKE(search->ctx, count, &e.gaps));
    SWP_TRY(SWP_TAKE(search->ctx, count, &e.trial));
    for (size_t i = 0; i < count; i++)
        e.barriers += e.gaps[i] = search->placer.floor[i];
    return decide(&e, 0);
}
