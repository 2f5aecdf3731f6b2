/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel pass of a placement as events that hold each other (docs/simulation.md), and so the
 * cycles of a pass.
 */
#ifndef SWP_SYNC_TIMING_H
#define SWP_SYNC_TIMING_H

#include "solve/max_cycle_ratio.h"
#include "sync/unit_arbitration.h"
#include "sync/wait_requirements.h"

/* A wait of gap `gap`, behind `index` of its barriers, that retires `target` and all older ones. */
typedef struct swp_sync_wait {
    swp_sync_object object;
    int target;
    int gap;
    int index;
} swp_sync_wait;

/* Those of one gap and index stand as they are listed. */
typedef struct swp_sync_wait_list {
    swp_sync_wait *items;
    size_t count;
    size_t capacity;
} swp_sync_wait_list;

/* Synchronisation of a pass: barriers in each gap, waits, and requirements that no wait serves yet. */
typedef struct swp_sync_plan {
    const int *gaps;
    const swp_sync_wait_list *waits;
    const swp_wait_requirement_list *requirements;
} swp_sync_plan;

typedef struct swp_sync_timing {
    const swp_dataflow *flow;
    int groups; /* that are modelled */
    swp_timing_constraint_list constraints;
    size_t fixed; /* constraints that no placement changes */
    int *finish;  /* event of each access's end, less those of the groups before */
    int ends;     /* events of accesses: their ends, with their grants of units behind these */
    int events;
    bool exact; /* groups are granted the units that they share as the barriers say */
    swp_unit_arbiter arbiter;
    swp_ratio_solver solver;
} swp_sync_timing;

/* `groups` 1: one group by itself, which is no slower than with another one beside it. */
swp_status swp_sync_timing_new(swp_context *ctx, const swp_dataflow *flow, int groups,
                               swp_sync_timing *out);

/* Turns to a plan. Where `exact` is false afterwards, groups may hold each other up still more. */
swp_status swp_sync_timing_set(swp_context *ctx, swp_sync_timing *timing,
                               const swp_sync_plan *plan);

/* Whether a pass takes more cycles than the ratio, or not fewer. */
swp_status swp_sync_timing_exceeds(swp_context *ctx, swp_sync_timing *timing, swp_ratio ratio,
                                   swp_ratio_test test, bool *exceeds);

/* The cycles of a pass, or `least` if that is more. */
swp_status swp_sync_timing_ratio(swp_context *ctx, swp_sync_timing *timing, swp_ratio least,
                                 swp_ratio *out);

/* Cycles of a pass in which all groups keep the busiest unit that they share. */
int64_t swp_sync_busiest_unit(const swp_dataflow *flow);

#endif
