/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether a modulo problem has a schedule at one interval, whatever it has at others. */
#ifndef SWP_SOLVE_ONE_INTERVAL_H
#define SWP_SOLVE_ONE_INTERVAL_H

#include "base/budget.h"
#include "base/decision.h"
#include "swp/problem.h"

/*
 * The problem must have passed swp_problem_check(). The answer is SWP_UNDECIDED if the budget, or
 * the memory for a formula, ended first.
 */
swp_status swp_solve_one_interval(swp_context *ctx, const swp_problem *problem, int64_t interval,
                                  swp_budget *budget, swp_decision *out);

#endif
