/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses on different ways. A branch that waves do not all take alike puts some of them on one way
 * and some on the other at the same time, where no path leads from one access to the other and what
 * is under way on paths says nothing of the two.
 */
#include "audit/judge.h"

typedef struct sides {
    swp_trace *trace;
    const swp_flow *flow;
    swp_conflict_list *out;
    int branch;      /* block */
    bool *on[2];     /* blocks on the way that falls through, and on the one that is branched to */
    bool *from_here; /* scratch: blocks that a block leads to */
    bool barriers;   /* some stand on the ways */
    swp_branch_sense sense;
    bool taken[SWP_MOST_WAVES];
} sides;

static const swp_insn *insn_at(const sides *s, int index)
{
    return &s->flow->code->insns.items[index];
}

/* Whether one wave may be at the one block while another is at the other. */
static bool apart(const sides *s, int a, int b)
{
    return (s->on[0][a] && s->on[1][b]) || (s->on[1][a] && s->on[0][b]);
}

static bool goes_to(const sides *s, int wave, int block)
{
    return s->sense != SWP_BRANCH_KNOWN || s->on[s->taken[wave]][block];
}

static swp_status add(const sides *s, swp_conflict conflict)
{
    for (size_t i = 0; i < s->out->count; i++) {
        swp_conflict *known = &s->out->items[i];
        if (known->at != conflict.at || known->kind != conflict.kind)
            continue;
        if (conflict.certain && !known->certain)
            *known = conflict;
        return SWP_OK;
    }
    return SWP_PUSH(s->trace->ctx, s->out, conflict);
}

/* The first two waves that touch the same byte, each on its way. */
static swp_status compare(const sides *s, int first, int second, int first_block, int second_block)
{
    const swp_event *a = &s->trace->events.items[first];
    const swp_event *b = &s->trace->events.items[second];
    swp_conflict conflict = {.at = b->insn,
                             .other = a->insn,
                             .event = first,
                             .own = second,
                             .counter = -1,
                             .parted = s->flow->blocks[s->branch].end - 1,
                             .lag_unknown = -1,
                             .flight.wait = -1};
    const int waves = s->trace->values.threads / SWP_WAVE;
    if (!swp_lds_hazard(insn_at(s, a->insn), insn_at(s, b->insn), &conflict.kind))
        return SWP_OK;
    for (int x = 0; x < waves; x++)
        for (int y = 0; y < waves; y++) {
            if (x == y || !goes_to(s, x, first_block) || !goes_to(s, y, second_block))
                continue;
            const swp_overlap overlap = swp_footprint_overlap(&s->trace->footprints[first], x,
                                                              &s->trace->footprints[second], y);
            if (overlap == SWP_APART)
                continue;
            conflict.waves[0] = x;
            conflict.waves[1] = y;
            conflict.certain =
                overlap == SWP_OVERLAP && s->sense == SWP_BRANCH_KNOWN && !s->barriers;
            return add(s, conflict);
        }
    return SWP_OK;
}

/* The event of an LDS access that is reached; -1 if it is none. */
static int event_at(const sides *s, int insn, int block, int copy)
{
    const bool accesses = swp_accesses_lds(insn_at(s, insn));
    return accesses && swp_trace_point(s->trace, block, copy)->reached
               ? swp_trace_event(s->trace, insn, copy)
               : -1;
}

static swp_status compare_blocks(const sides *s, int a, int b)
{
    const swp_block *first = &s->flow->blocks[a];
    const swp_block *second = &s->flow->blocks[b];
    const int copies = s->trace->copies;
    for (int i = first->first; i < first->end; i++)
        for (int x = 0; x < copies; x++) {
            const int event = event_at(s, i, a, x);
            for (int k = second->first; event >= 0 && k < second->end; k++)
                for (int y = 0; y < copies; y++)
                    if (event_at(s, k, b, y) >= 0)
                        SWP_TRY(compare(s, event, event_at(s, k, b, y), a, b));
        }
    return SWP_OK;
}

static swp_status compare_sides(const sides *s)
{
    const int count = s->flow->block_count;
    for (int a = 0; a < count; a++) {
        if (!s->on[0][a] && !s->on[1][a])
            continue;
        for (int b = 0; b < count; b++)
            s->from_here[b] = false;
        (void)swp_flow_mark_between(s->flow, a, SWP_NO_BLOCK, s->from_here);
        for (int b = 0; b < count; b++) {
            const bool later = s->flow->blocks[b].first > s->flow->blocks[a].first;
            if (later && apart(s, a, b) && !s->from_here[b])
                SWP_TRY(compare_blocks(s, a, b));
        }
    }
    return SWP_OK;
}

static swp_status set_sides(sides *s)
{
    const swp_block *b = &s->flow->blocks[s->branch];
    const size_t count = (size_t)s->flow->block_count;
    s->barriers = false;
    for (int side = 0; side < 2; side++) {
        SWP_TRY(SWP_TAKE(s->trace->ctx, count, &s->on[side]));
        if (!swp_flow_goes_back(s->flow, s->branch, b->successors[side]))
            (void)swp_flow_mark_between(s->flow, b->successors[side], b->meets, s->on[side]);
        for (size_t block = 0; block < count; block++)
            for (int i = s->flow->blocks[block].first;
                 s->on[side][block] && i < s->flow->blocks[block].end; i++)
                s->barriers |= insn_at(s, i)->kind == SWP_INSN_BARRIER;
    }
    return SWP_OK;
}

swp_status swp_judge_sides(swp_trace *trace, swp_conflict_list *out)
{
    sides s = {.trace = trace, .flow = trace->flow, .out = out};
    SWP_TRY(SWP_TAKE(trace->ctx, (size_t)s.flow->block_count, &s.from_here));
    for (s.branch = 0; s.branch < s.flow->block_count; s.branch++) {
        const swp_block *b = &s.flow->blocks[s.branch];
        if (!trace->partings.parts[s.branch] || b->successor_count < 2 ||
            b->successors[0] == b->meets || b->successors[1] == b->meets)
            continue;
        SWP_TRY(swp_trace_branch(trace, s.branch, &s.sense, s.taken));
        SWP_TRY(set_sides(&s));
        SWP_TRY(compare_sides(&s));
    }
    return SWP_OK;
}
