/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of a loop with the fewest cycles with waits (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_CHOOSE_H
#define SWP_PIPELINE_CHOOSE_H

#include "pipeline/candidate.h"

typedef struct swp_pipeline_choice {
    const swp_loop_options *options;
    const swp_loop_and_pipeline *found;
    const swp_loop_and_pipeline *others; /* with other roles, where the loop leaves them open */
    size_t other_count;
    bool cut; /* a limit ended the search for the pipeline */
    swp_pipeline_write write;
} swp_pipeline_choice;

/* The best schedule so far, of all searches of a loop; zero before the first of them. */
typedef struct swp_loop_choice {
    swp_candidate best;
    const swp_pipeline *proof; /* the one of which most is proven */
    struct {
        swp_candidate *items;
        size_t count;
        size_t capacity;
    } tried;
    double fewest; /* cycles of an iteration of all that were written; 0: none was */
    bool whole;    /* no limit cut the last search short */
    bool cut;      /* nor that for its pipeline */
    uint64_t work;
    int solved;
} swp_loop_choice;

/* Goes on from what was found before. The arena of `ctx` is the schedule's. */
swp_status swp_pipeline_choose(swp_context *ctx, const swp_pipeline_choice *choice,
                               swp_loop_choice *so_far);

/* The best schedule with all that is proven, and what is to be said of it; or why there is none. */
swp_status swp_pipeline_hand_out(swp_context *ctx, const swp_loop_options *options,
                                 const swp_loop_choice *choice, swp_schedule **out);

#endif
