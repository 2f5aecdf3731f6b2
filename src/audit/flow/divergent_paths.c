/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conflicts of waves on divergent paths, branch by branch: for each pair of barrier intervals that may
 * happen in parallel, what the one wave accesses in its own against what the other may have in flight
 * in its.
 */
#include "audit/flow/divergent_paths.h"

#include "audit/flow/concurrent_accesses.h"

#include <stdlib.h>

static swp_status compare_pairs_of(swp_concurrency *w, size_t first, size_t end)
{
    const int own = w->pairs.items[first].own;
    const swp_barrier_interval *interval = NULL;
    if (own >= swp_flow_parallel_state(&w->pairs, SWP_ENDED))
        return SWP_OK;
    w->round++;
    w->actives.count = 0;
    for (size_t i = first; i < end; i++)
        SWP_TRY(
            swp_flow_concurrent_mark_interval(w, w->pairs.items[i].other, w->pairs.items[i].sure));
    SWP_TRY(swp_flow_parallel_interval(&w->pairs, &w->pairs.own, own, &interval));
    return swp_flow_concurrent_compare_actives(w, &interval->issued);
}

/* Every access on this path with every one that the other wave may reach. */
static swp_status compare_all(swp_concurrency *w)
{
    swp_numbers issued = {0};
    bool *reachable = NULL;
    const swp_flow *flow = w->fixpoint->flow;
    const int first = flow->blocks[w->block].successors[w->pairs.other.side];
    SWP_TRY(SWP_TAKE(w->fixpoint->ctx, (size_t)flow->block_count, &reachable));
    swp_flow_mark_reachable(flow, first, SWP_NO_BLOCK, reachable);
    w->round++;
    w->actives.count = 0;
    SWP_TRY(swp_flow_concurrent_mark_before(w, SWP_MOST_BARRIERS, false));
    for (int e = 0; e < w->fixpoint->events.count; e++) {
        if (!swp_code_accesses_lds(swp_flow_concurrent_insn(w, e)))
            continue;
        if (reachable[swp_flow_concurrent_block(w, e)])
            SWP_TRY(swp_flow_concurrent_mark_active(w, e, false, true));
        if (w->on[w->pairs.own.side][swp_flow_concurrent_block(w, e)])
            SWP_TRY(SWP_PUSH(w->fixpoint->ctx, &issued, e));
    }
    return swp_flow_concurrent_compare_actives(w, &issued);
}

static swp_status compare_with_lead(swp_concurrency *w)
{
    bool all = !w->any_lead && abs(w->lead) <= SWP_MOST_LEAD;
    if (all)
        SWP_TRY(swp_flow_parallel_find(&w->pairs, w->lead, &all));
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

static swp_status set_path(swp_concurrency *w, int side, const bool *within,
                           swp_divergent_path *out)
{
    *out = (swp_divergent_path){.block = w->block, .side = side, .copy = w->copy, .within = within};
    out->waves = swp_flow_branches_along(&w->fixpoint->branches, w->block, side,
                                         w->fixpoint->branches.reaching[w->block]);
    const size_t count = (size_t)w->pairs.barriers.count;
    return SWP_TAKE(w->fixpoint->ctx, count, &out->intervals); // NOLINT(bugprone-sizeof-expression)
}

static bool is_in(const swp_numbers *numbers, int number)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->items[i] == number)
            return true;
    return false;
}

/* The numbers of barriers that waves on the other path are ahead of those on this one. */
static swp_status find_leads(const swp_concurrency *w, swp_numbers *out)
{
    const int *lag = w->lags->items[w->block].barriers;
    for (int x = 0; x < SWP_MOST_WAVES; x++)
        for (int y = 0; y < SWP_MOST_WAVES; y++)
            if (x != y && w->pairs.other.waves >> x & 1U && w->pairs.own.waves >> y & 1U &&
                !is_in(out, lag[x] - lag[y]))
                SWP_TRY(SWP_PUSH(w->fixpoint->ctx, out, lag[x] - lag[y]));
    return SWP_OK;
}

static swp_status compare_side(swp_concurrency *w, int side)
{
    swp_numbers leads = {0};
    SWP_TRY(set_path(w, !side, NULL, &w->pairs.other));
    SWP_TRY(set_path(w, side, w->on[side], &w->pairs.own));
    SWP_TRY(find_leads(w, &leads));
    w->any_lead = w->lags->items[w->block].unknown >= 0;
    for (size_t i = 0; i < (w->any_lead ? 1 : leads.count); i++) {
        w->lead = w->any_lead ? 0 : leads.items[i];
        SWP_TRY(compare_with_lead(w));
    }
    return SWP_OK;
}

static bool accesses_lds(const swp_concurrency *w, const bool *region)
{
    for (int e = 0; e < w->fixpoint->events.count; e++)
        if (swp_code_accesses_lds(swp_flow_concurrent_insn(w, e)) &&
            region[swp_flow_concurrent_block(w, e)])
            return true;
    return false;
}

static swp_status compare_branch(swp_concurrency *w)
{
    const swp_flow *flow = w->fixpoint->flow;
    for (int side = 0; side < 2; side++) {
        for (int b = 0; b < flow->block_count; b++)
            w->on[side][b] = false;
        swp_flow_mark_influence_region(flow, w->block, side, w->on[side]);
    }
    for (w->copy = 0; w->copy < w->fixpoint->copies; w->copy++) {
        swp_flow_fixpoint_end(w->fixpoint, w->block, w->copy, &w->end);
        for (int side = 0; side < 2 && w->end.reached; side++)
            if (accesses_lds(w, w->on[side]))
                SWP_TRY(compare_side(w, side));
    }
    return SWP_OK;
}

static bool any_divergent(const swp_fixpoint *fixpoint)
{
    for (int b = 0; b < fixpoint->flow->block_count; b++)
        if (fixpoint->divergence.divergent[b])
            return true;
    return false;
}

swp_status swp_flow_find_divergent_conflicts(swp_fixpoint *fixpoint, const swp_lags *lags,
                                             swp_conflict_list *out)
{
    swp_concurrency *w = NULL;
    const swp_flow *flow = fixpoint->flow;
    if (fixpoint->values.threads <= SWP_WAVE || !any_divergent(fixpoint))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, 1, &w));
    w->fixpoint = fixpoint;
    w->lags = lags;
    w->out = out;
    SWP_TRY(swp_flow_parallel_init(fixpoint, &w->pairs));
    SWP_TRY(swp_flow_point_new(fixpoint, &w->end));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)flow->block_count, &w->on[0]));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)flow->block_count, &w->on[1]));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)fixpoint->events.count, &w->active));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)fixpoint->events.count, &w->blocks));
    for (int e = 0; e < fixpoint->events.count; e++)
        w->blocks[e] = swp_flow_block_of(flow, fixpoint->events.items[e].insn);
    for (w->block = 0; w->block < flow->block_count; w->block++)
        if (fixpoint->divergence.divergent[w->block] && flow->blocks[w->block].successor_count == 2)
            SWP_TRY(compare_branch(w));
    return SWP_OK;
}
