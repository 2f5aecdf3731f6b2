/* SPDX-License-Identifier: Apache-2.0 */
/* Sums for each amount of a resource how long it is held. */
#ifndef SWP_SOLVE_HELD_AMOUNTS_H
#define SWP_SOLVE_HELD_AMOUNTS_H

#include "base/context.h"
#include "swp/problem.h"

/* An amount of a resource, and the cycles for which all its uses hold it, as far as they count in a bound. */
typedef struct swp_held_amount {
    int64_t amount;
    int64_t cycles;
} swp_held_amount;

/* The amounts of one resource, ascending. */
typedef struct swp_held_amounts {
    swp_held_amount *items;
    size_t count;
} swp_held_amounts;

/* Makes a list for each resource. */
swp_status swp_solve_held_amounts(swp_context *ctx, const swp_problem *problem,
                                  swp_held_amounts **out);

#endif
