/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Destructive improvement (Klein and Scholl 1999): a makespan is supposed, and the windows of the ops
 * are narrowed until one is empty, which refutes it.
 */
#ifndef SWP_SOLVE_MAKESPAN_BOUND_H
#define SWP_SOLVE_MAKESPAN_BOUND_H

#include "base/budget.h"
#include "swp/problem.h"

/* Raises the bound of a makespan problem as far as possible, or proves that there is no schedule. */
swp_status swp_solve_makespan_bound(swp_context *ctx, const swp_problem *problem,
                                    swp_budget *budget, swp_answer *answer);

#endif
