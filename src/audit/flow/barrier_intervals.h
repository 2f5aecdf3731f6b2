/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a wave runs from one barrier up to the next. Waves on divergent paths synchronise at the same
 * barriers by their number, wherever those stand: while one is in its n-th interval behind the branch, so
 * is the other.
 */
#ifndef SWP_AUDIT_FLOW_BARRIER_INTERVALS_H
#define SWP_AUDIT_FLOW_BARRIER_INTERVALS_H

#include "audit/flow/fixpoint.h"

typedef struct swp_numbers {
    int *items;
    size_t count;
    size_t capacity;
} swp_numbers;

typedef struct swp_barrier_interval {
    swp_numbers issued;           /* events of its LDS accesses */
    swp_numbers next;             /* barriers that may end it */
    swp_numbers in_flight_at_end; /* what may be in flight where it ends the wave */
    bool ends;                    /* it may end the wave */
    bool reconverges;             /* it may reach where the paths of the branch reconverge */
} swp_barrier_interval;

/* All barriers of a function, in every copy of its loops. */
typedef struct swp_barriers {
    swp_fixpoint *fixpoint;
    swp_numbers insns;
    swp_numbers *in_flight; /* by barrier and copy: LDS accesses that may be in flight there */
    bool *in_flight_known;
    int count; /* barriers times copies */
    swp_point scratch;
    int *seen; /* by block and copy: the last interval that reached it */
    int round;
} swp_barriers;

swp_status swp_flow_barriers_find(swp_fixpoint *fixpoint, swp_barriers *out);

swp_status swp_flow_barriers_in_flight(swp_barriers *barriers, int barrier,
                                       const swp_numbers **out);

/* The path of some waves behind a divergent branch, in one copy of its loop. */
typedef struct swp_divergent_path {
    int block; /* that ends with the branch */
    int side;
    int copy;
    swp_wave_set waves;
    const bool *within; /* blocks up to the reconvergence; NULL: it is followed past that */
    swp_barrier_interval *start;      /* behind the branch; NULL: not asked for yet */
    swp_barrier_interval **intervals; /* by barrier: behind it */
} swp_divergent_path;

/* The interval behind a barrier; `barrier` -1: behind the branch. */
swp_status swp_flow_path_interval(swp_barriers *barriers, swp_divergent_path *path, int barrier,
                                  const swp_barrier_interval **out);

#endif
