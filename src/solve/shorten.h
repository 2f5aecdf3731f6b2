/* SPDX-License-Identifier: Apache-2.0 */
/* Makes modulo schedules short at the interval that they have. */
#ifndef SWP_SOLVE_SHORTEN_H
#define SWP_SOLVE_SHORTEN_H

#include "base/budget.h"
#include "problem/graph.h"

/* Gives the answer to a modulo problem, if it has times, other times from its first op to its last in fewer intervals. */
swp_status swp_solve_shorten(swp_context *ctx, const swp_problem_graph *graph, swp_budget *budget,
                             swp_answer *answer);

#endif
