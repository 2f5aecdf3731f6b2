/* SPDX-License-Identifier: Apache-2.0 */
/* Two waves on divergent paths: what the one accesses, and what the other has in flight. */
#ifndef SWP_AUDIT_FLOW_CONCURRENT_ACCESSES_H
#define SWP_AUDIT_FLOW_CONCURRENT_ACCESSES_H

#include "audit/flow/conflicts.h"
#include "audit/flow/may_happen_in_parallel.h"

/* An access that the other wave may have in flight. */
typedef struct swp_activity {
    int round;   /* in which this holds */
    bool sure;   /* it is in flight */
    bool issued; /* at this time, not before */
} swp_activity;

typedef struct swp_concurrency {
    swp_fixpoint *fixpoint;
    const swp_lags *lags;
    swp_conflict_list *out;
    swp_parallel_pairs pairs;
    int block; /* that ends with the branch */
    int copy;
    bool *on[2];          /* blocks on each path, up to the reconvergence */
    swp_point end;        /* of the block */
    int lead;             /* barriers that the other wave is ahead of this one at the branch */
    bool any_lead;        /* nobody knows how many */
    swp_activity *active; /* by event */
    swp_numbers actives;
    int round;
    int *blocks; /* by event: where it is */
} swp_concurrency;

const swp_insn *swp_flow_concurrent_insn(const swp_concurrency *w, int event);

/* The block of an access. */
int swp_flow_concurrent_block(const swp_concurrency *w, int event);

/* Notes an access of the other wave for this round. */
swp_status swp_flow_concurrent_mark_active(swp_concurrency *w, int event, bool sure, bool issued);

/* What it may not have done so many barriers before the branch. */
swp_status swp_flow_concurrent_mark_before(swp_concurrency *w, int barriers, bool sure);

/* All that it may have in flight in the interval where it is. */
swp_status swp_flow_concurrent_mark_interval(swp_concurrency *w, int at, bool sure);

/* Compares each of these with each that was noted. */
swp_status swp_flow_concurrent_compare_actives(const swp_concurrency *w, const swp_numbers *issued);

#endif
