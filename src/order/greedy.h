/* SPDX-License-Identifier: Apache-2.0 */
/* Seeds the exact search with a greedy order of the body, if there is one. */
#ifndef SWP_ORDER_GREEDY_H
#define SWP_ORDER_GREEDY_H

#include "swp/solve.h"

/*
 * Does what swp_greedy_schedule() does, but a body without a greedy order is no error: `*found` is
 * then false.
 */
swp_status swp_order_greedy_seed(swp_context *ctx, const swp_loop_body *body, int halves,
                                 int blocks_per_half, swp_order *order, bool *found);

#endif
