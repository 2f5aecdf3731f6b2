/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a placement by local search, and halves the gap between bound and best by branch and bound. */
#include "sync/search.h"

#include "sync/branch_and_bound.h"
#include "sync/fit.h"
#include "sync/local_search.h"

#include <string.h>

/* Steps of a full exploration, times the ops of a pass: some tenths of a second. */
static const uint64_t full_effort = 400000;

/* How often the gap between best and bound is halved where a full exploration was too much. */
enum { HALVINGS = 5 };

swp_sync_cost swp_sync_no_cost(void)
{
    return (swp_sync_cost){{1, 0}, INT_MAX};
}

bool swp_sync_search_step(swp_sync_search *search)
{
    if (!search->cut && search->effort > 0 && swp_budget_poll(search->budget))
        search->effort--;
    else
        search->cut = true;
    return !search->cut;
}

swp_status swp_sync_search_keep(swp_sync_search *search, const int *gaps,
                                const swp_sync_wait_list *waits, swp_sync_cost cost)
{
    memcpy(search->gaps, gaps, (size_t)search->flow->count * sizeof *gaps);
    search->waits.count = 0;
    for (size_t i = 0; i < waits->count; i++)
        SWP_TRY(SWP_PUSH(search->ctx, &search->waits, waits->items[i]));
    search->best = cost;
    search->exact = search->meter.exact;
    search->budget->best = (cost.cycles.cycles + cost.cycles.passes - 1) / cost.cycles.passes;
    return SWP_OK;
}

/* No placement takes fewer cycles than `least` and the placements that were left open. */
static swp_ratio bound_of(const swp_sync_search *s, swp_ratio least)
{
    return swp_solve_ratio_compare(s->open.cycles, least) < 0 ? s->open.cycles : least;
}

static void raise_bound(swp_sync_search *s, swp_ratio bound)
{
    if (swp_solve_ratio_compare(bound, s->bound) > 0)
        s->bound = bound;
    s->budget->bound = s->bound.cycles / s->bound.passes;
}

/* Whether nothing costs less than `target`, or than what was found that does. */
static swp_status prove(swp_sync_search *s, swp_sync_cost target, uint64_t effort, bool *proven)
{
    SWP_TRY(swp_sync_branch_and_bound(s, target, effort));
    *proven = !s->cut;
    if (s->cut)
        return SWP_OK;
    raise_bound(s, bound_of(s, s->target.cycles));
    s->optimal = swp_sync_cost_compare(s->target, s->best) == 0 &&
                 swp_sync_cost_compare(s->open, s->best) >= 0;
    return SWP_OK;
}

enum { MIDDLE_PARTS = 16 };

/* In parts of a cycle, or numbers would grow from one middle to the next. */
static swp_ratio middle(swp_ratio a, swp_ratio b)
{
    const int64_t sum = a.cycles * MIDDLE_PARTS / a.passes + b.cycles * MIDDLE_PARTS / b.passes;
    return (swp_ratio){sum / 2, MIDDLE_PARTS};
}

/* That nothing is below the middle of best and bound is easier to prove than that of best. */
static swp_status halve_gap(swp_sync_search *s, uint64_t effort)
{
    swp_ratio high = s->best.cycles;
    for (int i = 0; i < HALVINGS && !s->optimal && !s->budget->stopped; i++) {
        const swp_sync_cost target = {middle(s->bound, high), 0};
        bool proven = false;
        if (swp_solve_ratio_compare(target.cycles, s->bound) <= 0)
            break;
        SWP_TRY(prove(s, target, effort, &proven));
        if (!proven)
            high = target.cycles;
        else if (swp_solve_ratio_compare(s->bound, target.cycles) < 0)
            break; /* a placement is open */
    }
    return SWP_OK;
}

/* A work limit that allows for more asks for it; half of it is left for the proofs. */
static uint64_t effort_of(const swp_sync_search *s)
{
    const uint64_t usual = full_effort / (uint64_t)s->flow->count;
    const uint64_t allowed = s->budget->limits->work / 4;
    return allowed > usual ? allowed : usual;
}

static swp_status prove_best(swp_sync_search *s)
{
    const uint64_t effort = effort_of(s);
    bool proven = false;
    SWP_TRY(prove(s, s->best, effort, &proven));
    return proven || s->budget->stopped ? SWP_OK : halve_gap(s, effort / HALVINGS);
}

/* On the way some waits may have become stronger than they turned out to need. */
static swp_status weaken_best(swp_sync_search *s)
{
    bool possible = false;
    SWP_TRY(swp_sync_find_wait_requirements(s->ctx, s->flow, &s->meter.retired, s->gaps,
                                            s->flow->count, &s->meter.requirements, &possible));
    swp_sync_weaken_waits(s->flow, &s->meter.requirements, &s->waits);
    return s->flow->schedule->machine.wait_cycles > 0 ? swp_sync_take_given_waits(s) : SWP_OK;
}

swp_status swp_sync_search_best(swp_sync_search *search)
{
    SWP_TRY(swp_sync_meter_new(search->ctx, search->flow, &search->meter));
    search->best = swp_sync_no_cost();
    search->bound = search->meter.busiest;
    SWP_TRY(swp_sync_bound_cycles(search->ctx, &search->meter, search->placer.floor, 0,
                                  &search->bound));
    SWP_TRY(swp_sync_local_search(search));
    SWP_TRY(prove_best(search));
    return weaken_best(search);
}
