/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights of the amounts that are held of a resource, such that what fits its capacity comes to no more than
 * `most`: a dual feasible function. Of 15 units an amount of 8 weighs 1 of 1, since no two of them fit.
 */
#ifndef SWP_SOLVE_DUAL_FEASIBLE_H
#define SWP_SOLVE_DUAL_FEASIBLE_H

#include "base/context.h"
#include "swp/problem.h"

/* An amount of a resource, and the cycles for which all its uses hold it. */
typedef struct swp_held_amount {
    int64_t amount;
    int64_t cycles;
} swp_held_amount;

/*
 * Raises `*bound` to the cycles that the heaviest weights need, and sets `out` to these; leaves both where none
 * needs more.
 * @param held  amounts that ascend, of at least a cycle each
 */
swp_status swp_solve_weigh(swp_context *ctx, int64_t capacity, const swp_held_amount *held,
                           size_t count, int64_t *bound, swp_amount_weights *out);

#endif
