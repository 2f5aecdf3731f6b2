/* SPDX-License-Identifier: Apache-2.0 */
/* Proves the bound of a path, or of a cycle (RecMII), where these exceed the bound of a resource. */
#include "solve/bounds.h"

#include "solve/resource_bound.h"

/*
 * A round over more ops than OPS_PER_POLL takes longer than reading the clock. After
 * ROUNDS_IN_ORDER rounds every second one visits the members backwards, as in cycle.c.
 */
enum { OPS_PER_POLL = 256, ROUNDS_IN_ORDER = 16, STEPS_OF_AN_OP = 8 };

static int64_t quotient_up(int64_t amount, int64_t divisor)
{
    return amount / divisor + (amount % divisor != 0);
}

static void take_cycle(const swp_problem *problem, const int *edges, size_t count,
                       swp_answer *answer)
{
    int64_t delay = 0;
    int64_t distance = 0;
    for (size_t i = 0; i < count; i++) {
        delay += problem->edges[edges[i]].delay;
        distance += problem->edges[edges[i]].distance;
    }
    /* A cycle without distance admits no interval, so the check of the problem has refused it. */
    if (distance < 1)
        distance = 1;
    answer->bound = quotient_up(delay, distance);
    answer->bound_kind = SWP_BOUND_CYCLE;
    answer->bound_edges = edges;
    answer->bound_edge_count = count;
}

/*
 * Raises the bound to the least interval at which no cycle is positive (Rau 1994: RecMII). Each
 * positive cycle shows a larger bound; the last one is critical.
 */
static swp_status cycle_bound(swp_context *ctx, const swp_problem_graph *graph, swp_budget *budget,
                              swp_answer *answer)
{
    swp_cycle_search search;
    SWP_TRY(swp_problem_cycle_new(ctx, graph, &search));
    for (int c = 0; c < graph->component_count; c++) {
        int on = -1;
        swp_problem_cycle_begin(&search, c, answer->bound);
        while (swp_problem_cycle_round(&search, c, &on)) {
            if (graph->member_first[c + 1] - graph->member_first[c] > OPS_PER_POLL &&
                !swp_budget_poll(budget))
                return SWP_OK;
            if (on < 0)
                continue;
            int *edges = NULL;
            size_t count = 0;
            SWP_TRY(swp_problem_cycle_take(ctx, &search, on, &edges, &count));
            take_cycle(graph->problem, edges, count, answer);
            swp_problem_cycle_begin(&search, c, answer->bound);
        }
    }
    return SWP_OK;
}

/* `earliest` has the earliest start of each op, and `by` the edge that determines it, or -1 at time 0. */
typedef struct starts {
    const swp_problem_graph *graph;
    int64_t *earliest;
    int *by;
} starts;

/* Does one round over a component, and returns whether one of its own ops moved. */
static bool push_starts(starts *s, int component, bool backwards)
{
    const swp_problem_graph *graph = s->graph;
    const int first = graph->member_first[component];
    const int last = graph->member_first[component + 1] - 1;
    bool changed = false;
    for (int i = 0; i <= last - first; i++) {
        const int op = graph->members[backwards ? last - i : first + i];
        for (int e = graph->first[op]; e < graph->first[op + 1]; e++) {
            const swp_problem_edge *edge = &graph->problem->edges[graph->edges[e]];
            if (s->earliest[op] + edge->delay <= s->earliest[edge->consumer])
                continue;
            s->earliest[edge->consumer] = s->earliest[op] + edge->delay;
            s->by[edge->consumer] = graph->edges[e];
            changed = changed || graph->component[edge->consumer] == component;
        }
    }
    return changed;
}

/* Visits the components in topological order, and repeats the rounds in each until no op moves. */
static bool longest_paths(starts *s, swp_budget *budget)
{
    for (size_t i = 0; i < s->graph->problem->op_count; i++)
        s->by[i] = -1;
    for (int c = 0; c < s->graph->component_count; c++)
        for (int round = 0; push_starts(s, c, round >= ROUNDS_IN_ORDER && round % 2 == 0); round++)
            if (round >= ROUNDS_IN_ORDER &&
                !swp_budget_keep(budget, STEPS_OF_AN_OP * (uint64_t)(s->graph->member_first[c + 1] -
                                                                     s->graph->member_first[c])))
                return false;
    return true;
}

static swp_status take_path(swp_context *ctx, const swp_problem *problem, const int *by, int last,
                            swp_answer *answer)
{
    size_t count = 0;
    for (int op = last; by[op] >= 0; op = problem->edges[by[op]].producer)
        count++;
    int *edges = NULL;
    SWP_TRY(SWP_TAKE(ctx, count + 1, &edges));
    answer->bound_edges = edges;
    answer->bound_edge_count = count;
    for (int op = last; by[op] >= 0; op = problem->edges[by[op]].producer)
        edges[--count] = by[op];
    return SWP_OK;
}

static swp_status path_bound(swp_context *ctx, const swp_problem_graph *graph, swp_budget *budget,
                             swp_answer *answer)
{
    const swp_problem *problem = graph->problem;
    starts s = {.graph = graph};
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, &s.earliest));
    SWP_TRY(SWP_TAKE(ctx, problem->op_count, &s.by));
    if (!longest_paths(&s, budget))
        return SWP_OK;
    int last = -1;
    for (size_t i = 0; i < problem->op_count; i++)
        if (s.earliest[i] + problem->ops[i].latency > answer->bound) {
            answer->bound = s.earliest[i] + problem->ops[i].latency;
            last = (int)i;
        }
    if (last < 0)
        return SWP_OK;
    answer->bound_kind = SWP_BOUND_PATH;
    return take_path(ctx, problem, s.by, last, answer);
}

swp_status swp_solve_bounds(swp_context *ctx, const swp_problem_graph *graph, swp_budget *budget,
                            swp_answer *answer)
{
    const swp_problem *problem = graph->problem;
    answer->bound_kind = SWP_BOUND_NONE;
    if (problem->kind == SWP_PROBLEM_MODULO) {
        answer->bound = 1;
        SWP_TRY(swp_solve_resource_bound(ctx, problem, answer));
        return cycle_bound(ctx, graph, budget, answer);
    }
    answer->bound = 0;
    SWP_TRY(swp_solve_resource_bound(ctx, problem, answer));
    return path_bound(ctx, graph, budget, answer);
}

void swp_solve_refute_to(swp_answer *answer, int64_t bound)
{
    answer->bound = bound;
    answer->bound_kind = SWP_BOUND_REFUTATION;
    answer->bound_edges = NULL;
    answer->bound_edge_count = 0;
}
