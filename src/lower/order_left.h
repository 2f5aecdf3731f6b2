/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for an order of issue by trying to refute that there is one (lower/order_refuter.h). */
#ifndef SWP_LOWER_ORDER_LEFT_H
#define SWP_LOWER_ORDER_LEFT_H

#include "lower/order_refuter.h"

/*
 * An order that is left where so many cycles a step are not refuted; `out` is as large as the loop. What the refuter does
 * not look at may make it take more, mostly as ops of the same cycle are issued one after the other. The outcome of the
 * refuter says whether there is none.
 */
swp_status swp_lower_find_order(swp_order_refuter *refuter, int64_t period, swp_issue_order *out,
                                bool *found);

#endif
