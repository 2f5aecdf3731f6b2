/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the edges of a problem by op, and finds its strongly connected components. */
#ifndef SWP_PROBLEM_GRAPH_H
#define SWP_PROBLEM_GRAPH_H

#include "base/context.h"
#include "swp/problem.h"

typedef struct swp_problem_graph {
    const swp_problem *problem;
    int *edges;     /* indices of edges by producer */
    int *first;     /* per op, and one more: where its edges begin */
    int *component; /* of each op; the number of a component is above those of its producers */
    int component_count;
    int *members;      /* ops by component, roughly in the order of the edges */
    int *member_first; /* per component, and one more */
} swp_problem_graph;

/*
 * Makes the graph without the edges whose distance is above `most_distance`. The ops of all edges
 * must exist.
 */
swp_status swp_problem_graph_new(swp_context *ctx, const swp_problem *problem,
                                 int64_t most_distance, swp_problem_graph *out);

/* A search for positive cycles. Its lengths only grow, so that what one search found helps the next. */
typedef struct swp_cycle_search {
    const swp_problem_graph *graph;
    int64_t interval;
    int64_t *length; /* of the longest path to the op so far */
    int *by;         /* the last edge of it; -1: none */
    int64_t *mark;   /* the walk that came by */
    int64_t walks;
    int64_t rounds; /* of this search */
} swp_cycle_search;

swp_status swp_problem_cycle_new(swp_context *ctx, const swp_problem_graph *graph,
                                 swp_cycle_search *out);

/* Begins the search of a component; to be called before its first round. */
void swp_problem_cycle_begin(swp_cycle_search *search, int component, int64_t interval);

/*
 * Does one round of Bellman and Ford. Returns false if there is no cycle whose delays exceed
 * interval * distances. `*on` is an op of such a cycle, or -1 as long as none has shown.
 */
bool swp_problem_cycle_round(swp_cycle_search *search, int component, int *on);

/* Takes the edges, in order, of the cycle that the op is on. */
swp_status swp_problem_cycle_take(swp_context *ctx, const swp_cycle_search *search, int on,
                                  int **edges, size_t *count);

#endif
