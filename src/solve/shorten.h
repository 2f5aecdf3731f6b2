/* SPDX-License-Identifier: Apache-2.0 */
/* Makes modulo schedules short at the interval that they have. */
#ifndef SWP_SOLVE_SHORTEN_H
#define SWP_SOLVE_SHORTEN_H

#include "base/budget.h"
#include "problem/graph.h"

/*
 * Replaces the times of an answer to a modulo problem by ones that span fewer intervals, if it has
 * times and such are found.
 */
swp_status swp_solve_shorten(swp_context *ctx, const swp_problem_graph *graph, swp_budget *budget,
                             swp_answer *answer);

#endif
