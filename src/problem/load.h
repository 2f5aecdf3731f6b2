/* SPDX-License-Identifier: Apache-2.0 */
/* What a use counts in the load of its resource. */
#ifndef SWP_PROBLEM_LOAD_H
#define SWP_PROBLEM_LOAD_H

#include "swp/problem.h"

/* The cycles of a use that count in SWP_BOUND_RESOURCE. */
int64_t swp_problem_use_cycles(const swp_problem *problem, const swp_problem_op *op,
                               const swp_problem_use *use);

/* What an amount counts: its weight, or itself where there are no weights. */
int64_t swp_problem_weight(const swp_amount_weights *weights, int64_t amount);

#endif
