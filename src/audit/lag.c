/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/lag.h"

/* A branch that may lead waves past different numbers of barriers. */
typedef struct fork {
    int block;
    int meets;
    bool *region;    /* blocks between */
    int barriers[2]; /* on the way that falls through, and on the one that is branched to */
    bool regular;    /* those numbers hold for every path */
    swp_branch_sense sense;
    bool taken[SWP_MOST_WAVES];
} fork;

typedef struct fork_list {
    fork *items;
    size_t count;
    size_t capacity;
} fork_list;

typedef struct finder {
    swp_trace *trace;
    const swp_flow *flow;
    fork_list forks;
    int *least; /* barriers from a block to where paths meet; scratch */
    int *most;
    swp_lags *out;
} finder;

static int barriers_in(const finder *f, int block)
{
    int count = 0;
    for (int i = f->flow->blocks[block].first; i < f->flow->blocks[block].end; i++)
        count += f->flow->code->insns.items[i].kind == SWP_INSN_BARRIER;
    return count;
}

static bool ends_wave(const finder *f, int block)
{
    const swp_block *b = &f->flow->blocks[block];
    return f->flow->code->insns.items[b->end - 1].kind == SWP_INSN_END;
}

/* Barriers on all ways from `block` to `meets`; false if ways differ, or go round. */
static bool count_barriers(const finder *f, int block, int meets, int *barriers)
{
    bool *region = NULL;
    *barriers = 0;
    if (block == meets)
        return true;
    if (SWP_TAKE(f->trace->ctx, (size_t)f->flow->block_count, &region) != SWP_OK)
        return false;
    const bool loops = swp_flow_mark_between(f->flow, block, meets, region);
    int inside = 0;
    for (int i = f->flow->reached_count - 1; i >= f->flow->blocks[block].order; i--) {
        const int at = f->flow->sequence[i];
        if (!region[at])
            continue;
        int least = -1;
        int most = -1;
        for (int s = 0; s < f->flow->blocks[at].successor_count; s++) {
            const int to = f->flow->blocks[at].successors[s];
            if (swp_flow_goes_back(f->flow, at, to))
                continue;
            const int low = to == meets ? 0 : f->least[to];
            const int high = to == meets ? 0 : f->most[to];
            least = least < 0 || low < least ? low : least;
            most = high > most ? high : most;
        }
        f->least[at] = (least < 0 ? 0 : least) + barriers_in(f, at);
        f->most[at] = (most < 0 ? 0 : most) + barriers_in(f, at);
        inside += barriers_in(f, at);
    }
    *barriers = f->least[block];
    return f->least[block] == f->most[block] && !(loops && inside);
}

/* Waves that end are waited for no more. */
static bool only_ends(const finder *f, int block, int meets)
{
    return block != meets && ends_wave(f, block) && barriers_in(f, block) == 0;
}

static swp_status add_fork(finder *f, int block)
{
    const swp_block *b = &f->flow->blocks[block];
    fork found = {.block = block, .meets = b->meets};
    if (b->successor_count < 2 || swp_flow_leaves_loop(f->flow, block))
        return SWP_OK;
    for (int s = 0; s < 2; s++)
        if (only_ends(f, b->successors[s], b->meets))
            return SWP_OK;
    found.regular = true;
    for (int s = 0; s < 2; s++)
        /* Waves that go back past others are elsewhere in the loop when those come to its end. */
        found.regular &= !swp_flow_goes_back(f->flow, block, b->successors[s]) &&
                         count_barriers(f, b->successors[s], b->meets, &found.barriers[s]);
    if (found.regular && found.barriers[0] == found.barriers[1])
        return SWP_OK;
    SWP_TRY(swp_trace_branch(f->trace, block, &found.sense, found.taken));
    if (found.sense == SWP_BRANCH_ALIKE)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(f->trace->ctx, (size_t)f->flow->block_count, &found.region));
    for (int s = 0; s < 2; s++)
        (void)swp_flow_mark_between(f->flow, b->successors[s], b->meets, found.region);
    fork_list *forks = &f->forks;
    return SWP_PUSH(f->trace->ctx, forks, found);
}

static int wave_count(const finder *f)
{
    return f->trace->values.threads / SWP_WAVE;
}

static bool same_lag(const finder *f, const swp_lag *a, const swp_lag *b)
{
    for (int w = 0; w < wave_count(f); w++)
        if (a->barriers[w] != b->barriers[w])
            return false;
    return true;
}

/* After the fork each wave has met the barriers of its own way. */
static swp_lag after_fork(finder *f, const fork *at)
{
    swp_lag lag = f->out->items[at->block];
    int fewest = 0;
    if (!at->regular || at->sense != SWP_BRANCH_KNOWN)
        lag.unknown = f->flow->blocks[at->block].end - 1;
    for (int w = 0; w < wave_count(f); w++) {
        lag.barriers[w] += at->barriers[at->taken[w]];
        fewest = w == 0 || lag.barriers[w] < fewest ? lag.barriers[w] : fewest;
    }
    for (int w = 0; w < wave_count(f); w++)
        lag.barriers[w] -= fewest;
    return lag;
}

static swp_lag lag_along(finder *f, int from, int to)
{
    for (size_t i = 0; i < f->forks.count; i++) {
        const fork *at = &f->forks.items[i];
        if (at->meets == to && (at->region[from] || at->block == from))
            return after_fork(f, at);
    }
    return f->out->items[from];
}

/* Takes in what holds along an edge; returns whether something new is not known. */
static bool join(finder *f, int from, int to, bool *reached)
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

swp_status swp_lags_find(swp_trace *trace, swp_lags *out)
{
    const swp_flow *flow = trace->flow;
    const size_t count = (size_t)flow->block_count;
    finder f = {.trace = trace, .flow = flow, .out = out};
    bool *reached = NULL;
    bool changed = true;
    *out = (swp_lags){0};
    SWP_TRY(SWP_TAKE(trace->ctx, count, &out->items));
    SWP_TRY(SWP_TAKE(trace->ctx, count, &f.least));
    SWP_TRY(SWP_TAKE(trace->ctx, count, &f.most));
    SWP_TRY(SWP_TAKE(trace->ctx, count, &reached));
    for (int i = 0; i < flow->block_count; i++)
        out->items[i].unknown = -1;
    for (int i = 0; i < flow->reached_count; i++)
        SWP_TRY(add_fork(&f, flow->sequence[i]));
    reached[0] = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < flow->reached_count; i++) {
            const int from = flow->sequence[i];
            for (int s = 0; s < flow->blocks[from].successor_count; s++) {
                const int to = flow->blocks[from].successors[s];
                changed |= join(&f, from, to, &reached[to]);
            }
        }
    }
    return SWP_OK;
}
