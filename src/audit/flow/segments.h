/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a wave runs from one barrier up to the next. Waves that a branch leads different ways meet at
 * the same barriers by their number, wherever those stand: while one is in its n-th segment behind the
 * branch, so is the other.
 */
#ifndef SWP_AUDIT_FLOW_SEGMENTS_H
#define SWP_AUDIT_FLOW_SEGMENTS_H

#include "audit/flow/fixpoint.h"

typedef struct swp_numbers {
    int *items;
    size_t count;
    size_t capacity;
} swp_numbers;

typedef struct swp_segment {
    swp_numbers issued; /* events of its LDS accesses */
    swp_numbers next;   /* barriers that may end it */
    swp_numbers left;   /* events of LDS accesses that may be in flight where it ends the wave */
    bool ends;          /* it may end the wave */
    bool leaves;        /* it may come to where the ways of the branch meet */
} swp_segment;

/* All barriers of a function, in every copy of its loops. */
typedef struct swp_barriers {
    swp_trace *trace;
    swp_numbers insns;
    swp_numbers *held; /* by barrier and copy: LDS accesses that may be in flight there */
    bool *held_known;
    int count; /* barriers times copies */
    swp_point scratch;
    int *seen; /* by block and copy: the last segment that came there */
    int round;
} swp_barriers;

swp_status swp_flow_barriers_find(swp_trace *trace, swp_barriers *out);

swp_status swp_flow_barriers_held(swp_barriers *barriers, int barrier, const swp_numbers **out);

/* The way that a branch leads some waves, in one copy of its loop. */
typedef struct swp_way {
    int block; /* that ends with the branch */
    int side;
    int copy;
    swp_wave_set waves;
    const bool *within;     /* blocks up to where the ways meet; NULL: it is followed past that */
    swp_segment *start;     /* behind the branch; NULL: not asked for yet */
    swp_segment **segments; /* by barrier: behind it */
} swp_way;

/* The segment behind a barrier; `barrier` -1: behind the branch. */
swp_status swp_flow_way_segment(swp_barriers *barriers, swp_way *way, int barrier,
                                const swp_segment **out);

#endif
