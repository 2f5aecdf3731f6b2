/* SPDX-License-Identifier: Apache-2.0 */
/* What the judges say of A, of B and of what lies between, and what one has more than the other. */
#ifndef SWP_DIFF_EFFECT_H
#define SWP_DIFF_EFFECT_H

#include "diff/compose.h"

/* A schedule and what the judges say of it. */
typedef struct swp_diff_measure {
    swp_diff_side side;
    int barriers; /* entries */
    int waits;
    int tiles; /* of a pass */
} swp_diff_measure;

/* What the judges say of A or B; their diagnostics become the reasons why they say nothing. */
swp_status swp_diff_measure_side(swp_context *ctx, const swp_diff *diff, bool is_b,
                                 const swp_simulate_options *options, swp_diff_measure *out);

/* The same of the schedule of a choice, which is not kept. */
swp_status swp_diff_measure_choice(swp_context *ctx, const swp_diff_choice *choice,
                                   const swp_simulate_options *options, swp_diff_measure *out);

/* What the second has more than the first. */
swp_status swp_diff_find_effect(swp_context *ctx, const swp_diff_measure *before,
                                const swp_diff_measure *after, swp_diff_effect *out);

#endif
