/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a modulo schedule to begin with: one iteration after the other. */
#ifndef SWP_SOLVE_ONE_ITERATION_H
#define SWP_SOLVE_ONE_ITERATION_H

#include "problem/graph.h"

/*
 * Lists one iteration, and takes an interval so long that iterations share nothing and every edge
 * holds. This schedule exists wherever no cycle has distance 0; otherwise `answer` gets none.
 */
swp_status swp_solve_one_iteration(swp_context *ctx, const swp_problem_graph *graph,
                                   swp_answer *answer);

#endif
