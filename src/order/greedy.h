/* SPDX-License-Identifier: Apache-2.0 */
/* A first order of a body for the exact search, if greedy finds one. */
#ifndef SWP_ORDER_GREEDY_H
#define SWP_ORDER_GREEDY_H

#include "swp/solve.h"

/*
 * As swp_greedy_schedule(), but a body that greedy cannot order is no error: `found` is false then.
 */
swp_status swp_order_greedy_seed(swp_context *ctx, const swp_loop_body *body, int halves,
                                 int blocks_per_half, swp_order *order, bool *found);

#endif
