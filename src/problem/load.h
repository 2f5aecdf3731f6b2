/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what a use adds to the load of its resource. */
#ifndef SWP_PROBLEM_LOAD_H
#define SWP_PROBLEM_LOAD_H

#include "swp/problem.h"

/* Returns the cycles of a use that count in SWP_BOUND_RESOURCE. */
int64_t swp_problem_use_cycles(const swp_problem *problem, const swp_problem_op *op,
                               const swp_problem_use *use);

/* Returns what an amount counts: its weight, or itself if there are no weights. */
int64_t swp_problem_weight(const swp_amount_weights *weights, int64_t amount);

#endif
