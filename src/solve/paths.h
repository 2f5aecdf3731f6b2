/* SPDX-License-Identifier: Apache-2.0 */
/* Longest paths of a scheduling problem, at a given interval. */
#ifndef SWP_SOLVE_PATHS_H
#define SWP_SOLVE_PATHS_H

#include "problem/graph.h"

/* No path; and what is below it is as good as none, since no window is so wide. */
#define SWP_NO_PATH (-((int64_t)1 << 60))

/* delay - interval * distance, at least SWP_NO_PATH. */
int64_t swp_solve_edge_weight(const swp_problem_edge *edge, int64_t interval);

/*
 * Raises at[] to the longest paths over `at` as it is given, from producers to consumers. Only edges
 * inside `component` count, or all edges where it is -1. False if a cycle is positive.
 */
bool swp_solve_paths_from(const swp_problem_graph *graph, int64_t interval, int component,
                          int64_t *at);

/* The same from consumers to producers: at[op] is the longest path from op on. */
bool swp_solve_paths_to(const swp_problem_graph *graph, int64_t interval, int component,
                        int64_t *at);

#endif
