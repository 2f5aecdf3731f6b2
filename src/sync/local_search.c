/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Downhill, one barrier at a time: moved, added or taken away, whatever saves most. Where a pass has iterations that
 * are alike, first one of each: a chain that runs through all of them is shorter only when it is shorter in all.
 */
#include "sync/local_search.h"

#include <string.h>

/* A placement on its way down. */
typedef struct descent {
    swp_sync_search *search;
    int *start; /* of a round */
    int *trial;
    int *best;    /* of the round */
    int together; /* iterations in which the same is done, `step` gaps from one to the next */
    int step;
    swp_sync_cost cost;
} descent;

/* Iterations of a pass, where all have the same ops in the same order; else 1. */
static int equal_iterations(const swp_dataflow *flow)
{
    const int iterations = flow->effects.op_count > 0 ? flow->schedule->loop.tiles_per_pass : 1;
    const int step = flow->count / iterations;
    if (flow->count % iterations != 0)
        return 1;
    for (int i = step; i < flow->count; i++)
        if (flow->ops[i].op.tag != flow->ops[i - step].op.tag)
            return 1;
    return iterations;
}

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

static void change(const descent *d, int gap, int by)
{
    for (int i = gap; i >= 0 && i < d->search->flow->count; i += d->step)
        d->trial[i] += by;
}

/* Whether so many barriers may cost less than the best of the round: at the bound only fewer do. */
static bool may_cost_less(const descent *d, int64_t barriers)
{
    return swp_solve_ratio_compare(d->cost.cycles, d->search->bound) > 0 ||
           barriers < d->cost.barriers;
}

/* Puts one of so many barriers from a gap to every other one; gap -1 is the heap of those that are not placed. */
static swp_status try_moves(descent *d, int64_t barriers, int from)
{
    const int64_t left = from < 0 ? barriers : barriers - d->together;
    for (int to = -1; to < d->step; to++) {
        if (to == from || !may_cost_less(d, to < 0 ? left : left + d->together))
            continue;
        if (!swp_budget_poll(d->search->budget))
            break;
        change(d, from, -1);
        change(d, to, 1);
        SWP_TRY(try_trial(d));
        change(d, to, -1);
        change(d, from, 1);
    }
    return SWP_OK;
}

static bool can_move(const descent *d, int barriers, int from)
{
    const swp_sync_search *s = d->search;
    if (from < 0)
        return barriers + d->together <= s->most_barriers;
    for (int i = from; i < s->flow->count; i += d->step)
        if (d->start[i] <= s->placer.floor[i])
            return false;
    return true;
}

static swp_status go_down(descent *d, int together)
{
    swp_sync_search *s = d->search;
    const size_t size = (size_t)s->flow->count * sizeof *d->start;
    swp_sync_cost before;
    d->together = together;
    d->step = s->flow->count / together;
    do {
        before = d->cost;
        memcpy(d->start, d->best, size);
        memcpy(d->trial, d->best, size);
        for (int from = -1; from < d->step && !s->budget->stopped; from++)
            if (can_move(d, before.barriers, from))
                SWP_TRY(try_moves(d, before.barriers, from));
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
    const int iterations = equal_iterations(s->flow);
    if (iterations > 1)
        SWP_TRY(go_down(d, iterations));
    return go_down(d, 1);
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
