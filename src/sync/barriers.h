/* SPDX-License-Identifier: Apache-2.0 */
/* The fewest barriers a pass that give every arc its demand. */
#ifndef SWP_SYNC_BARRIERS_H
#define SWP_SYNC_BARRIERS_H

#include "sync/dataflow.h"

/* Barriers that order a producer before a consumer for every pair of waves (page 2). */
int swp_barrier_demand(const swp_machine *machine);

/*
 * Barriers in each gap of a pass: gap i is before data op i. Least in sum; `pace` asks for one on
 * each side of every COMPUTE.
 */
swp_status swp_place_barriers(swp_context *ctx, const swp_dataflow *flow, bool pace, int *gaps,
                              int *sum);

#endif
