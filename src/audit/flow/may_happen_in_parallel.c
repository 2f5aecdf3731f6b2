/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of barrier intervals that two waves on divergent paths may be in at the same time, by a search
 * from the branch in lockstep of barriers. After G. Naumovich and G. S. Avrunin, "A Conservative Data
 * Flow Algorithm for Detecting All Pairs of Statements that May Happen in Parallel", for barriers
 * alone.
 */
#include "audit/flow/may_happen_in_parallel.h"

#include <stdlib.h>

enum { SET_SIZE = 4 * SWP_MOST_PAIRS };

swp_status swp_flow_parallel_init(swp_fixpoint *fixpoint, swp_parallel_pairs *out)
{
    *out = (swp_parallel_pairs){0};
    SWP_TRY(swp_flow_barriers_find(fixpoint, &out->barriers));
    return SWP_TAKE(fixpoint->ctx, SET_SIZE, &out->set);
}

int swp_flow_parallel_state(const swp_parallel_pairs *pairs, int state)
{
    return pairs->barriers.count + state;
}

swp_status swp_flow_parallel_interval(swp_parallel_pairs *pairs, swp_divergent_path *path, int at,
                                      const swp_barrier_interval **out)
{
    return swp_flow_path_interval(&pairs->barriers, path, at < pairs->barriers.count ? at : -1,
                                  out);
}

/* Where a pair stands in the set of pairs, or would. */
static size_t slot_of(const swp_parallel_pairs *p, int other, int own)
{
    const uint64_t key = ((uint64_t)(unsigned)other << 32U | (unsigned)own) + 1;
    size_t at = (key * 0x9e3779b97f4a7c15U >> 32U) % SET_SIZE;
    while (p->set[at] && p->set[at] != key)
        at = (at + 1) % SET_SIZE;
    return at;
}

static swp_status add_pair(swp_parallel_pairs *p, int other, int own, bool sure)
{
    const swp_parallel_pair added = {other, own, sure, slot_of(p, other, own)};
    if (p->count >= SWP_MOST_PAIRS || p->set[added.slot])
        return SWP_OK;
    p->set[added.slot] = ((uint64_t)(unsigned)other << 32U | (unsigned)own) + 1;
    return SWP_PUSH(p->barriers.fixpoint->ctx, p, added);
}

static void forget_pairs(swp_parallel_pairs *p)
{
    for (size_t i = 0; i < p->count; i++)
        p->set[p->items[i].slot] = 0;
    p->count = 0;
}

/* Where a wave may be behind the next barrier. */
static swp_status add_next(swp_parallel_pairs *p, swp_divergent_path *path, int at,
                           swp_numbers *out, bool *sure)
{
    const swp_barrier_interval *interval = NULL;
    int next = at;
    out->count = 0;
    if (at >= swp_flow_parallel_state(p, SWP_BEFORE_BRANCH))
        next = at == swp_flow_parallel_state(p, SWP_BEFORE_BRANCH)
                   ? swp_flow_parallel_state(p, SWP_AT_BRANCH)
                   : at - 1;
    if (at >= swp_flow_parallel_state(p, SWP_ENDED))
        return SWP_PUSH(p->barriers.fixpoint->ctx, out, next);
    SWP_TRY(swp_flow_parallel_interval(p, path, at, &interval));
    for (size_t i = 0; i < interval->next.count; i++)
        SWP_TRY(SWP_PUSH(p->barriers.fixpoint->ctx, out, interval->next.items[i]));
    if (interval->ends && path == &p->other)
        SWP_TRY(SWP_PUSH(p->barriers.fixpoint->ctx, out, swp_flow_parallel_state(p, SWP_ENDED)));
    *sure &= out->count == 1 && !interval->reconverges && !(interval->ends && path == &p->own);
    return SWP_OK;
}

static int compare_pairs(const void *a, const void *b)
{
    const swp_parallel_pair *first = a;
    const swp_parallel_pair *second = b;
    return first->own != second->own
               ? (first->own > second->own) - (first->own < second->own)
               : (first->other > second->other) - (first->other < second->other);
}

swp_status swp_flow_parallel_find(swp_parallel_pairs *p, int lead, bool *all)
{
    swp_numbers others = {0};
    swp_numbers owns = {0};
    const int other = lead > 0 ? swp_flow_parallel_state(p, SWP_BEFORE_BRANCH) + lead - 1
                               : swp_flow_parallel_state(p, SWP_AT_BRANCH);
    const int own = lead < 0 ? swp_flow_parallel_state(p, SWP_BEFORE_BRANCH) - lead - 1
                             : swp_flow_parallel_state(p, SWP_AT_BRANCH);
    forget_pairs(p);
    SWP_TRY(add_pair(p, other, own, true));
    for (size_t i = 0; i < p->count; i++) {
        const swp_parallel_pair from = p->items[i];
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
