/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds that a reader can check by hand: a resource's load, a longest path, a critical cycle. */
#ifndef SWP_SOLVE_BOUNDS_H
#define SWP_SOLVE_BOUNDS_H

#include "base/budget.h"
#include "problem/graph.h"

/*
 * Sets the bound of `answer`, with its kind and its witness: the largest of the bounds. Needs a
 * problem that swp_problem_check() takes, and its graph with all edges. Where the budget ends first,
 * cycles may be positive at the bound.
 */
swp_status swp_solve_bounds(swp_context *ctx, const swp_problem_graph *graph, swp_budget *budget,
                            swp_answer *answer);

/* A search has refuted all below `bound`, so that no witness of a smaller bound counts any more. */
void swp_solve_refute_to(swp_answer *answer, int64_t bound);

#endif
