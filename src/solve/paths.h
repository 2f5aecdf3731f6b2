/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the longest paths of a scheduling problem at a given interval. */
#ifndef SWP_SOLVE_PATHS_H
#define SWP_SOLVE_PATHS_H

#include "problem/graph.h"

/* There is no path. Smaller weights count as none, too, since no window is so wide. */
#define SWP_NO_PATH (-((int64_t)1 << 60))

/* Returns delay - interval * distance, but at least SWP_NO_PATH. */
int64_t swp_solve_edge_weight(const swp_problem_edge *edge, int64_t interval);

/*
 * Raises at[] to the longest paths from producers to consumers, which start from the given `at`.
 * Only edges inside `component` count, or all edges if it is -1. Returns false if a cycle is
 * positive.
 */
bool swp_solve_paths_from(const swp_problem_graph *graph, int64_t interval, int component,
                          int64_t *at);

/* Does the same from consumers to producers: at[op] becomes the longest path from op on. */
bool swp_solve_paths_to(const swp_problem_graph *graph, int64_t interval, int component,
                        int64_t *at);

#endif
