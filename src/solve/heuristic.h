/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedules at once: a heuristic for makespans, and for intervals one with a short search of all times
 * behind it, which may show that there is none.
 */
#ifndef SWP_SOLVE_HEURISTIC_H
#define SWP_SOLVE_HEURISTIC_H

#include "base/budget.h"
#include "base/decision.h"
#include "problem/graph.h"

/*
 * Looks for schedules of a makespan problem from the bound of `answer` upward, and gives it the best,
 * if any. A limit ends only the improvement of a first schedule.
 */
swp_status swp_solve_makespan_heuristic(swp_context *ctx, const swp_problem_graph *graph,
                                        swp_budget *budget, swp_answer *answer);

/*
 * The same for a modulo problem; it may also raise the bound, or prove that there is no schedule.
 * @param most  longer intervals are not looked for; 0: any
 */
swp_status swp_solve_modulo_heuristic(swp_context *ctx, const swp_problem_graph *graph,
                                      int64_t most, swp_budget *budget, swp_answer *answer);

/* At one interval, which no bound refutes; undecided where it neither finds one nor shows that there is none. */
swp_status swp_solve_modulo_try(swp_context *ctx, const swp_problem_graph *graph, int64_t interval,
                                swp_budget *budget, swp_decision *out);

#endif
