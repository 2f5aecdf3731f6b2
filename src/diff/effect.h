/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the judges about A, B and what lies between, and finds what one has more than the other. */
#ifndef SWP_DIFF_EFFECT_H
#define SWP_DIFF_EFFECT_H

#include "diff/compose.h"

/* A schedule and what the judges say of it. */
typedef struct swp_diff_measure {
    swp_diff_side side;
    int barriers; /* entries */
    int waits;
    int tiles; /* K tiles or iterations of a pass */
} swp_diff_measure;

/* Judges A or B. Diagnostics of the judges become the reasons why a side has no figures. */
swp_status swp_diff_measure_side(swp_context *ctx, const swp_diff *diff, bool is_b,
                                 const swp_simulate_options *options, swp_diff_measure *out);

/* Judges the schedule of a choice in the same way, without keeping it. */
swp_status swp_diff_measure_choice(swp_context *ctx, const swp_diff_choice *choice,
                                   const swp_simulate_options *options, swp_diff_measure *out);

/* Finds what the second has more than the first. */
swp_status swp_diff_find_effect(swp_context *ctx, const swp_diff_measure *before,
                                const swp_diff_measure *after, swp_diff_effect *out);

#endif
