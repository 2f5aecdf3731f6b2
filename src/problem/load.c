/* SPDX-License-Identifier: Apache-2.0 */
/* The share of a use in the load of its resource. */
#include "problem/load.h"

#include <stdbool.h>

int64_t swp_problem_use_load(const swp_problem *problem, const swp_problem_op *op,
                             const swp_problem_use *use)
{
    /* A makespan ends with latencies, so that a use may outlast it. */
    const bool outlasts = problem->kind == SWP_PROBLEM_MAKESPAN && use->cycles > op->latency;
    return use->amount * (outlasts ? op->latency : use->cycles);
}
