/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two accesses of concurrent waves, held against each other: do they overlap, may these two waves be
 * on these paths so many barriers apart, and is it certain?
 */
#include "audit/flow/concurrent_accesses.h"

#include "base/budget.h"

enum { STEPS_OF_AN_EVENT = 4, STEPS_OF_A_PAIR = 32 };

const swp_insn *swp_flow_concurrent_insn(const swp_concurrency *w, int event)
{
    return swp_flow_event_insn(&w->fixpoint->events, event);
}

int swp_flow_concurrent_block(const swp_concurrency *w, int event)
{
    return w->blocks[event];
}

/* --- comparing two accesses --- */

static bool same_accesses(const swp_conflict *a, const swp_conflict *b)
{
    return (a->at == b->at && a->kind == b->kind) ||
           (a->divergent_branch >= 0 && a->at == b->other && a->other == b->at);
}

static swp_status add(const swp_concurrency *w, swp_conflict conflict)
{
    for (size_t i = 0; i < w->out->count; i++) {
        swp_conflict *known = &w->out->items[i];
        if (!same_accesses(known, &conflict))
            continue;
        if (conflict.certain && !known->certain)
            *known = conflict;
        return SWP_OK;
    }
    return SWP_PUSH(w->fixpoint->ctx, w->out, conflict);
}

/* Whether these two waves may be on these paths, so far behind one another. */
static bool may_be_concurrent(const swp_concurrency *w, int first, int other, int second, int own)
{
    const swp_wave_set *reaching = w->fixpoint->branches.reaching;
    const int *lag = w->lags->items[w->block].barriers;
    return first != second &&
           (w->pairs.other.waves & reaching[swp_flow_concurrent_block(w, other)]) >> first & 1U &&
           (w->pairs.own.waves & reaching[swp_flow_concurrent_block(w, own)]) >> second & 1U &&
           (w->any_lead || lag[first] - lag[second] == w->lead);
}

/* Of two concurrent accesses the one further down is said to be too early. */
static void describe(const swp_concurrency *w, int first, int second, swp_conflict *out)
{
    const bool swapped =
        w->active[first].issued &&
        w->on[w->pairs.other.side][swp_flow_concurrent_block(w, first)] &&
        w->fixpoint->events.items[first].insn > w->fixpoint->events.items[second].insn;
    const int other = swapped ? second : first;
    const int own = swapped ? first : second;
    *out = (swp_conflict){.at = w->fixpoint->events.items[own].insn,
                          .other = w->fixpoint->events.items[other].insn,
                          .event = other,
                          .own = own,
                          .counter = -1,
                          .divergent_branch = w->fixpoint->flow->blocks[w->block].end - 1,
                          .before_branch =
                              !w->on[w->pairs.other.side][swp_flow_concurrent_block(w, first)],
                          .swapped = swapped,
                          .lag_unknown = -1,
                          .access.wait = -1};
    out->order = swp_flow_lds_order_of(w->fixpoint, other, own, &out->kind);
}

/* The first two waves that access the same byte, each on its path. */
static swp_status compare(const swp_concurrency *w, int other, int own)
{
    const int waves = w->fixpoint->values.threads / SWP_WAVE;
    const bool known = w->fixpoint->branches.items[w->block].sense == SWP_BRANCH_KNOWN;
    swp_conflict conflict;
    SWP_TRY(swp_keep_on(w->fixpoint->ctx, STEPS_OF_A_PAIR * (uint64_t)(waves * waves)));
    describe(w, other, own, &conflict);
    if (conflict.order == SWP_ORDER_FREE)
        return SWP_OK;
    for (int x = 0; x < waves; x++)
        for (int y = 0; y < waves; y++) {
            const swp_overlap overlap = swp_flow_footprint_overlap(
                &w->fixpoint->footprints[other], x, &w->fixpoint->footprints[own], y);
            if (overlap == SWP_DISJOINT || !may_be_concurrent(w, x, other, y, own))
                continue;
            conflict.waves[0] = conflict.swapped ? y : x;
            conflict.waves[1] = conflict.swapped ? x : y;
            conflict.certain = overlap == SWP_OVERLAP && known && w->active[other].sure &&
                               conflict.order == SWP_ORDER_MATTERS;
            return add(w, conflict);
        }
    return SWP_OK;
}

/* --- what the other wave may have in flight --- */

swp_status swp_flow_concurrent_mark_active(swp_concurrency *w, int event, bool sure, bool issued)
{
    swp_numbers *actives = &w->actives;
    swp_activity *active = &w->active[event];
    const bool first = active->round != w->round;
    active->sure = sure || (!first && active->sure);
    active->issued = issued && (first || active->issued);
    active->round = w->round;
    return first ? SWP_PUSH(w->fixpoint->ctx, actives, event) : SWP_OK;
}

static swp_status mark_all(swp_concurrency *w, const swp_numbers *events, bool sure, bool issued)
{
    for (size_t i = 0; i < events->count; i++)
        SWP_TRY(swp_flow_concurrent_mark_active(w, events->items[i], sure, issued));
    return SWP_OK;
}

/* What it has not done so many barriers before the branch. */
swp_status swp_flow_concurrent_mark_before(swp_concurrency *w, int barriers, bool sure)
{
    SWP_TRY(swp_keep_on(w->fixpoint->ctx, STEPS_OF_AN_EVENT * (uint64_t)w->fixpoint->events.count));
    for (int e = 0; e < w->fixpoint->events.count; e++) {
        const swp_access_state *access = &w->end.accesses[e];
        if (access->present && swp_code_accesses_lds(swp_flow_concurrent_insn(w, e)) &&
            (swp_flow_is_in_flight(access) || access->barriers <= barriers))
            SWP_TRY(swp_flow_concurrent_mark_active(w, e, sure, false));
    }
    return SWP_OK;
}

/* What it left in flight where it ended. */
static swp_status mark_in_flight_at_end(swp_concurrency *w)
{
    for (int i = -1; i < w->pairs.barriers.count; i++) {
        const swp_barrier_interval *interval =
            i < 0 ? w->pairs.other.start : w->pairs.other.intervals[i];
        if (interval && interval->ends)
            SWP_TRY(mark_all(w, &interval->in_flight_at_end, false, false));
    }
    return SWP_OK;
}

swp_status swp_flow_concurrent_mark_interval(swp_concurrency *w, int at, bool sure)
{
    const swp_barrier_interval *interval = NULL;
    const swp_numbers *in_flight = NULL;
    if (at >= swp_flow_parallel_state(&w->pairs, SWP_BEFORE_BRANCH))
        return swp_flow_concurrent_mark_before(
            w, at - swp_flow_parallel_state(&w->pairs, SWP_BEFORE_BRANCH) + 1, sure);
    if (at == swp_flow_parallel_state(&w->pairs, SWP_ENDED))
        return mark_in_flight_at_end(w);
    if (at == swp_flow_parallel_state(&w->pairs, SWP_AT_BRANCH))
        SWP_TRY(swp_flow_concurrent_mark_before(w, 0, sure));
    SWP_TRY(swp_flow_parallel_interval(&w->pairs, &w->pairs.other, at, &interval));
    SWP_TRY(mark_all(w, &interval->issued, sure, true));
    if (at == swp_flow_parallel_state(&w->pairs, SWP_AT_BRANCH))
        return SWP_OK;
    SWP_TRY(swp_flow_barriers_in_flight(&w->pairs.barriers, at, &in_flight));
    return mark_all(w, in_flight, sure, false);
}

swp_status swp_flow_concurrent_compare_actives(const swp_concurrency *w, const swp_numbers *issued)
{
    for (size_t i = 0; i < issued->count; i++)
        for (size_t a = 0; a < w->actives.count; a++)
            SWP_TRY(compare(w, w->actives.items[a], issued->items[i]));
    return SWP_OK;
}
