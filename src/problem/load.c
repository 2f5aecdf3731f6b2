/* SPDX-License-Identifier: Apache-2.0 */
/* Says for how long, and as how much, a use counts in the load of its resource. */
#include "problem/load.h"

#include <stdbool.h>

int64_t swp_problem_use_cycles(const swp_problem *problem, const swp_problem_op *op,
                               const swp_problem_use *use)
{
    /* A makespan ends with the latencies, so a use may outlast it. */
    const bool outlasts = problem->kind == SWP_PROBLEM_MAKESPAN && use->cycles > op->latency;
    return outlasts ? op->latency : use->cycles;
}

int64_t swp_problem_weight(const swp_amount_weights *weights, int64_t amount)
{
    size_t low = 0;
    size_t high = weights->count;
    if (weights->count == 0)
        return amount;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (weights->items[middle].amount <= amount)
            low = middle;
        else
            high = middle;
    }
    return weights->items[low].amount == amount ? weights->items[low].weight : 0;
}
