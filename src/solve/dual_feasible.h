/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dual feasible function weighs the amounts that are held of a resource: amounts that fit the
 * capacity together weigh at most `most`. Of 15 units an amount of 8 weighs 1 of 1, since no two of
 * them fit.
 */
#ifndef SWP_SOLVE_DUAL_FEASIBLE_H
#define SWP_SOLVE_DUAL_FEASIBLE_H

#include "solve/held_amounts.h"

typedef struct swp_weights_list {
    swp_amount_weights *items;
    size_t count;
    size_t capacity;
} swp_weights_list;

/*
 * Raises `*bound` to the cycles that the heaviest weights need, and sets `out` to these weights. If
 * no weights need more, both stay as they are.
 */
swp_status swp_solve_weigh(swp_context *ctx, int64_t capacity, const swp_held_amounts *held,
                           int64_t *bound, swp_amount_weights *out);

/* Adds the weights of the coarsest functions, each once: they tell halves and thirds of the capacity apart. */
swp_status swp_solve_coarse_weights(swp_context *ctx, int64_t capacity,
                                    const swp_held_amounts *held, swp_weights_list *out);

#endif
