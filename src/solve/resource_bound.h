/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the bound of the busiest resource. */
#ifndef SWP_SOLVE_RESOURCE_BOUND_H
#define SWP_SOLVE_RESOURCE_BOUND_H

#include "base/context.h"
#include "swp/problem.h"

/*
 * Raises the bound of `answer` to what a resource proves, if that is more, and stores the resource
 * and its weights.
 */
swp_status swp_solve_resource_bound(swp_context *ctx, const swp_problem *problem,
                                    swp_answer *answer);

#endif
