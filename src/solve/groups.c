/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts uses that exclude one another into a group, so that a sum has a level for each group rather
 * than for each use. Bofill, Coll, Suy and Villaret 2017 call these at-most-one relations in
 * pseudo-Boolean constraints.
 */
#include "solve/groups.h"

#include "base/budget.h"
#include "solve/paths.h"

#include <stdlib.h>

enum {
    MOST_OPS_WITH_PATHS = 1500, /* a path for each pair of them is kept */
    STEPS_OF_AN_EDGE = 4,       /* what a search of paths costs */
    GROUP_OF_PAIRS = 8          /* largest group in which clauses of its own keep pairs apart */
};

typedef struct grouping {
    swp_context *ctx;
    const swp_encoding *encoding;
    int64_t **paths; /* per op: longest paths to all others, NULL until wanted; NULL: too many */
    swp_budget budget;
} grouping;

static swp_status paths_of(grouping *g, int op, const int64_t **out)
{
    const swp_problem_graph *graph = g->encoding->graph;
    if (!g->paths[op]) {
        (void)swp_budget_keep(&g->budget, STEPS_OF_AN_EDGE * graph->problem->edge_count);
        SWP_TRY(SWP_TAKE(g->ctx, graph->problem->op_count, &g->paths[op]));
        for (size_t i = 0; i < graph->problem->op_count; i++)
            g->paths[op][i] = SWP_NO_PATH;
        g->paths[op][op] = 0;
        const bool within = g->encoding->period || g->encoding->of_component;
        (void)swp_solve_paths_from(graph, g->encoding->period, within ? graph->component[op] : -1,
                                   g->paths[op]);
    }
    *out = g->paths[op];
    return SWP_OK;
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Returns whether two uses never overlap if b starts at least `least` and at most `most` after a. */
static bool apart(int64_t period, int64_t least, int64_t most, int64_t cycles_a, int64_t cycles_b)
{
    if (!period)
        return least >= cycles_a || most <= -cycles_b;
    if (least <= SWP_NO_PATH || most >= -SWP_NO_PATH)
        return false;
    const int64_t turns = floor_quotient(least - cycles_a, period);
    return most <= (turns + 1) * period - cycles_b;
}

static swp_status ordered(grouping *g, const swp_numbered_use *a, const swp_numbered_use *b,
                          bool *out)
{
    const swp_encoding *e = g->encoding;
    const int64_t *from_a = NULL;
    const int64_t *from_b = NULL;
    *out = false;
    if (e->period && e->graph->component[a->op] != e->graph->component[b->op])
        return SWP_OK;
    SWP_TRY(paths_of(g, a->op, &from_a));
    SWP_TRY(paths_of(g, b->op, &from_b));
    const int64_t cycles_a = e->period ? a->use->cycles % e->period : a->use->cycles;
    const int64_t cycles_b = e->period ? b->use->cycles % e->period : b->use->cycles;
    *out = apart(e->period, from_a[b->op], -from_b[a->op], cycles_a, cycles_b);
    return SWP_OK;
}

/* Returns whether the two ops exceed the capacity of some resource whenever both uses are held. */
static bool too_much(const swp_encoding *e, const swp_numbered_use *a, const swp_numbered_use *b)
{
    const swp_problem *p = e->graph->problem;
    const swp_problem_op *x = &p->ops[a->op];
    const swp_problem_op *y = &p->ops[b->op];
    for (size_t i = 0; i < x->use_count; i++) {
        const swp_problem_use *u = &x->uses[i];
        if (u->cycles < a->use->cycles || (e->period && u->cycles >= e->period))
            continue;
        for (size_t k = 0; k < y->use_count; k++) {
            const swp_problem_use *v = &y->uses[k];
            if (u->resource == v->resource && v->cycles >= b->use->cycles &&
                !(e->period && v->cycles >= e->period) &&
                u->amount + v->amount > p->resources[u->resource].capacity)
                return true;
        }
    }
    return false;
}

static swp_status fits_group(grouping *g, int use, const swp_indices *group, bool *out)
{
    const swp_numbered_use *uses = g->encoding->uses;
    size_t pairs = 0;
    *out = false;
    for (size_t i = 0; i < group->count; i++) {
        const swp_numbered_use *other = &uses[group->items[i]];
        bool excluded = false;
        if (!swp_budget_keep(&g->budget, 1))
            return SWP_OK;
        if (other->op == uses[use].op)
            return SWP_OK;
        SWP_TRY(ordered(g, &uses[use], other, &excluded));
        if (!excluded && !too_much(g->encoding, &uses[use], other))
            return SWP_OK;
        pairs += !excluded;
    }
    *out = pairs == 0 || group->count < GROUP_OF_PAIRS;
    return SWP_OK;
}

static swp_status place(grouping *g, int use, swp_group_list *groups)
{
    for (size_t i = 0; g->paths && i < groups->count && !g->budget.stopped; i++) {
        bool fits = false;
        SWP_TRY(fits_group(g, use, &groups->items[i], &fits));
        if (fits)
            return SWP_PUSH(g->ctx, &groups->items[i], use);
    }
    swp_indices fresh = {0};
    SWP_TRY(SWP_PUSH(g->ctx, &fresh, use));
    return SWP_PUSH(g->ctx, groups, fresh);
}

typedef struct ranked {
    int64_t amount;
    int use;
    int resource;
} ranked;

/* Sorts by resource, then the largest amounts first, since they leave the least room. */
static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a;
    const ranked *y = b;
    if (x->resource != y->resource)
        return x->resource < y->resource ? -1 : 1;
    if (x->amount != y->amount)
        return x->amount > y->amount ? -1 : 1;
    return x->use < y->use ? -1 : 1;
}

swp_status swp_solve_group_uses(swp_context *ctx, swp_encoding *e, bool *done)
{
    const size_t op_count = e->graph->problem->op_count;
    grouping g = {.ctx = ctx, .encoding = e, .budget = swp_budget_start(ctx, 0)};
    ranked *order = NULL;
    size_t count = 0;
    if (op_count <= MOST_OPS_WITH_PATHS)
        SWP_TRY(SWP_TAKE(ctx, op_count + 1, &g.paths));
    SWP_TRY(SWP_TAKE(ctx, e->use_count + 1, &order));
    for (size_t i = 0; i < e->use_count; i++)
        if (e->encoded[e->uses[i].op] && e->uses[i].use->cycles > 0)
            order[count++] = (ranked){e->uses[i].use->amount, (int)i, e->uses[i].use->resource};
    if (count > 0)
        qsort(order, count, sizeof *order, compare_ranked);
    for (size_t i = 0; i < count; i++)
        SWP_TRY(place(&g, order[i].use, &e->groups[order[i].resource]));
    *done = !g.budget.stopped;
    return SWP_OK;
}

static int compare_uses(const void *a, const void *b)
{
    const swp_problem_use *x = a;
    const swp_problem_use *y = b;
    if (x->resource != y->resource)
        return x->resource < y->resource ? -1 : 1;
    if (x->amount != y->amount)
        return x->amount < y->amount ? -1 : 1;
    return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

typedef struct profile {
    swp_problem_use *uses; /* sorted; uses of no cycles are left out */
    size_t count;
    int op;
} profile;

static int compare_profiles(const void *a, const void *b)
{
    const profile *x = a;
    const profile *y = b;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    for (size_t i = 0; i < x->count; i++) {
        const int order = compare_uses(&x->uses[i], &y->uses[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

/* Sorts ops of equal uses next to each other, by index. */
static int compare_entries(const void *a, const void *b)
{
    const profile *x = a;
    const profile *y = b;
    const int order = compare_profiles(x, y);
    return order != 0 ? order : x->op < y->op ? -1 : x->op > y->op;
}

static swp_status profile_of(swp_context *ctx, const swp_problem *p, int op, profile *out)
{
    *out = (profile){.op = op};
    SWP_TRY(SWP_TAKE(ctx, p->ops[op].use_count + 1, &out->uses));
    for (size_t u = 0; u < p->ops[op].use_count; u++)
        if (p->ops[op].uses[u].cycles > 0)
            out->uses[out->count++] = p->ops[op].uses[u];
    qsort(out->uses, out->count, sizeof *out->uses, compare_uses);
    return SWP_OK;
}

swp_status swp_solve_find_alike(swp_context *ctx, swp_encoding *e)
{
    const swp_problem_graph *g = e->graph;
    profile *profiles = NULL;
    size_t count = 0;
    SWP_TRY(SWP_TAKE(ctx, e->references.count + 1, &profiles));
    for (size_t i = 0; i < e->references.count; i++) {
        const int op = e->references.items[i];
        const int c = g->component[op];
        if (op != e->fixed && g->member_first[c + 1] - g->member_first[c] == 1)
            SWP_TRY(profile_of(ctx, g->problem, op, &profiles[count++]));
    }
    if (count > 0)
        qsort(profiles, count, sizeof *profiles, compare_entries);
    for (size_t i = 0, end = 0; i < count; i = end) {
        swp_indices same = {0};
        for (end = i; end < count && compare_profiles(&profiles[i], &profiles[end]) == 0; end++)
            SWP_TRY(SWP_PUSH(ctx, &same, profiles[end].op));
        if (same.count > 1)
            SWP_TRY(SWP_PUSH(ctx, &e->alike, same));
    }
    return SWP_OK;
}
