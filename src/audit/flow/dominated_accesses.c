/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Retired accesses that need not be compared any more: one of the same kind to the same bytes was retired later, with no more
 * barriers since. Whatever conflicts with the earlier one conflicts with that as well. So what is compared grows with the
 * places that a loop accesses, and not with its length.
 */
#include "audit/flow/conflict_search.h"

#include <string.h>

/* Retired accesses of a point before it is worth to look for such. */
enum { LEAST_RETIRED = 64 };

/* What is not known of either may be the same as anything, and overlaps with nothing for sure. */
static bool same_spans(const swp_footprint *a, const swp_footprint *b)
{
    if (!a->known || !b->known)
        return a->known == b->known;
    if (a->partial != b->partial)
        return false;
    for (int w = 0; w < a->waves; w++)
        if (a->counts[w] != b->counts[w] ||
            (a->counts[w] &&
             memcmp(a->spans[w], b->spans[w], (size_t)a->counts[w] * sizeof *a->spans[w]) != 0))
            return false;
    return true;
}

/* Whether both are compared alike with whatever comes later. */
static bool is_alike(const swp_conflict_search *s, int first, int second)
{
    const swp_fixpoint *fixpoint = s->fixpoint;
    const swp_insn *a = swp_flow_event_insn(&fixpoint->events, first);
    const swp_insn *b = swp_flow_event_insn(&fixpoint->events, second);
    const int blocks[2] = {swp_flow_block_of(fixpoint->flow, fixpoint->events.items[first].insn),
                           swp_flow_block_of(fixpoint->flow, fixpoint->events.items[second].insn)};
    return a->kind == b->kind && a->atomic == b->atomic && a->lds.size == b->lds.size &&
           a->kind != SWP_INSN_LDS_ATOMIC &&
           fixpoint->branches.reaching[blocks[0]] == fixpoint->branches.reaching[blocks[1]] &&
           s->optional[blocks[0]] == s->optional[blocks[1]] &&
           same_spans(&fixpoint->footprints[first], &fixpoint->footprints[second]);
}

static uint32_t hash_of(const swp_conflict_search *s, int event)
{
    const swp_footprint *footprint = &s->fixpoint->footprints[event];
    const uint32_t prime = 16777619U;
    uint32_t hash = (uint32_t)swp_flow_event_insn(&s->fixpoint->events, event)->kind;
    for (int w = 0; w < footprint->waves && footprint->known; w++)
        for (int i = 0; i < footprint->counts[w]; i++)
            hash = ((hash ^ footprint->spans[w][i].first) * prime ^ footprint->spans[w][i].end) *
                   prime;
    return hash ^ hash >> 15U;
}

/* Each access gets the number of the first one that is like it. */
swp_status swp_flow_find_alike_accesses(swp_conflict_search *s)
{
    const int count = s->fixpoint->events.count;
    size_t size = 2;
    int *buckets = NULL; /* 1 + an event; 0: empty */
    while (size < 2 * (size_t)count)
        size *= 2;
    SWP_TRY(SWP_TAKE(s->fixpoint->ctx, size, &buckets));
    SWP_TRY(SWP_TAKE(s->fixpoint->ctx, (size_t)count, &s->alike));
    SWP_TRY(SWP_TAKE(s->fixpoint->ctx, (size_t)count, &s->latest));
    for (int e = 0; e < count; e++) {
        s->alike[e] = e;
        if (!swp_code_accesses_lds(swp_flow_event_insn(&s->fixpoint->events, e)))
            continue;
        size_t at = hash_of(s, e) % size;
        while (buckets[at] && !is_alike(s, buckets[at] - 1, e))
            at = (at + 1) % size;
        if (buckets[at])
            s->alike[e] = buckets[at] - 1;
        else
            buckets[at] = e + 1;
    }
    return SWP_OK;
}

/* Whether the second one is retired no later, on each path. */
static bool dominates(const swp_access_state *first, const swp_access_state *second)
{
    return first->barriers <= second->barriers && first->most_barriers <= second->most_barriers;
}

void swp_flow_drop_dominated(swp_conflict_search *s)
{
    swp_event_list *retired = &s->point.retired;
    swp_access_state *accesses = s->point.accesses;
    int kept = 0;
    if (s->lags->any || retired->count < s->retired_at_most)
        return;
    for (int i = 0; i < retired->count; i++)
        s->latest[s->alike[retired->items[i]]] = -1;
    for (int i = 0; i < retired->count; i++) {
        const int e = retired->items[i];
        int *latest = &s->latest[s->alike[e]];
        if (*latest < 0 || dominates(&accesses[e], &accesses[*latest]))
            *latest = e;
    }
    for (int i = 0; i < retired->count; i++) {
        const int e = retired->items[i];
        const int latest = s->latest[s->alike[e]];
        if (latest == e || !dominates(&accesses[latest], &accesses[e]))
            retired->items[kept++] = e;
        else
            accesses[e] = (swp_access_state){.wait = -1};
    }
    retired->count = kept;
    s->retired_at_most = 2 * kept + LEAST_RETIRED;
}
