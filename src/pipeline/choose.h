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
    const swp_loop_and_pipeline *longer; /* what less work would have ended with */
    size_t longer_count;
    bool cut; /* a limit ended the search for the pipeline, which is told of what is handed out */
    swp_pipeline_write write;
} swp_pipeline_choice;

/* The arena of `ctx` is the schedule's. Returns the status of what was chosen. */
swp_status swp_pipeline_choose(swp_context *ctx, const swp_pipeline_choice *choice,
                               swp_candidate *out);

#endif
