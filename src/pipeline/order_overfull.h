/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that together are more than their counter holds, by the times of a refuter (pipeline/order_refuter.h). */
#ifndef SWP_PIPELINE_ORDER_OVERFULL_H
#define SWP_PIPELINE_ORDER_OVERFULL_H

#include "pipeline/order_refuter.h"

/* With the oldest one, and all between, there is no room for the newest. */
typedef struct swp_overfull {
    int oldest;
    int newest;
    int64_t steps;         /* from the issue of the oldest one to that of the newest */
    swp_order_pair *loose; /* two of them that may still be issued in another order; NULL: none */
} swp_overfull;

/* Of those that issue before the oldest one has ended, the earliest; false if there are none. */
bool swp_pipeline_find_overfull(swp_order_refuter *refuter, swp_overfull *out);

#endif
