/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which segments two waves on different ways of a branch may be in at the same time: both behind the
 * same number of barriers.
 */
#ifndef SWP_AUDIT_FLOW_PAIRS_H
#define SWP_AUDIT_FLOW_PAIRS_H

#include "audit/flow/segments.h"

/* Waves that lag further, or more pairs, count as any segments at the same time. */
enum { SWP_MOST_LEAD = SWP_MOST_WAVES, SWP_MOST_PAIRS = 1 << 16 };

/*
 * Where a wave is: behind the barrier of that number, or one of these, counted from the number of
 * barriers. A wave that lags is so many barriers before the branch, from SWP_BEFORE_BRANCH for one on.
 */
enum { SWP_AT_BRANCH, SWP_ENDED, SWP_BEFORE_BRANCH };

/* Two waves between the same two barriers: one that is watched, and one that accesses. */
typedef struct swp_pair {
    int other;
    int own;
    bool sure;   /* every wave on these ways comes to be there */
    size_t slot; /* in the set of pairs */
} swp_pair;

typedef struct swp_pairs {
    swp_barriers barriers;
    swp_way other; /* what the watched wave runs */
    swp_way own;
    swp_pair *items; /* by where the one that accesses is */
    size_t count;
    size_t capacity;
    uint64_t *set; /* by hash; 0: nothing */
} swp_pairs;

swp_status swp_flow_pairs_init(swp_trace *trace, swp_pairs *out);

int swp_flow_pairs_state(const swp_pairs *pairs, int state);

/* The segment of a wave that is behind the branch; its place is no ENDED or BEFORE one. */
swp_status swp_flow_pairs_segment(swp_pairs *pairs, swp_way *way, int at, const swp_segment **out);

/*
 * From the branch on, up to where the accessing wave is past its way. `lead`: barriers that the other
 * one is ahead at the branch. `all` is false if there are too many.
 */
swp_status swp_flow_pairs_find(swp_pairs *pairs, int lead, bool *all);

#endif
