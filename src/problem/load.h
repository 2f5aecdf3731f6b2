/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SWP_PROBLEM_LOAD_H
#define SWP_PROBLEM_LOAD_H

#include "swp/problem.h"

/* What a use counts in SWP_BOUND_RESOURCE. */
int64_t swp_problem_use_load(const swp_problem *problem, const swp_problem_op *op,
                             const swp_problem_use *use);

#endif
