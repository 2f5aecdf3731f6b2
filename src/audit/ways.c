/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/ways.h"

#include "audit/pairs.h"

#include <stdlib.h>

/* An access that the other wave may have under way. */
typedef struct activity {
    int round;   /* in which this holds */
    bool sure;   /* it is under way */
    bool issued; /* at this time, not before */
} activity;

typedef struct ways {
    swp_trace *trace;
    const swp_lags *lags;
    swp_conflict_list *out;
    swp_pairs pairs;
    int block; /* that ends with the branch */
    int copy;
    bool *on[2];      /* blocks on each way, up to where they meet */
    swp_point end;    /* of the block */
    int lead;         /* barriers that the other wave is ahead of this one at the branch */
    bool any_lead;    /* nobody knows how many */
    activity *active; /* by event */
    swp_numbers actives;
    int round;
    int *blocks; /* by event: where it is */
} ways;

static const swp_insn *insn_of(const ways *w, int event)
{
    return swp_event_insn(&w->trace->events, event);
}

static int block_of(const ways *w, int event)
{
    return w->blocks[event];
}

static int at_state(const ways *w, int state)
{
    return swp_pairs_state(&w->pairs, state);
}

/* --- comparing two accesses --- */

static bool same_accesses(const swp_conflict *a, const swp_conflict *b)
{
    return (a->at == b->at && a->kind == b->kind) ||
           (a->parted >= 0 && a->at == b->other && a->other == b->at);
}

static swp_status add(const ways *w, swp_conflict conflict)
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
static bool go_apart(const ways *w, int first, int other, int second, int own)
{
    const swp_wave_set *come = w->trace->branches.come;
    const int *lag = w->lags->items[w->block].barriers;
    return first != second && (w->pairs.other.waves & come[block_of(w, other)]) >> first & 1U &&
           (w->pairs.own.waves & come[block_of(w, own)]) >> second & 1U &&
           (w->any_lead || lag[first] - lag[second] == w->lead);
}

/* Of two accesses at once, the one further down is said to come too early. */
static swp_status describe(const ways *w, int first, int second, swp_conflict *out)
{
    const bool swapped = w->active[first].issued &&
                         w->on[w->pairs.other.side][block_of(w, first)] &&
                         w->trace->events.items[first].insn > w->trace->events.items[second].insn;
    const int other = swapped ? second : first;
    const int own = swapped ? first : second;
    *out = (swp_conflict){.at = w->trace->events.items[own].insn,
                          .other = w->trace->events.items[other].insn,
                          .event = other,
                          .own = own,
                          .counter = -1,
                          .parted = w->trace->flow->blocks[w->block].end - 1,
                          .parted_before = !w->on[w->pairs.other.side][block_of(w, first)],
                          .swapped = swapped,
                          .lag_unknown = -1,
                          .flight.wait = -1};
    return swp_lds_order_of(w->trace, other, own, &out->kind, &out->order);
}

/* The first two waves that touch the same byte, each on its way. */
static swp_status compare(const ways *w, int other, int own)
{
    const int waves = w->trace->values.threads / SWP_WAVE;
    const bool known = w->trace->branches.items[w->block].sense == SWP_BRANCH_KNOWN;
    swp_conflict conflict;
    SWP_TRY(describe(w, other, own, &conflict));
    if (conflict.order == SWP_ORDER_FREE)
        return SWP_OK;
    for (int x = 0; x < waves; x++)
        for (int y = 0; y < waves; y++) {
            const swp_overlap overlap = swp_footprint_overlap(&w->trace->footprints[other], x,
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

static swp_status mark_active(ways *w, int event, bool sure, bool issued)
{
    swp_numbers *actives = &w->actives;
    activity *active = &w->active[event];
    const bool first = active->round != w->round;
    active->sure = sure || (!first && active->sure);
    active->issued = issued && (first || active->issued);
    active->round = w->round;
    return first ? SWP_PUSH(w->trace->ctx, actives, event) : SWP_OK;
}

static swp_status mark_all(ways *w, const swp_numbers *events, bool sure, bool issued)
{
    for (size_t i = 0; i < events->count; i++)
        SWP_TRY(mark_active(w, events->items[i], sure, issued));
    return SWP_OK;
}

/* What it has not done so many barriers before the branch. */
static swp_status mark_before(ways *w, int barriers, bool sure)
{
    for (int e = 0; e < w->trace->events.count; e++) {
        const swp_flight *flight = &w->end.flights[e];
        if (flight->present && swp_accesses_lds(insn_of(w, e)) &&
            (swp_flight_in_flight(flight) || flight->barriers <= barriers))
            SWP_TRY(mark_active(w, e, sure, false));
    }
    return SWP_OK;
}

/* What it left in flight where it ended. */
static swp_status mark_left(ways *w)
{
    for (int i = -1; i < w->pairs.barriers.count; i++) {
        const swp_segment *segment = i < 0 ? w->pairs.other.start : w->pairs.other.segments[i];
        if (segment && segment->ends)
            SWP_TRY(mark_all(w, &segment->left, false, false));
    }
    return SWP_OK;
}

static swp_status mark_segment(ways *w, int at, bool sure)
{
    const swp_segment *segment = NULL;
    const swp_numbers *held = NULL;
    if (at >= at_state(w, SWP_BEFORE_BRANCH))
        return mark_before(w, at - at_state(w, SWP_BEFORE_BRANCH) + 1, sure);
    if (at == at_state(w, SWP_ENDED))
        return mark_left(w);
    if (at == at_state(w, SWP_AT_BRANCH))
        SWP_TRY(mark_before(w, 0, sure));
    SWP_TRY(swp_pairs_segment(&w->pairs, &w->pairs.other, at, &segment));
    SWP_TRY(mark_all(w, &segment->issued, sure, true));
    if (at == at_state(w, SWP_AT_BRANCH))
        return SWP_OK;
    SWP_TRY(swp_barriers_held(&w->pairs.barriers, at, &held));
    return mark_all(w, held, sure, false);
}

static swp_status compare_actives(const ways *w, const swp_numbers *issued)
{
    for (size_t i = 0; i < issued->count; i++)
        for (size_t a = 0; a < w->actives.count; a++)
            SWP_TRY(compare(w, w->actives.items[a], issued->items[i]));
    return SWP_OK;
}

static swp_status compare_pairs_of(ways *w, size_t first, size_t end)
{
    const int own = w->pairs.items[first].own;
    const swp_segment *segment = NULL;
    if (own >= at_state(w, SWP_ENDED))
        return SWP_OK;
    w->round++;
    w->actives.count = 0;
    for (size_t i = first; i < end; i++)
        SWP_TRY(mark_segment(w, w->pairs.items[i].other, w->pairs.items[i].sure));
    SWP_TRY(swp_pairs_segment(&w->pairs, &w->pairs.own, own, &segment));
    return compare_actives(w, &segment->issued);
}

/* Every access on this way with every one that the other wave may come to. */
static swp_status compare_all(ways *w)
{
    swp_numbers issued = {0};
    bool *come = NULL;
    const swp_flow *flow = w->trace->flow;
    const int first = flow->blocks[w->block].successors[w->pairs.other.side];
    SWP_TRY(SWP_TAKE(w->trace->ctx, (size_t)flow->block_count, &come));
    swp_flow_mark_reached(flow, first, SWP_NO_BLOCK, come);
    w->round++;
    w->actives.count = 0;
    SWP_TRY(mark_before(w, SWP_MOST_BARRIERS, false));
    for (int e = 0; e < w->trace->events.count; e++) {
        if (!swp_accesses_lds(insn_of(w, e)))
            continue;
        if (come[block_of(w, e)])
            SWP_TRY(mark_active(w, e, false, true));
        if (w->on[w->pairs.own.side][block_of(w, e)])
            SWP_TRY(SWP_PUSH(w->trace->ctx, &issued, e));
    }
    return compare_actives(w, &issued);
}

static swp_status judge_lead(ways *w)
{
    bool all = !w->any_lead && abs(w->lead) <= SWP_MOST_LEAD;
    if (all)
        SWP_TRY(swp_pairs_find(&w->pairs, w->lead, &all));
    if (!all)
        return compare_all(w);
    for (size_t first = 0; first < w->pairs.count;) {
        size_t end = first;
        while (end < w->pairs.count && w->pairs.items[end].own == w->pairs.items[first].own)
            end++;
        SWP_TRY(compare_pairs_of(w, first, end));
        first = end;
    }
    return SWP_OK;
}

/* --- branches --- */

static swp_status set_way(ways *w, int side, const bool *within, swp_way *out)
{
    *out = (swp_way){.block = w->block, .side = side, .copy = w->copy, .within = within};
    out->waves =
        swp_branches_going(&w->trace->branches, w->block, side, w->trace->branches.come[w->block]);
    return SWP_TAKE(w->trace->ctx, (size_t)w->pairs.barriers.count, &out->segments);
}

static bool is_in(const swp_numbers *numbers, int number)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->items[i] == number)
            return true;
    return false;
}

/* The numbers of barriers that waves on the other way are ahead of those on this one. */
static swp_status find_leads(const ways *w, swp_numbers *out)
{
    const int *lag = w->lags->items[w->block].barriers;
    for (int x = 0; x < SWP_MOST_WAVES; x++)
        for (int y = 0; y < SWP_MOST_WAVES; y++)
            if (x != y && w->pairs.other.waves >> x & 1U && w->pairs.own.waves >> y & 1U &&
                !is_in(out, lag[x] - lag[y]))
                SWP_TRY(SWP_PUSH(w->trace->ctx, out, lag[x] - lag[y]));
    return SWP_OK;
}

static swp_status judge_side(ways *w, int side)
{
    swp_numbers leads = {0};
    SWP_TRY(set_way(w, !side, NULL, &w->pairs.other));
    SWP_TRY(set_way(w, side, w->on[side], &w->pairs.own));
    SWP_TRY(find_leads(w, &leads));
    w->any_lead = w->lags->items[w->block].unknown >= 0;
    for (size_t i = 0; i < (w->any_lead ? 1 : leads.count); i++) {
        w->lead = w->any_lead ? 0 : leads.items[i];
        SWP_TRY(judge_lead(w));
    }
    return SWP_OK;
}

static bool accesses_lds(const ways *w, const bool *region)
{
    for (int e = 0; e < w->trace->events.count; e++)
        if (swp_accesses_lds(insn_of(w, e)) && region[block_of(w, e)])
            return true;
    return false;
}

static swp_status judge_branch(ways *w)
{
    const swp_flow *flow = w->trace->flow;
    for (int side = 0; side < 2; side++) {
        for (int b = 0; b < flow->block_count; b++)
            w->on[side][b] = false;
        swp_flow_mark_way(flow, w->block, side, w->on[side]);
    }
    for (w->copy = 0; w->copy < w->trace->copies; w->copy++) {
        swp_trace_end(w->trace, w->block, w->copy, &w->end);
        for (int side = 0; side < 2 && w->end.reached; side++)
            if (accesses_lds(w, w->on[side]))
                SWP_TRY(judge_side(w, side));
    }
    return SWP_OK;
}

swp_status swp_judge_ways(swp_trace *trace, const swp_lags *lags, swp_conflict_list *out)
{
    ways *w = NULL;
    const swp_flow *flow = trace->flow;
    if (trace->values.threads <= SWP_WAVE)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(trace->ctx, 1, &w));
    w->trace = trace;
    w->lags = lags;
    w->out = out;
    SWP_TRY(swp_pairs_init(trace, &w->pairs));
    SWP_TRY(swp_point_new(trace, &w->end));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)flow->block_count, &w->on[0]));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)flow->block_count, &w->on[1]));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)trace->events.count, &w->active));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)trace->events.count, &w->blocks));
    for (int e = 0; e < trace->events.count; e++)
        w->blocks[e] = swp_flow_block_of(flow, trace->events.items[e].insn);
    for (w->block = 0; w->block < flow->block_count; w->block++)
        if (trace->partings.parts[w->block] && flow->blocks[w->block].successor_count == 2)
            SWP_TRY(judge_branch(w));
    return SWP_OK;
}
