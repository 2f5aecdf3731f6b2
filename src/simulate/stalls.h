/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up what holds the entries of kernel passes. */
#ifndef SWP_SIMULATE_STALLS_H
#define SWP_SIMULATE_STALLS_H

#include "base/key_index.h"
#include "simulate/engine.h"

typedef struct swp_sim_stalls {
    swp_context *ctx;
    swp_stall_list list;
    swp_key_index index; /* of the list, by all but the cycles */
} swp_sim_stalls;

/* A listener's `delay`; `user` is a swp_sim_stalls. */
swp_status swp_simulate_stalls_add(void *user, const swp_sim_delay *delay);

void swp_simulate_stalls_sort(swp_sim_stalls *stalls);

#endif
