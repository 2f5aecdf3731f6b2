/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers that give every arc its demand. */
#ifndef SWP_SYNC_BARRIERS_H
#define SWP_SYNC_BARRIERS_H

#include "sync/dataflow.h"

/* What an arc or a gap asks of the barriers. */
typedef struct swp_barrier_bound {
    int from;
    int to;
    int at_least; /* barriers before gap `to`, less those before gap `from` of `passes` passes ago */
    int passes;
} swp_barrier_bound;

typedef struct swp_barrier_placer {
    const swp_dataflow *flow;
    swp_barrier_bound *bounds;
    size_t count;
    size_t capacity;
    int *before;    /* barriers before each gap */
    int *floor;     /* barriers that each gap has whatever the arcs ask for */
    uint64_t steps; /* not counted by the deadline yet */
} swp_barrier_placer;

/* Whether a COMPUTE stands on one side of the gap. */
bool swp_sync_is_beside_compute(const swp_dataflow *flow, int gap);

/* `pace` asks for a barrier on each side of every COMPUTE. */
swp_status swp_sync_barrier_placer_new(swp_context *ctx, const swp_dataflow *flow, bool pace,
                                       swp_barrier_placer *out);

/*
 * Whether `sum` barriers a pass can meet all demands where the gaps before `decided` have those of
 * `gaps`. The others then get theirs, as late as they may stand.
 */
bool swp_sync_place_sum(swp_barrier_placer *placer, int sum, int decided, int *gaps);

/* The fewest barriers in each gap of a pass (gap i is before op i), and their sum. */
swp_status swp_sync_place_barriers(swp_context *ctx, swp_barrier_placer *placer, int *gaps,
                                   int *sum);

#endif
