/* SPDX-License-Identifier: Apache-2.0 */
/* The placement of barriers and waits that takes the fewest cycles a pass (docs/scheduling.md). */
#ifndef SWP_SYNC_SEARCH_H
#define SWP_SYNC_SEARCH_H

#include "base/budget.h"
#include "sync/measure.h"

typedef struct swp_sync_search {
    swp_context *ctx;
    const swp_dataflow *flow;
    swp_barrier_placer placer;
    swp_budget *budget;
    int most_barriers;
    swp_sync_meter meter;
    int *gaps;                /* of the best placement so far */
    swp_sync_wait_list waits; /* of it */
    swp_sync_cost best;
    bool exact; /* its cycles are those of the kernel phase, whatever stands before it */
    /* While exploring: */
    swp_sync_cost target; /* only what costs less counts */
    uint64_t effort;      /* steps that are left */
    bool cut;             /* the effort or the budget has ended */
    swp_sync_wait_list fitted;
    swp_sync_cost open; /* least bound of a placement whose cost is not known exactly */
    /* What came of it: */
    swp_ratio bound; /* no placement takes fewer cycles */
    bool optimal;    /* fewest cycles, and of these fewest barriers */
} swp_sync_search;

/* More than any. */
swp_sync_cost swp_sync_no_cost(void);

/*
 * From `gaps`, a placement that is enough: the best one with up to `most_barriers` barriers, and how
 * far from the best it can be. Ends early with the budget.
 */
swp_status swp_sync_search_best(swp_sync_search *search);

/* A step of exploring; false when effort or budget have ended. */
bool swp_sync_search_step(swp_sync_search *search);

/*
 * Keeps a placement that costs less than the best so far, with its waits. The meter has just
 * measured it.
 */
swp_status swp_sync_search_keep(swp_sync_search *search, const int *gaps,
                                const swp_sync_wait_list *waits, swp_sync_cost cost);

#endif
