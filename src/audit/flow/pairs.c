/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/flow/pairs.h"

#include <stdlib.h>

enum { SET_SIZE = 4 * SWP_MOST_PAIRS };

swp_status swp_flow_pairs_init(swp_trace *trace, swp_pairs *out)
{
    *out = (swp_pairs){0};
    SWP_TRY(swp_flow_barriers_find(trace, &out->barriers));
    return SWP_TAKE(trace->ctx, SET_SIZE, &out->set);
}

int swp_flow_pairs_state(const swp_pairs *pairs, int state)
{
    return pairs->barriers.count + state;
}

swp_status swp_flow_pairs_segment(swp_pairs *pairs, swp_way *way, int at, const swp_segment **out)
{
    return swp_flow_way_segment(&pairs->barriers, way, at < pairs->barriers.count ? at : -1, out);
}

/* Where a pair stands in the set of pairs, or would. */
static size_t slot_of(const swp_pairs *p, int other, int own)
{
    const uint64_t key = ((uint64_t)(unsigned)other << 32U | (unsigned)own) + 1;
    size_t at = (key * 0x9e3779b97f4a7c15U >> 32U) % SET_SIZE;
    while (p->set[at] && p->set[at] != key)
        at = (at + 1) % SET_SIZE;
    return at;
}

static swp_status add_pair(swp_pairs *p, int other, int own, bool sure)
{
    const swp_pair added = {other, own, sure, slot_of(p, other, own)};
    if (p->count >= SWP_MOST_PAIRS || p->set[added.slot])
        return SWP_OK;
    p->set[added.slot] = ((uint64_t)(unsigned)other << 32U | (unsigned)own) + 1;
    return SWP_PUSH(p->barriers.trace->ctx, p, added);
}

static void forget_pairs(swp_pairs *p)
{
    for (size_t i = 0; i < p->count; i++)
        p->set[p->items[i].slot] = 0;
    p->count = 0;
}

/* Where a wave may be behind the next barrier. */
static swp_status add_next(swp_pairs *p, swp_way *way, int at, swp_numbers *out, bool *sure)
{
    const swp_segment *segment = NULL;
    int next = at;
    out->count = 0;
    if (at >= swp_flow_pairs_state(p, SWP_BEFORE_BRANCH))
        next = at == swp_flow_pairs_state(p, SWP_BEFORE_BRANCH)
                   ? swp_flow_pairs_state(p, SWP_AT_BRANCH)
                   : at - 1;
    if (at >= swp_flow_pairs_state(p, SWP_ENDED))
        return SWP_PUSH(p->barriers.trace->ctx, out, next);
    SWP_TRY(swp_flow_pairs_segment(p, way, at, &segment));
    for (size_t i = 0; i < segment->next.count; i++)
        SWP_TRY(SWP_PUSH(p->barriers.trace->ctx, out, segment->next.items[i]));
    if (segment->ends && way == &p->other)
        SWP_TRY(SWP_PUSH(p->barriers.trace->ctx, out, swp_flow_pairs_state(p, SWP_ENDED)));
    *sure &= out->count == 1 && !segment->leaves && !(segment->ends && way == &p->own);
    return SWP_OK;
}

static int compare_pairs(const void *a, const void *b)
{
    const swp_pair *first = a;
    const swp_pair *second = b;
    return first->own != second->own
               ? (first->own > second->own) - (first->own < second->own)
               : (first->other > second->other) - (first->other < second->other);
}

swp_status swp_flow_pairs_find(swp_pairs *p, int lead, bool *all)
{
    swp_numbers others = {0};
    swp_numbers owns = {0};
    const int other = lead > 0 ? swp_flow_pairs_state(p, SWP_BEFORE_BRANCH) + lead - 1
                               : swp_flow_pairs_state(p, SWP_AT_BRANCH);
    const int own = lead < 0 ? swp_flow_pairs_state(p, SWP_BEFORE_BRANCH) - lead - 1
                             : swp_flow_pairs_state(p, SWP_AT_BRANCH);
    forget_pairs(p);
    SWP_TRY(add_pair(p, other, own, true));
    for (size_t i = 0; i < p->count; i++) {
        const swp_pair from = p->items[i];
        bool sure = from.sure;
        SWP_TRY(add_next(p, &p->other, from.other, &others, &sure));
        SWP_TRY(add_next(p, &p->own, from.own, &owns, &sure));
        for (size_t a = 0; a < others.count; a++)
            for (size_t b = 0; b < owns.count; b++)
                SWP_TRY(add_pair(p, others.items[a], owns.items[b], sure));
    }
    *all = p->count < SWP_MOST_PAIRS;
    qsort(p->items, p->count, sizeof *p->items, compare_pairs);
    return SWP_OK;
}
