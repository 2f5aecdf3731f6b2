/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the longest paths of each component by Bellman and Ford, and looks for a cycle after every round. */
#include "problem/graph.h"

/*
 * Members stand roughly in the order of the edges. If rounds in that order do not settle the
 * lengths, every second one goes backwards (Yen 1970). Then a path costs a round only where it
 * turns.
 */
enum { ROUNDS_IN_ORDER = 16 };

static bool relax_round(swp_cycle_search *r, int component)
{
    const swp_problem_graph *graph = r->graph;
    const int first = graph->member_first[component];
    const int last = graph->member_first[component + 1] - 1;
    const bool backwards = r->rounds >= ROUNDS_IN_ORDER && r->rounds % 2 == 0;
    bool changed = false;
    r->rounds++;
    for (int i = 0; i <= last - first; i++) {
        const int op = graph->members[backwards ? last - i : first + i];
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

/* Returns an op on a cycle of last edges, or -1. Such a cycle is positive. */
static int find_loop(swp_cycle_search *r, int component)
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

swp_status swp_problem_cycle_new(swp_context *ctx, const swp_problem_graph *graph,
                                 swp_cycle_search *out)
{
    const size_t ops = graph->problem->op_count;
    *out = (swp_cycle_search){.graph = graph};
    SWP_TRY(SWP_TAKE(ctx, ops, &out->length));
    SWP_TRY(SWP_TAKE(ctx, ops, &out->by));
    return SWP_TAKE(ctx, ops, &out->mark);
}

void swp_problem_cycle_begin(swp_cycle_search *search, int component, int64_t interval)
{
    const swp_problem_graph *graph = search->graph;
    search->interval = interval;
    search->rounds = 0;
    for (int m = graph->member_first[component]; m < graph->member_first[component + 1]; m++)
        search->by[graph->members[m]] = -1;
}

bool swp_problem_cycle_round(swp_cycle_search *search, int component, int *on)
{
    const bool changed = relax_round(search, component);
    *on = changed ? find_loop(search, component) : -1;
    return changed;
}

swp_status swp_problem_cycle_take(swp_context *ctx, const swp_cycle_search *search, int on,
                                  int **edges, size_t *count)
{
    const swp_problem_edge *all = search->graph->problem->edges;
    size_t length = 0;
    int op = on;
    do {
        length++;
        op = all[search->by[op]].producer;
    } while (op != on);
    SWP_TRY(SWP_TAKE(ctx, length, edges));
    *count = length;
    while (length-- > 0) {
        (*edges)[length] = search->by[op];
        op = all[search->by[op]].producer;
    }
    return SWP_OK;
}
