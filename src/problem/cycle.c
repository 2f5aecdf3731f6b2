/* SPDX-License-Identifier: Apache-2.0 */
/* Bellman and Ford's longest paths in each component, with a look for a cycle after every round. */
#include "problem/graph.h"

typedef struct rounds {
    const swp_problem_graph *graph;
    int64_t interval;
    int64_t *length; /* of the longest path to the op so far */
    int *by;         /* the last edge of it; -1: none */
    int64_t *mark;   /* the walk that came by */
    int64_t walks;
} rounds;

static bool relax_round(rounds *r, int component)
{
    const swp_problem_graph *graph = r->graph;
    bool changed = false;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++) {
        const int op = graph->members[m];
        for (int e = graph->first[op]; e < graph->first[op + 1]; e++) {
            const swp_problem_edge *edge = &graph->problem->edges[graph->edges[e]];
            const int64_t length = r->length[op] + edge->delay - r->interval * edge->distance;
            if (graph->component[edge->consumer] != component ||
                length <= r->length[edge->consumer])
                continue;
            r->length[edge->consumer] = length;
            r->by[edge->consumer] = graph->edges[e];
            changed = true;
        }
    }
    return changed;
}

/* An op on a cycle of last edges, -1 if there is none. Such a cycle is positive. */
static int find_loop(rounds *r, int component)
{
    const swp_problem_graph *graph = r->graph;
    const int64_t first_walk = r->walks;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++) {
        const int64_t walk = ++r->walks;
        int op = graph->members[m];
        while (r->mark[op] <= first_walk && r->by[op] >= 0) {
            r->mark[op] = walk;
            op = graph->problem->edges[r->by[op]].producer;
        }
        if (r->mark[op] == walk)
            return op;
    }
    return -1;
}

static swp_status take_loop(swp_context *ctx, const rounds *r, int start, int **edges,
                            size_t *count)
{
    const swp_problem_edge *all = r->graph->problem->edges;
    size_t length = 0;
    int op = start;
    do {
        length++;
        op = all[r->by[op]].producer;
    } while (op != start);
    SWP_TRY(SWP_TAKE(ctx, length, edges));
    *count = length;
    while (length-- > 0) {
        (*edges)[length] = r->by[op];
        op = all[r->by[op]].producer;
    }
    return SWP_OK;
}

swp_status swp_positive_cycle(swp_context *ctx, const swp_problem_graph *graph, int64_t interval,
                              int **edges, size_t *count)
{
    const size_t ops = graph->problem->op_count;
    rounds r = {.graph = graph, .interval = interval};
    SWP_TRY(SWP_TAKE(ctx, ops, &r.length));
    SWP_TRY(SWP_TAKE(ctx, ops, &r.by));
    SWP_TRY(SWP_TAKE(ctx, ops, &r.mark));
    for (size_t i = 0; i < ops; i++)
        r.by[i] = -1;
    *edges = NULL;
    *count = 0;
    for (int c = 0; c < graph->component_count; c++)
        while (relax_round(&r, c)) {
            const int op = find_loop(&r, c);
            if (op >= 0)
                return take_loop(ctx, &r, op, edges, count);
        }
    return SWP_OK;
}
