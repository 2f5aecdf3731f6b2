/* SPDX-License-Identifier: Apache-2.0 */
/* The exact stage of swp_solve_problem(). */
#ifndef SWP_SOLVE_EXACT_H
#define SWP_SOLVE_EXACT_H

#include "base/budget.h"
#include "swp/problem.h"

/*
 * Closes the gap of `answer`, which holds a proven bound and, where one was found, a schedule. The
 * answer stays correct and never gets worse, also if the budget ends first.
 * @param most  any value up to this is as good as another; 0: the least is wanted
 */
swp_status swp_solve_exact(swp_context *ctx, const swp_problem *problem, int64_t most,
                           swp_budget *budget, swp_answer *answer);

#endif
