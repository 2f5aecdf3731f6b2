/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which barrier intervals two waves on divergent paths may be in at the same time: both behind the same
 * number of barriers.
 */
#ifndef SWP_AUDIT_FLOW_MAY_HAPPEN_IN_PARALLEL_H
#define SWP_AUDIT_FLOW_MAY_HAPPEN_IN_PARALLEL_H

#include "audit/flow/barrier_intervals.h"

/* Waves that lag further, or more pairs, count as any intervals at the same time. */
enum { SWP_MOST_LEAD = SWP_MOST_WAVES, SWP_MOST_PAIRS = 1 << 16 };

/*
 * Where a wave is: behind the barrier of that number, or one of these, counted from the number of
 * barriers. A wave that lags is so many barriers before the branch, from SWP_BEFORE_BRANCH for one on.
 */
enum { SWP_AT_BRANCH, SWP_ENDED, SWP_BEFORE_BRANCH };

/* Two waves between the same two barriers: one that is watched, and one that accesses. */
typedef struct swp_parallel_pair {
    int other;
    int own;
    bool sure;   /* every wave on these paths gets there */
    size_t slot; /* in the set of pairs */
} swp_parallel_pair;

typedef struct swp_parallel_pairs {
    swp_barriers barriers;
    swp_divergent_path other; /* what the watched wave runs */
    swp_divergent_path own;
    swp_parallel_pair *items; /* by where the one that accesses is */
    size_t count;
    size_t capacity;
    uint64_t *set; /* by hash; 0: nothing */
} swp_parallel_pairs;

swp_status swp_flow_parallel_init(swp_fixpoint *fixpoint, swp_parallel_pairs *out);

int swp_flow_parallel_state(const swp_parallel_pairs *pairs, int state);

/* The interval of a wave that is behind the branch; its place is no ENDED or BEFORE one. */
swp_status swp_flow_parallel_interval(swp_parallel_pairs *pairs, swp_divergent_path *path, int at,
                                      const swp_barrier_interval **out);

/*
 * From the branch on, up to where the accessing wave has left its path. `lead`: barriers that the other
 * one is ahead at the branch. `all` is false if there are too many.
 */
swp_status swp_flow_parallel_find(swp_parallel_pairs *pairs, int lead, bool *all);

#endif
