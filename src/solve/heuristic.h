/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds schedules fast by a heuristic. The one for intervals ends with a short search of all times,
 * which may prove that there is no schedule.
 */
#ifndef SWP_SOLVE_HEURISTIC_H
#define SWP_SOLVE_HEURISTIC_H

#include "base/budget.h"
#include "base/decision.h"
#include "problem/graph.h"

/*
 * Looks for schedules of a makespan problem from the bound of `answer` upward, and stores the best
 * one, if any. Limits end only the improvement of a first schedule.
 */
swp_status swp_solve_makespan_heuristic(swp_context *ctx, const swp_problem_graph *graph,
                                        swp_budget *budget, swp_answer *answer);

/*
 * Does the same for a modulo problem. It may also raise the bound, or prove that there is no
 * schedule.
 * @param most  longer intervals are not tried; 0: any interval
 */
swp_status swp_solve_modulo_heuristic(swp_context *ctx, const swp_problem_graph *graph,
                                      int64_t most, swp_budget *budget, swp_answer *answer);

/*
 * Tries one interval, which no bound refutes. `*out` stays SWP_UNDECIDED if it finds neither a
 * schedule nor a refutation.
 */
swp_status swp_solve_modulo_try(swp_context *ctx, const swp_problem_graph *graph, int64_t interval,
                                swp_budget *budget, swp_decision *out);

#endif
