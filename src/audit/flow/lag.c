/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many barriers waves are apart where they reconverge: counted along both paths of every divergent
 * branch, then carried along the edges of the function to a fixpoint.
 */
#include "audit/flow/lag.h"

/* A divergent branch whose paths may have different numbers of barriers. */
typedef struct fork {
    int block;
    int reconvergence;
    bool *region;    /* blocks between */
    int barriers[2]; /* on the path that falls through, and on the one that is branched to */
    bool regular;    /* those numbers hold for every path */
} fork;

typedef struct fork_list {
    fork *items;
    size_t count;
    size_t capacity;
} fork_list;

typedef struct lag_finder {
    swp_fixpoint *fixpoint;
    const swp_flow *flow;
    fork_list forks;
    int *least; /* barriers from a block to the reconvergence; scratch */
    int *most;
    swp_lags *out;
} lag_finder;

static int barriers_in(const lag_finder *f, int block)
{
    int count = 0;
    for (int i = f->flow->blocks[block].first; i < f->flow->blocks[block].end; i++)
        count += f->flow->code->insns.items[i].kind == SWP_INSN_BARRIER;
    return count;
}

/* Whether there is a loop within the region. */
static bool has_back_edge(const lag_finder *f, const bool *region)
{
    for (int b = 0; b < f->flow->block_count; b++)
        for (int s = 0; region[b] && s < f->flow->blocks[b].successor_count; s++)
            if (region[f->flow->blocks[b].successors[s]] &&
                swp_flow_is_back_edge(f->flow, b, f->flow->blocks[b].successors[s]))
                return true;
    return false;
}

/* The least and the most barriers from a block of the region on, along forward edges. */
static void count_from(const lag_finder *f, int block, const bool *region)
{
    const swp_block *b = &f->flow->blocks[block];
    int least = -1;
    int most = 0;
    for (int s = 0; s < b->successor_count; s++) {
        const int to = b->successors[s];
        const int low = region[to] ? f->least[to] : 0;
        const int high = region[to] ? f->most[to] : 0;
        if (region[to] && swp_flow_is_back_edge(f->flow, block, to))
            continue;
        least = least < 0 || low < least ? low : least;
        most = high > most ? high : most;
    }
    f->least[block] = (least < 0 ? 0 : least) + barriers_in(f, block);
    f->most[block] = most + barriers_in(f, block);
}

/* Barriers from the fork to its reconvergence, on this side; false if paths differ, or loop. */
static bool count_barriers(const lag_finder *f, const fork *at, int side, const bool *region,
                           int *barriers)
{
    const int first = f->flow->blocks[at->block].successors[side];
    int inside = 0;
    *barriers = 0;
    if (first == at->reconvergence)
        return true;
    for (int i = f->flow->reached_count - 1; i >= 0; i--) {
        const int block = f->flow->rpo[i];
        if (!region[block])
            continue;
        count_from(f, block, region);
        inside += barriers_in(f, block);
    }
    *barriers = f->least[first];
    return inside == 0 || (f->least[first] == f->most[first] && !has_back_edge(f, region));
}

/*
 * Where its paths never reconverge, no waves of both run the same code any more; and those that end are
 * waited for no more.
 */
static swp_status add_fork(lag_finder *f, int block)
{
    const swp_block *b = &f->flow->blocks[block];
    const size_t count = (size_t)f->flow->block_count;
    fork found = {.block = block, .reconvergence = b->post_dominator, .regular = true};
    if (b->successor_count < 2 || !f->fixpoint->divergence.divergent[block] ||
        b->post_dominator == SWP_NO_BLOCK)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(f->fixpoint->ctx, count, &found.region));
    for (int s = 0; s < 2; s++) {
        bool *region = NULL;
        SWP_TRY(SWP_TAKE(f->fixpoint->ctx, count, &region));
        swp_flow_mark_influence_region(f->flow, block, s, region);
        found.regular &= count_barriers(f, &found, s, region, &found.barriers[s]);
        for (size_t i = 0; i < count; i++)
            found.region[i] |= region[i];
    }
    if (found.regular && found.barriers[0] == found.barriers[1])
        return SWP_OK;
    fork_list *forks = &f->forks;
    return SWP_PUSH(f->fixpoint->ctx, forks, found);
}

static int wave_count(const lag_finder *f)
{
    return f->fixpoint->values.threads / SWP_WAVE;
}

static bool same_lag(const lag_finder *f, const swp_lag *a, const swp_lag *b)
{
    for (int w = 0; w < wave_count(f); w++)
        if (a->barriers[w] != b->barriers[w])
            return false;
    return true;
}

/* At the reconvergence each wave has executed the barriers of its own path. */
static swp_lag after_fork(lag_finder *f, const fork *at)
{
    swp_lag lag = f->out->items[at->block];
    int fewest = 0;
    const swp_branching *branch = &f->fixpoint->branches.items[at->block];
    if (!at->regular || branch->sense != SWP_BRANCH_KNOWN)
        lag.unknown = f->flow->blocks[at->block].end - 1;
    for (int w = 0; w < wave_count(f); w++) {
        lag.barriers[w] += at->barriers[branch->taken >> w & 1U];
        fewest = w == 0 || lag.barriers[w] < fewest ? lag.barriers[w] : fewest;
    }
    for (int w = 0; w < wave_count(f); w++)
        lag.barriers[w] -= fewest;
    return lag;
}

static swp_lag lag_along(lag_finder *f, int from, int to)
{
    for (size_t i = 0; i < f->forks.count; i++) {
        const fork *at = &f->forks.items[i];
        if (at->reconvergence == to && (at->region[from] || at->block == from))
            return after_fork(f, at);
    }
    return f->out->items[from];
}

/* Joins what holds along an edge; returns whether something new is not known. */
static bool join(lag_finder *f, int from, int to, bool *reached)
{
    const swp_lag lag = lag_along(f, from, to);
    swp_lag *into = &f->out->items[to];
    const int before = into->unknown;
    if (!*reached) {
        *into = lag;
        *reached = true;
    } else if (into->unknown < 0) {
        into->unknown = same_lag(f, into, &lag) ? lag.unknown : f->flow->blocks[from].end - 1;
    }
    return into->unknown != before;
}

swp_status swp_flow_lags_find(swp_fixpoint *fixpoint, swp_lags *out)
{
    const swp_flow *flow = fixpoint->flow;
    const size_t count = (size_t)flow->block_count;
    lag_finder f = {.fixpoint = fixpoint, .flow = flow, .out = out};
    bool *reached = NULL;
    bool changed = true;
    *out = (swp_lags){0};
    SWP_TRY(SWP_TAKE(fixpoint->ctx, count, &out->items));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, count, &f.least));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, count, &f.most));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, count, &reached));
    for (int i = 0; i < flow->block_count; i++)
        out->items[i].unknown = -1;
    for (int i = 0; i < flow->reached_count; i++)
        SWP_TRY(add_fork(&f, flow->rpo[i]));
    out->any = f.forks.count > 0;
    reached[0] = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < flow->reached_count; i++) {
            const int from = flow->rpo[i];
            for (int s = 0; s < flow->blocks[from].successor_count; s++) {
                const int to = flow->blocks[from].successors[s];
                changed |= join(&f, from, to, &reached[to]);
            }
        }
    }
    return SWP_OK;
}
