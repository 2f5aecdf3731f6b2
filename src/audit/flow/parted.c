/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/flow/parted.h"

#include "base/budget.h"

enum { STEPS_OF_AN_EVENT = 4, STEPS_OF_A_PAIR = 32 };

const swp_insn *swp_flow_parted_insn(const swp_parted *w, int event)
{
    return swp_flow_event_insn(&w->trace->events, event);
}

int swp_flow_parted_block(const swp_parted *w, int event)
{
    return w->blocks[event];
}

/* --- comparing two accesses --- */

static bool same_accesses(const swp_conflict *a, const swp_conflict *b)
{
    return (a->at == b->at && a->kind == b->kind) ||
           (a->parted >= 0 && a->at == b->other && a->other == b->at);
}

static swp_status add(const swp_parted *w, swp_conflict conflict)
{
    for (size_t i = 0; i < w->out->count; i++) {
        swp_conflict *known = &w->out->items[i];
        if (!same_accesses(known, &conflict))
            continue;
        if (conflict.certain && !known->certain)
            *known = conflict;
        return SWP_OK;
    }
    return SWP_PUSH(w->trace->ctx, w->out, conflict);
}

/* Whether these two waves go these ways, so far behind one another. */
static bool go_apart(const swp_parted *w, int first, int other, int second, int own)
{
    const swp_wave_set *come = w->trace->branches.come;
    const int *lag = w->lags->items[w->block].barriers;
    return first != second &&
           (w->pairs.other.waves & come[swp_flow_parted_block(w, other)]) >> first & 1U &&
           (w->pairs.own.waves & come[swp_flow_parted_block(w, own)]) >> second & 1U &&
           (w->any_lead || lag[first] - lag[second] == w->lead);
}

/* Of two accesses at once, the one further down is said to come too early. */
static void describe(const swp_parted *w, int first, int second, swp_conflict *out)
{
    const bool swapped = w->active[first].issued &&
                         w->on[w->pairs.other.side][swp_flow_parted_block(w, first)] &&
                         w->trace->events.items[first].insn > w->trace->events.items[second].insn;
    const int other = swapped ? second : first;
    const int own = swapped ? first : second;
    *out = (swp_conflict){.at = w->trace->events.items[own].insn,
                          .other = w->trace->events.items[other].insn,
                          .event = other,
                          .own = own,
                          .counter = -1,
                          .parted = w->trace->flow->blocks[w->block].end - 1,
                          .parted_before =
                              !w->on[w->pairs.other.side][swp_flow_parted_block(w, first)],
                          .swapped = swapped,
                          .lag_unknown = -1,
                          .flight.wait = -1};
    out->order = swp_flow_lds_order_of(w->trace, other, own, &out->kind);
}

/* The first two waves that touch the same byte, each on its way. */
static swp_status compare(const swp_parted *w, int other, int own)
{
    const int waves = w->trace->values.threads / SWP_WAVE;
    const bool known = w->trace->branches.items[w->block].sense == SWP_BRANCH_KNOWN;
    swp_conflict conflict;
    SWP_TRY(swp_keep_on(w->trace->ctx, STEPS_OF_A_PAIR * (uint64_t)(waves * waves)));
    describe(w, other, own, &conflict);
    if (conflict.order == SWP_ORDER_FREE)
        return SWP_OK;
    for (int x = 0; x < waves; x++)
        for (int y = 0; y < waves; y++) {
            const swp_overlap overlap = swp_flow_footprint_overlap(&w->trace->footprints[other], x,
                                                                   &w->trace->footprints[own], y);
            if (overlap == SWP_APART || !go_apart(w, x, other, y, own))
                continue;
            conflict.waves[0] = conflict.swapped ? y : x;
            conflict.waves[1] = conflict.swapped ? x : y;
            conflict.certain = overlap == SWP_OVERLAP && known && w->active[other].sure &&
                               conflict.order == SWP_ORDER_MATTERS;
            return add(w, conflict);
        }
    return SWP_OK;
}

/* --- what the other wave may have under way --- */

swp_status swp_flow_parted_mark_active(swp_parted *w, int event, bool sure, bool issued)
{
    swp_numbers *actives = &w->actives;
    swp_activity *active = &w->active[event];
    const bool first = active->round != w->round;
    active->sure = sure || (!first && active->sure);
    active->issued = issued && (first || active->issued);
    active->round = w->round;
    return first ? SWP_PUSH(w->trace->ctx, actives, event) : SWP_OK;
}

static swp_status mark_all(swp_parted *w, const swp_numbers *events, bool sure, bool issued)
{
    for (size_t i = 0; i < events->count; i++)
        SWP_TRY(swp_flow_parted_mark_active(w, events->items[i], sure, issued));
    return SWP_OK;
}

/* What it has not done so many barriers before the branch. */
swp_status swp_flow_parted_mark_before(swp_parted *w, int barriers, bool sure)
{
    SWP_TRY(swp_keep_on(w->trace->ctx, STEPS_OF_AN_EVENT * (uint64_t)w->trace->events.count));
    for (int e = 0; e < w->trace->events.count; e++) {
        const swp_flow_flight *flight = &w->end.flights[e];
        if (flight->present && swp_code_accesses_lds(swp_flow_parted_insn(w, e)) &&
            (swp_flow_is_in_flight(flight) || flight->barriers <= barriers))
            SWP_TRY(swp_flow_parted_mark_active(w, e, sure, false));
    }
    return SWP_OK;
}

/* What it left in flight where it ended. */
static swp_status mark_left(swp_parted *w)
{
    for (int i = -1; i < w->pairs.barriers.count; i++) {
        const swp_segment *segment = i < 0 ? w->pairs.other.start : w->pairs.other.segments[i];
        if (segment && segment->ends)
            SWP_TRY(mark_all(w, &segment->left, false, false));
    }
    return SWP_OK;
}

swp_status swp_flow_parted_mark_segment(swp_parted *w, int at, bool sure)
{
    const swp_segment *segment = NULL;
    const swp_numbers *held = NULL;
    if (at >= swp_flow_pairs_state(&w->pairs, SWP_BEFORE_BRANCH))
        return swp_flow_parted_mark_before(
            w, at - swp_flow_pairs_state(&w->pairs, SWP_BEFORE_BRANCH) + 1, sure);
    if (at == swp_flow_pairs_state(&w->pairs, SWP_ENDED))
        return mark_left(w);
    if (at == swp_flow_pairs_state(&w->pairs, SWP_AT_BRANCH))
        SWP_TRY(swp_flow_parted_mark_before(w, 0, sure));
    SWP_TRY(swp_flow_pairs_segment(&w->pairs, &w->pairs.other, at, &segment));
    SWP_TRY(mark_all(w, &segment->issued, sure, true));
    if (at == swp_flow_pairs_state(&w->pairs, SWP_AT_BRANCH))
        return SWP_OK;
    SWP_TRY(swp_flow_barriers_held(&w->pairs.barriers, at, &held));
    return mark_all(w, held, sure, false);
}

swp_status swp_flow_parted_compare_actives(const swp_parted *w, const swp_numbers *issued)
{
    for (size_t i = 0; i < issued->count; i++)
        for (size_t a = 0; a < w->actives.count; a++)
            SWP_TRY(compare(w, w->actives.items[a], issued->items[i]));
    return SWP_OK;
}
