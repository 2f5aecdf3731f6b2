/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/flow/segments.h"

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
    const swp_way *way;
    swp_segment *segment;
    place_list pending;
} walker;

static const swp_insn *insn_at(const swp_trace *trace, int index)
{
    return &trace->flow->code->insns.items[index];
}

swp_status swp_flow_barriers_find(swp_trace *trace, swp_barriers *out)
{
    const swp_function *function = trace->flow->function;
    const size_t points = (size_t)trace->flow->block_count * (size_t)trace->copies;
    *out = (swp_barriers){.trace = trace};
    swp_numbers *insns = &out->insns;
    for (int i = function->first; i < function->end; i++)
        if (insn_at(trace, i)->kind == SWP_INSN_BARRIER)
            SWP_TRY(SWP_PUSH(trace->ctx, insns, i));
    out->count = (int)insns->count * trace->copies;
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)out->count, &out->held));
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)out->count, &out->held_known));
    SWP_TRY(SWP_TAKE(trace->ctx, points, &out->seen));
    return swp_flow_point_new(trace, &out->scratch);
}

static int insn_of(const swp_barriers *barriers, int barrier)
{
    return barriers->insns.items[barrier / barriers->trace->copies];
}

static int copy_of(const swp_barriers *barriers, int barrier)
{
    return barrier % barriers->trace->copies;
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
    return (int)low * barriers->trace->copies + copy;
}

/* LDS accesses that may be in flight at a point. */
static swp_status add_flying(const swp_trace *trace, const swp_point *point, swp_numbers *out)
{
    SWP_TRY(swp_keep_on(trace->ctx, STEPS_OF_AN_EVENT * (uint64_t)trace->events.count));
    for (int e = 0; e < trace->events.count; e++)
        if (swp_flow_is_in_flight(&point->flights[e]) &&
            swp_code_accesses_lds(swp_flow_event_insn(&trace->events, e)))
            SWP_TRY(SWP_PUSH(trace->ctx, out, e));
    return SWP_OK;
}

swp_status swp_flow_barriers_held(swp_barriers *barriers, int barrier, const swp_numbers **out)
{
    swp_trace *trace = barriers->trace;
    const int insn = insn_of(barriers, barrier);
    const int copy = copy_of(barriers, barrier);
    const int block = swp_flow_block_of(trace->flow, insn);
    *out = &barriers->held[barrier];
    if (barriers->held_known[barrier])
        return SWP_OK;
    barriers->held_known[barrier] = true;
    swp_flow_point_copy(trace, &barriers->scratch, swp_flow_fixpoint_point(trace, block, copy));
    for (int i = trace->flow->blocks[block].first; i < insn; i++)
        swp_flow_fixpoint_step(trace, &barriers->scratch, i, copy);
    return add_flying(trace, &barriers->scratch, &barriers->held[barrier]);
}

/* --- following one segment --- */

static swp_status end_wave(walker *w, place at)
{
    swp_barriers *barriers = w->barriers;
    w->segment->ends = true;
    swp_flow_fixpoint_end(barriers->trace, at.block, at.copy, &barriers->scratch);
    return add_flying(barriers->trace, &barriers->scratch, &w->segment->left);
}

static swp_status go_on(walker *w, int from, int side, int copy)
{
    const swp_trace *trace = w->barriers->trace;
    const int to = trace->flow->blocks[from].successors[side];
    const place next = {to, swp_flow_fixpoint_copy_after(trace, from, to, copy)};
    int *seen = &w->barriers->seen[to * trace->copies + next.copy];
    place_list *pending = &w->pending;
    if (w->way->within && !w->way->within[to]) {
        w->segment->leaves = true;
        return SWP_OK;
    }
    if (*seen == w->barriers->round)
        return SWP_OK;
    *seen = w->barriers->round;
    return SWP_PUSH(trace->ctx, pending, next);
}

static swp_status leave_block(walker *w, place at)
{
    const swp_trace *trace = w->barriers->trace;
    const swp_block *block = &trace->flow->blocks[at.block];
    if (block->successor_count == 0)
        return end_wave(w, at);
    for (int s = 0; s < block->successor_count; s++)
        if (swp_flow_branches_going(&trace->branches, at.block, s, w->way->waves))
            SWP_TRY(go_on(w, at.block, s, at.copy));
    return SWP_OK;
}

static swp_status walk_block(walker *w, place at, int first)
{
    const swp_trace *trace = w->barriers->trace;
    swp_numbers *issued = &w->segment->issued;
    swp_numbers *next = &w->segment->next;
    for (int i = first; i < trace->flow->blocks[at.block].end; i++) {
        if (insn_at(trace, i)->kind == SWP_INSN_BARRIER)
            return SWP_PUSH(trace->ctx, next, barrier_at(w->barriers, i, at.copy));
        if (swp_code_accesses_lds(insn_at(trace, i)))
            SWP_TRY(SWP_PUSH(trace->ctx, issued, swp_flow_fixpoint_event(trace, i, at.copy)));
    }
    return leave_block(w, at);
}

static swp_status walk(walker *w, int barrier)
{
    const swp_trace *trace = w->barriers->trace;
    w->barriers->round++;
    if (barrier < 0) {
        SWP_TRY(go_on(w, w->way->block, w->way->side, w->way->copy));
    } else {
        const int insn = insn_of(w->barriers, barrier);
        const place at = {swp_flow_block_of(trace->flow, insn), copy_of(w->barriers, barrier)};
        SWP_TRY(walk_block(w, at, insn + 1));
    }
    while (w->pending.count) {
        const place at = w->pending.items[--w->pending.count];
        SWP_TRY(walk_block(w, at, trace->flow->blocks[at.block].first));
    }
    return SWP_OK;
}

swp_status swp_flow_way_segment(swp_barriers *barriers, swp_way *way, int barrier,
                                const swp_segment **out)
{
    swp_segment **known = barrier < 0 ? &way->start : &way->segments[barrier];
    if (!*known) {
        walker w = {.barriers = barriers, .way = way};
        SWP_TRY(SWP_TAKE(barriers->trace->ctx, 1, known));
        w.segment = *known;
        SWP_TRY(walk(&w, barrier));
    }
    *out = *known;
    return SWP_OK;
}
