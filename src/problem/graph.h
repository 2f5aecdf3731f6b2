/* SPDX-License-Identifier: Apache-2.0 */
/* The edges of a problem by op, and its strongly connected components. */
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

/* Edges whose distance is above `most_distance` are left out. Needs ops that exist. */
swp_status swp_problem_graph_new(swp_context *ctx, const swp_problem *problem,
                                 int64_t most_distance, swp_problem_graph *out);

/* Finds a cycle with sum of delays - interval * distances > 0: its edges in order, or none. */
swp_status swp_positive_cycle(swp_context *ctx, const swp_problem_graph *graph, int64_t interval,
                              int **edges, size_t *count);

#endif
