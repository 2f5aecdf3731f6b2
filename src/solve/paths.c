/* SPDX-License-Identifier: Apache-2.0 */
/* Finds longest paths through the components in topological order, by Bellman and Ford within each. */
#include "solve/paths.h"

int64_t swp_solve_edge_weight(const swp_problem_edge *edge, int64_t interval)
{
    int64_t across = 0;
    if (__builtin_mul_overflow(interval, edge->distance, &across) || across >= -SWP_NO_PATH)
        return SWP_NO_PATH;
    return edge->delay - across;
}

static bool raise(int64_t *at, int64_t from, int64_t weight)
{
    if (from <= SWP_NO_PATH || from + weight <= *at)
        return false;
    *at = from + weight;
    return true;
}

/* Does one pass over a component's edges, and returns whether an op moved that these edges read again. */
static bool sweep(const swp_problem_graph *g, int64_t interval, int c, bool inside, bool forward,
                  bool from_front, int64_t *at)
{
    bool moved = false;
    const int count = g->member_first[c + 1] - g->member_first[c];
    for (int i = 0; i < count; i++) {
        const int op =
            g->members[from_front ? g->member_first[c] + i : g->member_first[c + 1] - 1 - i];
        for (int e = g->first[op]; e < g->first[op + 1]; e++) {
            const swp_problem_edge *edge = &g->problem->edges[g->edges[e]];
            const bool within = g->component[edge->consumer] == c;
            if (!within && inside)
                continue;
            const int64_t weight = swp_solve_edge_weight(edge, interval);
            if (forward ? raise(&at[edge->consumer], at[op], weight)
                        : raise(&at[op], at[edge->consumer], weight))
                moved = moved || within || !forward;
        }
    }
    return moved;
}

/*
 * Runs Bellman and Ford on one component: if more passes than ops move something, a cycle is
 * positive. Every second pass goes the other way round (Yen 1970), so that a path costs a pass only
 * where it turns.
 */
static bool settle(const swp_problem_graph *g, int64_t interval, int c, bool inside, bool forward,
                   int64_t *at)
{
    const int most = g->member_first[c + 1] - g->member_first[c] + 1;
    bool from_front = forward;
    for (int passes = 0; sweep(g, interval, c, inside, forward, from_front, at); passes++) {
        if (passes == most)
            return false;
        from_front = !from_front;
    }
    return true;
}

bool swp_solve_paths_from(const swp_problem_graph *graph, int64_t interval, int component,
                          int64_t *at)
{
    if (component >= 0)
        return settle(graph, interval, component, true, true, at);
    for (int c = 0; c < graph->component_count; c++)
        if (!settle(graph, interval, c, false, true, at))
            return false;
    return true;
}

bool swp_solve_paths_to(const swp_problem_graph *graph, int64_t interval, int component,
                        int64_t *at)
{
    if (component >= 0)
        return settle(graph, interval, component, true, false, at);
    for (int c = graph->component_count; c-- > 0;)
        if (!settle(graph, interval, c, false, false, at))
            return false;
    return true;
}
