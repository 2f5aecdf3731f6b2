/* SPDX-License-Identifier: Apache-2.0 */
/* Downhill, one barrier at a time: moved, added or taken away, whatever saves most. */
#include "sync/local_search.h"

#include <string.h>

/* A placement on its way down. */
typedef struct descent {
    swp_sync_search *search;
    int *start; /* of a round */
    int *trial;
    int *best; /* of the round */
    swp_sync_cost cost;
} descent;

static swp_status try_trial(descent *d)
{
    swp_sync_search *s = d->search;
    bool less = false;
    swp_sync_cost cost;
    SWP_TRY(swp_sync_measure(s->ctx, &s->meter, d->trial, d->cost, &less, &cost));
    if (!less)
        return SWP_OK;
    memcpy(d->best, d->trial, (size_t)s->flow->count * sizeof *d->best);
    d->cost = cost;
    return swp_sync_cost_compare(cost, s->best) < 0
               ? swp_sync_search_keep(s, d->trial, &s->meter.waits, cost)
               : SWP_OK;
}

static void change(int *gaps, int gap, int by)
{
    if (gap >= 0)
        gaps[gap] += by;
}

/* Puts a barrier of `from` to every other gap; gap -1 is the heap of those that are not placed. */
static swp_status try_moves(descent *d, int from)
{
    for (int to = -1; to < d->search->flow->count; to++) {
        if (to == from)
            continue;
        if (!swp_budget_poll(d->search->budget))
            break;
        change(d->trial, from, -1);
        change(d->trial, to, 1);
        SWP_TRY(try_trial(d));
        change(d->trial, to, -1);
        change(d->trial, from, 1);
    }
    return SWP_OK;
}

static bool can_move(const descent *d, int barriers, int from)
{
    if (from < 0)
        return barriers < d->search->most_barriers;
    return d->start[from] > d->search->placer.floor[from];
}

static swp_status go_down(descent *d)
{
    swp_sync_search *s = d->search;
    const size_t size = (size_t)s->flow->count * sizeof *d->start;
    swp_sync_cost before;
    do {
        before = d->cost;
        memcpy(d->start, d->best, size);
        memcpy(d->trial, d->best, size);
        for (int from = -1; from < s->flow->count && !s->budget->stopped; from++)
            if (can_move(d, before.barriers, from))
                SWP_TRY(try_moves(d, from));
    } while (swp_sync_cost_compare(d->cost, before) < 0);
    return SWP_OK;
}

/* Down from a placement, where it is one. */
static swp_status go_down_from(descent *d, const int *gaps)
{
    swp_sync_search *s = d->search;
    const int count = s->flow->count;
    int barriers = 0;
    for (int i = 0; i < count; i++) {
        d->trial[i] = gaps[i];
        barriers += gaps[i];
        if (gaps[i] < s->placer.floor[i])
            return SWP_OK;
    }
    if (barriers > s->most_barriers || !swp_sync_place_sum(&s->placer, barriers, count, d->trial))
        return SWP_OK;
    d->cost = swp_sync_no_cost();
    SWP_TRY(try_trial(d));
    return go_down(d);
}

swp_status swp_sync_local_search(swp_sync_search *search)
{
    const int count = search->flow->count;
    descent d = {.search = search};
    int *gaps = NULL;
    SWP_TRY(SWP_TAKE(search->ctx, (size_t)count, &d.start));
    SWP_TRY(SWP_TAKE(search->ctx, (size_t)count, &d.trial));
    SWP_TRY(SWP_TAKE(search->ctx, (size_t)count, &d.best));
    SWP_TRY(SWP_TAKE(search->ctx, (size_t)count, &gaps));
    memcpy(gaps, search->gaps, (size_t)count * sizeof *gaps);
    SWP_TRY(go_down_from(&d, gaps));
    SWP_TRY(go_down_from(&d, search->flow->given));
    for (int i = 0; i < count; i++)
        gaps[i] = swp_sync_is_beside_compute(search->flow, i);
    return go_down_from(&d, gaps);
}
