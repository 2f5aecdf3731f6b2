/* SPDX-License-Identifier: Apache-2.0 */
/* A modulo schedule to begin with: one iteration after the other. */
#ifndef SWP_SOLVE_ONE_ITERATION_H
#define SWP_SOLVE_ONE_ITERATION_H

#include "problem/graph.h"

/*
 * A modulo schedule that surely exists where no cycle has distance 0: one iteration by a list, and an
 * interval so long that iterations share nothing and every edge holds. Gives nothing where there is
 * such a cycle.
 */
swp_status swp_solve_one_iteration(swp_context *ctx, const swp_problem_graph *graph,
                                   swp_answer *answer);

#endif
