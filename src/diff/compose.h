/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules between A and B: A with some of the differences taken from B. */
#ifndef SWP_DIFF_COMPOSE_H
#define SWP_DIFF_COMPOSE_H

#include "diff/words.h"

/*
 * Differences are numbered: the settings, then the rows of the three phases of each role. An op that moved is the
 * row of its place in B.
 */
typedef struct swp_diff_choice {
    const swp_diff *diff;
    const swp_diff_cost_list *costs;
    const swp_diff_objects *objects;
    bool *from_b; /* by number */
    size_t count;
    bool varies_b; /* it is B less some differences, not A with some */
} swp_diff_choice;

swp_status swp_diff_choice_new(swp_context *ctx, const swp_diff *diff,
                               const swp_diff_cost_list *costs, const swp_diff_objects *objects,
                               swp_diff_choice *out);

/* The number of the first row of a phase of a role. */
size_t swp_diff_first_row(const swp_diff *diff, size_t role, swp_phase phase);

/* Which entries of A and B an entry is: -1 where there is none. */
typedef struct swp_diff_origin {
    int a;
    int b;
} swp_diff_origin;

/* Of the entries of each phase, and of its end. */
typedef struct swp_diff_origins {
    swp_diff_origin *of[SWP_DRAIN + 1];
} swp_diff_origins;

typedef struct swp_diff_composed {
    swp_schedule schedule;
    swp_diff_origins *origins; /* by stream */
} swp_diff_composed;

/* The schedule of a choice. Loop and all that no judge reads are A's. */
swp_status swp_diff_compose(swp_context *ctx, const swp_diff_choice *choice,
                            swp_diff_composed *out);

#endif
