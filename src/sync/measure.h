/* SPDX-License-Identifier: Apache-2.0 */
/* What a placement of barriers costs. */
#ifndef SWP_SYNC_MEASURE_H
#define SWP_SYNC_MEASURE_H

#include "sync/barriers.h"
#include "sync/timing.h"

/* Cycles a pass; barriers break ties. */
typedef struct swp_sync_cost {
    swp_ratio cycles;
    int barriers;
} swp_sync_cost;

int swp_sync_cost_compare(swp_sync_cost a, swp_sync_cost b);

typedef struct swp_sync_meter {
    bool mixes_objects; /* a wait is for more than one, so the waits tried are not all there are */
    const swp_dataflow *flow;
    swp_retired retired;
    swp_sync_timing alone; /* one group */
    swp_sync_timing whole; /* all groups */
    swp_ratio busiest;
    swp_wait_requirement_list requirements; /* of the last placement */
    swp_sync_wait_list waits;               /* for them, each as late as it may stand */
    bool exact; /* no other waits but those of swp_sync_fit_waits() can be faster than these */
} swp_sync_meter;

swp_status swp_sync_meter_new(swp_context *ctx, const swp_dataflow *flow, swp_sync_meter *out);

/*
 * Whether a placement whose gaps before `decided` have their barriers, and the others at least those
 * of `gaps`, can still cost less than `best`.
 */
swp_status swp_sync_can_beat(swp_context *ctx, swp_sync_meter *meter, const int *gaps, int decided,
                             swp_sync_cost best, bool *can);

/* A bound on the cycles of such placements. */
swp_status swp_sync_bound_cycles(swp_context *ctx, swp_sync_meter *meter, const int *gaps,
                                 int decided, swp_ratio *out);

/*
 * The cost of a whole placement with its waits as late as they may stand. Does not ask further once
 * it is clear that it is not less than `best`: then `*less` is false.
 */
swp_status swp_sync_measure(swp_context *ctx, swp_sync_meter *meter, const int *gaps,
                            swp_sync_cost best, bool *less, swp_sync_cost *out);

/* The cycles of a pass with such waits. */
swp_status swp_sync_measure_waits(swp_context *ctx, swp_sync_meter *meter, const int *gaps,
                                  const swp_sync_wait_list *waits, swp_ratio *out);

#endif
