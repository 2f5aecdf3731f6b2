/* SPDX-License-Identifier: Apache-2.0 */
/* Finds accesses that together exceed their counter, by the times of a refuter (pipeline/order_refuter.h). */
#ifndef SWP_PIPELINE_ORDER_OVERFULL_H
#define SWP_PIPELINE_ORDER_OVERFULL_H

#include "pipeline/order_refuter.h"

/* The oldest access and all between leave no room for the newest one. */
typedef struct swp_overfull {
    int oldest;
    int newest;
    int64_t steps;         /* from the issue of the oldest one to that of the newest */
    swp_order_pair *loose; /* two of them whose order is not fixed yet; NULL: none */
} swp_overfull;

/*
 * Finds such accesses that issue before the oldest one has ended, and takes the earliest; returns
 * false if there are none.
 */
bool swp_pipeline_find_overfull(swp_order_refuter *refuter, swp_overfull *out);

#endif
