/* SPDX-License-Identifier: Apache-2.0 */
/* What a wave may run between two barriers, walked block by block for the waves of one divergent path. */
#include "audit/flow/barrier_intervals.h"

#include "base/budget.h"

enum { STEPS_OF_AN_EVENT = 4 };

typedef struct place {
    int block;
    int copy;
} place;

typedef struct place_list {
    place *items;
    size_t count;
    size_t capacity;
} place_list;

typedef struct walker {
    swp_barriers *barriers;
    const swp_divergent_path *path;
    swp_barrier_interval *interval;
    place_list pending;
} walker;

static const swp_insn *insn_at(const swp_fixpoint *fixpoint, int index)
{
    return &fixpoint->flow->code->insns.items[index];
}

swp_status swp_flow_barriers_find(swp_fixpoint *fixpoint, swp_barriers *out)
{
    const swp_function *function = fixpoint->flow->function;
    const size_t points = (size_t)fixpoint->flow->block_count * (size_t)fixpoint->copies;
    *out = (swp_barriers){.fixpoint = fixpoint};
    swp_numbers *insns = &out->insns;
    for (int i = function->first; i < function->end; i++)
        if (insn_at(fixpoint, i)->kind == SWP_INSN_BARRIER)
            SWP_TRY(SWP_PUSH(fixpoint->ctx, insns, i));
    out->count = (int)insns->count * fixpoint->copies;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)out->count, &out->in_flight));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)out->count, &out->in_flight_known));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, points, &out->seen));
    return swp_flow_point_new(fixpoint, &out->scratch);
}

static int insn_of(const swp_barriers *barriers, int barrier)
{
    return barriers->insns.items[barrier / barriers->fixpoint->copies];
}

static int copy_of(const swp_barriers *barriers, int barrier)
{
    return barrier % barriers->fixpoint->copies;
}

static int barrier_at(const swp_barriers *barriers, int insn, int copy)
{
    size_t low = 0;
    size_t high = barriers->insns.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (barriers->insns.items[middle] <= insn)
            low = middle;
        else
            high = middle;
    }
    return (int)low * barriers->fixpoint->copies + copy;
}

/* LDS accesses that may be in flight at a point. */
static swp_status add_in_flight(const swp_fixpoint *fixpoint, const swp_point *point,
                                swp_numbers *out)
{
    SWP_TRY(swp_keep_on(fixpoint->ctx, STEPS_OF_AN_EVENT * (uint64_t)fixpoint->events.count));
    for (int e = 0; e < fixpoint->events.count; e++)
        if (swp_flow_is_in_flight(&point->accesses[e]) &&
            swp_code_accesses_lds(swp_flow_event_insn(&fixpoint->events, e)))
            SWP_TRY(SWP_PUSH(fixpoint->ctx, out, e));
    return SWP_OK;
}

swp_status swp_flow_barriers_in_flight(swp_barriers *barriers, int barrier, const swp_numbers **out)
{
    swp_fixpoint *fixpoint = barriers->fixpoint;
    const int insn = insn_of(barriers, barrier);
    const int copy = copy_of(barriers, barrier);
    const int block = swp_flow_block_of(fixpoint->flow, insn);
    *out = &barriers->in_flight[barrier];
    if (barriers->in_flight_known[barrier])
        return SWP_OK;
    barriers->in_flight_known[barrier] = true;
    swp_flow_point_copy(fixpoint, &barriers->scratch,
                        swp_flow_fixpoint_point(fixpoint, block, copy));
    for (int i = fixpoint->flow->blocks[block].first; i < insn; i++)
        swp_flow_fixpoint_transfer(fixpoint, &barriers->scratch, i, copy);
    return add_in_flight(fixpoint, &barriers->scratch, &barriers->in_flight[barrier]);
}

/* --- walking one interval --- */

static swp_status end_wave(walker *w, place at)
{
    swp_barriers *barriers = w->barriers;
    w->interval->ends = true;
    swp_flow_fixpoint_end(barriers->fixpoint, at.block, at.copy, &barriers->scratch);
    return add_in_flight(barriers->fixpoint, &barriers->scratch, &w->interval->in_flight_at_end);
}

static swp_status go_on(walker *w, int from, int side, int copy)
{
    const swp_fixpoint *fixpoint = w->barriers->fixpoint;
    const int to = fixpoint->flow->blocks[from].successors[side];
    const place next = {to, swp_flow_fixpoint_copy_after(fixpoint, from, side, copy)};
    place_list *pending = &w->pending;
    if (next.copy == SWP_NOT_TAKEN)
        return SWP_OK;
    int *seen = &w->barriers->seen[to * fixpoint->copies + next.copy];
    if (w->path->within && !w->path->within[to]) {
        w->interval->reconverges = true;
        return SWP_OK;
    }
    if (*seen == w->barriers->round)
        return SWP_OK;
    *seen = w->barriers->round;
    return SWP_PUSH(fixpoint->ctx, pending, next);
}

static swp_status leave_block(walker *w, place at)
{
    const swp_fixpoint *fixpoint = w->barriers->fixpoint;
    const swp_block *block = &fixpoint->flow->blocks[at.block];
    if (block->successor_count == 0)
        return end_wave(w, at);
    for (int s = 0; s < block->successor_count; s++)
        if (swp_flow_branches_along(&fixpoint->branches, at.block, s, w->path->waves))
            SWP_TRY(go_on(w, at.block, s, at.copy));
    return SWP_OK;
}

static swp_status walk_block(walker *w, place at, int first)
{
    const swp_fixpoint *fixpoint = w->barriers->fixpoint;
    swp_numbers *issued = &w->interval->issued;
    swp_numbers *next = &w->interval->next;
    for (int i = first; i < fixpoint->flow->blocks[at.block].end; i++) {
        if (insn_at(fixpoint, i)->kind == SWP_INSN_BARRIER)
            return SWP_PUSH(fixpoint->ctx, next, barrier_at(w->barriers, i, at.copy));
        if (swp_code_accesses_lds(insn_at(fixpoint, i)))
            SWP_TRY(SWP_PUSH(fixpoint->ctx, issued, swp_flow_fixpoint_event(fixpoint, i, at.copy)));
    }
    return leave_block(w, at);
}

static swp_status walk(walker *w, int barrier)
{
    const swp_fixpoint *fixpoint = w->barriers->fixpoint;
    w->barriers->round++;
    if (barrier < 0) {
        SWP_TRY(go_on(w, w->path->block, w->path->side, w->path->copy));
    } else {
        const int insn = insn_of(w->barriers, barrier);
        const place at = {swp_flow_block_of(fixpoint->flow, insn), copy_of(w->barriers, barrier)};
        SWP_TRY(walk_block(w, at, insn + 1));
    }
    while (w->pending.count) {
        const place at = w->pending.items[--w->pending.count];
        SWP_TRY(walk_block(w, at, fixpoint->flow->blocks[at.block].first));
    }
    return SWP_OK;
}

swp_status swp_flow_path_interval(swp_barriers *barriers, swp_divergent_path *path, int barrier,
                                  const swp_barrier_interval **out)
{
    swp_barrier_interval **known = barrier < 0 ? &path->start : &path->intervals[barrier];
    if (!*known) {
        walker w = {.barriers = barriers, .path = path};
        SWP_TRY(SWP_TAKE(barriers->fixpoint->ctx, 1, known));
        w.interval = *known;
        SWP_TRY(walk(&w, barrier));
    }
    *out = *known;
    return SWP_OK;
}
