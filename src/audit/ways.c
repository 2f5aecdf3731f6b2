/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/ways.h"

#include "audit/segments.h"

#include <stdlib.h>

/* Waves that lag further, or more pairs of segments, count as any segments at the same time. */
enum { MOST_LAG = SWP_MOST_WAVES, MOST_PAIRS = 1 << 16 };

/*
 * Where a wave is: behind the barrier of that number, or one of these, counted from the number of
 * barriers. A wave that lags is so many barriers before the branch.
 */
enum { AT_START, ENDED, BEFORE, STATES = BEFORE + MOST_LAG };

/* Two waves between the same two barriers: one that watches, and one that accesses. */
typedef struct pair {
    int other;
    int own;
    bool sure;   /* every wave on these ways comes to be there */
    size_t slot; /* in the set of pairs */
} pair;

typedef struct pair_list {
    pair *items;
    size_t count;
    size_t capacity;
} pair_list;

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
    swp_barriers barriers;
    int block; /* that ends with the branch */
    int copy;
    bool *on[2]; /* blocks on each way, up to where they meet */
    swp_way other;
    swp_way own;
    swp_point end; /* of the block */
    int lead;      /* barriers that the other wave is ahead of this one at the branch */
    bool any_lead; /* nobody knows how many */
    pair_list pairs;
    uint64_t *met;    /* a set of those, by hash; 0: nothing */
    activity *active; /* by event */
    swp_numbers actives;
    int round;
    int *blocks; /* by event: where it is */
} ways;

enum { SET_SIZE = 4 * MOST_PAIRS };

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
    return w->barriers.count + state;
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
    return first != second && (w->other.waves & come[block_of(w, other)]) >> first & 1U &&
           (w->own.waves & come[block_of(w, own)]) >> second & 1U &&
           (w->any_lead || lag[first] - lag[second] == w->lead);
}

/* Of two accesses at once, the one further down is said to come too early. */
static swp_status describe(const ways *w, int first, int second, swp_conflict *out)
{
    const bool swapped = w->active[first].issued && w->on[w->other.side][block_of(w, first)] &&
                         w->trace->events.items[first].insn > w->trace->events.items[second].insn;
    const int other = swapped ? second : first;
    const int own = swapped ? first : second;
    *out = (swp_conflict){.at = w->trace->events.items[own].insn,
                          .other = w->trace->events.items[other].insn,
                          .event = other,
                          .own = own,
                          .counter = -1,
                          .parted = w->trace->flow->blocks[w->block].end - 1,
                          .parted_before = !w->on[w->other.side][block_of(w, first)],
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
    for (int i = -1; i < w->barriers.count; i++) {
        const swp_segment *segment = i < 0 ? w->other.start : w->other.segments[i];
        if (segment && segment->ends)
            SWP_TRY(mark_all(w, &segment->left, false, false));
    }
    return SWP_OK;
}

static swp_status mark_segment(ways *w, int at, bool sure)
{
    const swp_segment *segment = NULL;
    const swp_numbers *held = NULL;
    if (at >= at_state(w, BEFORE))
        return mark_before(w, at - at_state(w, BEFORE) + 1, sure);
    if (at == at_state(w, ENDED))
        return mark_left(w);
    if (at == at_state(w, AT_START))
        SWP_TRY(mark_before(w, 0, sure));
    SWP_TRY(swp_way_segment(&w->barriers, &w->other, at < w->barriers.count ? at : -1, &segment));
    SWP_TRY(mark_all(w, &segment->issued, sure, true));
    if (at == at_state(w, AT_START))
        return SWP_OK;
    SWP_TRY(swp_barriers_held(&w->barriers, at, &held));
    return mark_all(w, held, sure, false);
}

static swp_status compare_actives(const ways *w, const swp_numbers *issued)
{
    for (size_t i = 0; i < issued->count; i++)
        for (size_t a = 0; a < w->actives.count; a++)
            SWP_TRY(compare(w, w->actives.items[a], issued->items[i]));
    return SWP_OK;
}

/* --- which segments are at the same time --- */

/* Where a pair stands in the set of pairs, or would. */
static size_t slot_of(const ways *w, int other, int own)
{
    const uint64_t key = ((uint64_t)(unsigned)other << 32U | (unsigned)own) + 1;
    size_t at = (key * 0x9e3779b97f4a7c15U >> 32U) % SET_SIZE;
    while (w->met[at] && w->met[at] != key)
        at = (at + 1) % SET_SIZE;
    return at;
}

static swp_status add_pair(ways *w, int other, int own, bool sure)
{
    const pair added = {other, own, sure, slot_of(w, other, own)};
    pair_list *pairs = &w->pairs;
    if (pairs->count >= MOST_PAIRS || w->met[added.slot])
        return SWP_OK;
    w->met[added.slot] = ((uint64_t)(unsigned)other << 32U | (unsigned)own) + 1;
    return SWP_PUSH(w->trace->ctx, pairs, added);
}

static void forget_pairs(ways *w)
{
    for (size_t i = 0; i < w->pairs.count; i++)
        w->met[w->pairs.items[i].slot] = 0;
    w->pairs.count = 0;
}

/* Where a wave may be behind the next barrier. */
static swp_status add_next(ways *w, swp_way *way, int at, swp_numbers *out, bool *sure)
{
    const swp_segment *segment = NULL;
    int next = at;
    out->count = 0;
    if (at >= at_state(w, BEFORE))
        next = at == at_state(w, BEFORE) ? at_state(w, AT_START) : at - 1;
    if (at >= at_state(w, ENDED))
        return SWP_PUSH(w->trace->ctx, out, next);
    SWP_TRY(swp_way_segment(&w->barriers, way, at < w->barriers.count ? at : -1, &segment));
    for (size_t i = 0; i < segment->next.count; i++)
        SWP_TRY(SWP_PUSH(w->trace->ctx, out, segment->next.items[i]));
    if (segment->ends && way == &w->other)
        SWP_TRY(SWP_PUSH(w->trace->ctx, out, at_state(w, ENDED)));
    *sure &= out->count == 1 && !segment->leaves && !(segment->ends && way == &w->own);
    return SWP_OK;
}

static swp_status find_pairs(ways *w)
{
    swp_numbers others = {0};
    swp_numbers owns = {0};
    const int other = w->lead > 0 ? at_state(w, BEFORE) + w->lead - 1 : at_state(w, AT_START);
    const int own = w->lead < 0 ? at_state(w, BEFORE) - w->lead - 1 : at_state(w, AT_START);
    forget_pairs(w);
    SWP_TRY(add_pair(w, other, own, true));
    for (size_t i = 0; i < w->pairs.count; i++) {
        const pair from = w->pairs.items[i];
        bool sure = from.sure;
        SWP_TRY(add_next(w, &w->other, from.other, &others, &sure));
        SWP_TRY(add_next(w, &w->own, from.own, &owns, &sure));
        for (size_t a = 0; a < others.count; a++)
            for (size_t b = 0; b < owns.count; b++)
                SWP_TRY(add_pair(w, others.items[a], owns.items[b], sure));
    }
    return SWP_OK;
}

static int compare_pairs(const void *a, const void *b)
{
    const pair *first = a;
    const pair *second = b;
    return first->own != second->own
               ? (first->own > second->own) - (first->own < second->own)
               : (first->other > second->other) - (first->other < second->other);
}

static swp_status compare_pairs_of(ways *w, size_t first, size_t end)
{
    const int own = w->pairs.items[first].own;
    const swp_segment *segment = NULL;
    if (own >= at_state(w, ENDED))
        return SWP_OK;
    w->round++;
    w->actives.count = 0;
    for (size_t i = first; i < end; i++)
        SWP_TRY(mark_segment(w, w->pairs.items[i].other, w->pairs.items[i].sure));
    SWP_TRY(swp_way_segment(&w->barriers, &w->own, own < w->barriers.count ? own : -1, &segment));
    return compare_actives(w, &segment->issued);
}

/* Every access on this way with every one that the other wave may come to. */
static swp_status compare_all(ways *w)
{
    swp_numbers issued = {0};
    bool *come = NULL;
    const swp_flow *flow = w->trace->flow;
    const int first = flow->blocks[w->block].successors[w->other.side];
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
        if (w->on[w->own.side][block_of(w, e)])
            SWP_TRY(SWP_PUSH(w->trace->ctx, &issued, e));
    }
    return compare_actives(w, &issued);
}

static swp_status judge_lead(ways *w)
{
    if (w->any_lead || abs(w->lead) > MOST_LAG)
        return compare_all(w);
    SWP_TRY(find_pairs(w));
    if (w->pairs.count >= MOST_PAIRS)
        return compare_all(w);
    qsort(w->pairs.items, w->pairs.count, sizeof *w->pairs.items, compare_pairs);
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
    return SWP_TAKE(w->trace->ctx, (size_t)w->barriers.count, &out->segments);
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
            if (x != y && w->other.waves >> x & 1U && w->own.waves >> y & 1U &&
                !is_in(out, lag[x] - lag[y]))
                SWP_TRY(SWP_PUSH(w->trace->ctx, out, lag[x] - lag[y]));
    return SWP_OK;
}

static swp_status judge_side(ways *w, int side)
{
    swp_numbers leads = {0};
    SWP_TRY(set_way(w, !side, NULL, &w->other));
    SWP_TRY(set_way(w, side, w->on[side], &w->own));
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
    SWP_TRY(swp_barriers_find(trace, &w->barriers));
    SWP_TRY(swp_point_new(trace, &w->end));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)flow->block_count, &w->on[0]));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)flow->block_count, &w->on[1]));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)trace->events.count, &w->active));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)trace->events.count, &w->blocks));
    for (int e = 0; e < trace->events.count; e++)
        w->blocks[e] = swp_flow_block_of(flow, trace->events.items[e].insn);
    SWP_TRY(SWP_TAKE(trace->ctx, SET_SIZE, &w->met));
    for (w->block = 0; w->block < flow->block_count; w->block++)
        if (trace->partings.parts[w->block] && flow->blocks[w->block].successor_count == 2)
            SWP_TRY(judge_branch(w));
    return SWP_OK;
}
