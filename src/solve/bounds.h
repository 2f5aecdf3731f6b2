/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds that a reader can check by hand: a resource's load, a longest path, a critical cycle. */
#ifndef SWP_SOLVE_BOUNDS_H
#define SWP_SOLVE_BOUNDS_H

#include "base/budget.h"
#include "problem/graph.h"

/*
 * Sets the bound of `answer` to the largest of the bounds, with its kind and its witness. The
 * problem must have passed swp_problem_check(), and the graph must have all edges. If the budget
 * ends first, a cycle may still be positive at the bound.
 */
swp_status swp_solve_bounds(swp_context *ctx, const swp_problem_graph *graph, swp_budget *budget,
                            swp_answer *answer);

/*
 * Raises the bound after a search has refuted all values below `bound`, and drops the witness of
 * the old one.
 */
void swp_solve_refute_to(swp_answer *answer, int64_t bound);

#endif
