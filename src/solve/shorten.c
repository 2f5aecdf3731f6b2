/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves the ops of a modulo schedule earlier: first all by whole intervals as far as the edges
 * allow, then one by one into the first room behind what they wait for.
 */
#include "solve/shorten.h"

#include "solve/paths.h"
#include "solve/profile.h"

#include <string.h>

/* Each pass over the ops lets some of them go earlier; there are at most so many. */
enum { MOST_PASSES = 64 };

typedef struct shortening {
    const swp_problem_graph *graph;
    swp_budget *budget;
    int64_t interval;
    int64_t *times;
    int *order; /* ops, the earliest first */
    int *into;  /* edges by consumer */
    int *into_first;
    swp_profile profile;
} shortening;

static int64_t stages_of(const int64_t *times, size_t count, int64_t interval)
{
    int64_t first = INT64_MAX;
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        first = times[i] < first ? times[i] : first;
        last = times[i] > last ? times[i] : last;
    }
    return count > 0 ? (last - first) / interval : 0;
}

/* Moves all ops into the first interval, each to its own slot. */
static void fold_times(shortening *s)
{
    for (size_t i = 0; i < s->graph->problem->op_count; i++) {
        const int64_t slot = s->times[i] % s->interval;
        s->times[i] = slot < 0 ? slot + s->interval : slot;
    }
}

/*
 * Moves ops later by whole intervals until the edges hold. This ends, since the given schedule
 * obeys the edges.
 */
static bool unfold_times(shortening *s)
{
    const swp_problem *problem = s->graph->problem;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t e = 0; e < problem->edge_count; e++) {
            const swp_problem_edge *edge = &problem->edges[e];
            const int64_t least =
                s->times[edge->producer] + swp_solve_edge_weight(edge, s->interval);
            const int64_t missing = least - s->times[edge->consumer];
            if (missing <= 0)
                continue;
            s->times[edge->consumer] += ((missing - 1) / s->interval + 1) * s->interval;
            moved = true;
        }
        if (!swp_budget_keep(s->budget, problem->edge_count))
            return false;
    }
    return true;
}

static void sort_ops(shortening *s)
{
    for (int i = 0; i < (int)s->graph->problem->op_count; i++) {
        int to = i;
        for (; to > 0 && s->times[s->order[to - 1]] > s->times[i]; to--)
            s->order[to] = s->order[to - 1];
        s->order[to] = i;
    }
}

static int64_t earliest_of(const shortening *s, int op)
{
    int64_t earliest = 0;
    for (int i = s->into_first[op]; i < s->into_first[op + 1]; i++) {
        const swp_problem_edge *edge = &s->graph->problem->edges[s->into[i]];
        const int64_t least = s->times[edge->producer] + swp_solve_edge_weight(edge, s->interval);
        if (edge->producer != op && least > earliest)
            earliest = least;
    }
    return earliest;
}

/* An op that goes earlier leaves more room to those that wait for it, which come later in the pass. */
static swp_status slide(swp_context *ctx, shortening *s, bool *moved)
{
    *moved = false;
    sort_ops(s);
    for (size_t i = 0; i < s->graph->problem->op_count; i++) {
        const int op = s->order[i];
        const int64_t now = s->times[op];
        const int64_t earliest = earliest_of(s, op);
        if (earliest >= now)
            continue;
        SWP_TRY(swp_solve_profile_remove(ctx, &s->profile, op, now));
        if (!swp_solve_profile_first_fit(&s->profile, op, earliest, now, &s->times[op]))
            s->times[op] = now;
        SWP_TRY(swp_solve_profile_add(ctx, &s->profile, op, s->times[op]));
        *moved = *moved || s->times[op] < now;
    }
    return SWP_OK;
}

static swp_status list_edges_into(swp_context *ctx, shortening *s)
{
    const swp_problem *problem = s->graph->problem;
    SWP_TRY(SWP_TAKE(ctx, problem->op_count + 2, &s->into_first));
    SWP_TRY(SWP_TAKE(ctx, problem->edge_count + 1, &s->into));
    for (size_t e = 0; e < problem->edge_count; e++)
        s->into_first[problem->edges[e].consumer + 2]++;
    for (size_t i = 2; i < problem->op_count + 2; i++)
        s->into_first[i] += s->into_first[i - 1];
    for (size_t e = 0; e < problem->edge_count; e++)
        s->into[s->into_first[problem->edges[e].consumer + 1]++] = (int)e;
    return SWP_OK;
}

static swp_status open_room(swp_context *ctx, shortening *s)
{
    const size_t count = s->graph->problem->op_count;
    SWP_TRY(SWP_TAKE(ctx, count, &s->order));
    SWP_TRY(list_edges_into(ctx, s));
    SWP_TRY(swp_solve_profile_new(ctx, s->graph->problem, s->interval, &s->profile));
    for (int op = 0; op < (int)count; op++)
        SWP_TRY(swp_solve_profile_add(ctx, &s->profile, op, s->times[op]));
    return SWP_OK;
}

swp_status swp_solve_shorten(swp_context *ctx, const swp_problem_graph *graph, swp_budget *budget,
                             swp_answer *answer)
{
    const size_t count = graph->problem->op_count;
    shortening s = {.graph = graph, .budget = budget, .interval = answer->value};
    if (!answer->times || stages_of(answer->times, count, s.interval) == 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, count, &s.times));
    memcpy(s.times, answer->times, count * sizeof *s.times);
    fold_times(&s);
    if (!unfold_times(&s))
        return SWP_OK;
    SWP_TRY(open_room(ctx, &s));
    bool moved = true;
    for (int pass = 0; pass < MOST_PASSES && moved && swp_budget_keep(budget, count); pass++)
        SWP_TRY(slide(ctx, &s, &moved));
    if (stages_of(s.times, count, s.interval) < stages_of(answer->times, count, s.interval))
        answer->times = s.times;
    return SWP_OK;
}
