/* SPDX-License-Identifier: Apache-2.0 */
/* Composes schedules between A and B: A with some of the differences taken from B. */
#ifndef SWP_DIFF_COMPOSE_H
#define SWP_DIFF_COMPOSE_H

#include "diff/words.h"

/*
 * Numbers the differences: first the settings, then the rows of the three phases of each role. An
 * op that moved is the row of its place in B.
 */
typedef struct swp_diff_choice {
    const swp_diff *diff;
    const swp_diff_cost_list *costs;
    const swp_diff_objects *objects;
    bool *from_b; /* by number of the difference */
    size_t count;
    bool varies_b; /* it is B less some differences, not A with some */
} swp_diff_choice;

swp_status swp_diff_choice_new(swp_context *ctx, const swp_diff *diff,
                               const swp_diff_cost_list *costs, const swp_diff_objects *objects,
                               swp_diff_choice *out);

/* Returns the number of the first row of a phase of a role. */
size_t swp_diff_first_row(const swp_diff *diff, size_t role, swp_phase phase);

/* The entries of A and B that an entry comes from; -1: none. */
typedef struct swp_diff_origin {
    int a;
    int b;
} swp_diff_origin;

/* The origins of the entries of each phase, and of its end. */
typedef struct swp_diff_origins {
    swp_diff_origin *of[SWP_DRAIN + 1];
} swp_diff_origins;

typedef struct swp_diff_composed {
    swp_schedule schedule;
    swp_diff_origins *origins; /* by stream */
} swp_diff_composed;

/* Composes the schedule of a choice. It has A's loop, and A's members that no judge reads. */
swp_status swp_diff_compose(swp_context *ctx, const swp_diff_choice *choice,
                            swp_diff_composed *out);

#endif
