/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of a pipeline whose waits cost least (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_CHOOSE_H
#define SWP_PIPELINE_CHOOSE_H

#include "base/context.h"
#include "swp/loop_compile.h"

/* A pipeline, and the loop in which each op has the role that it has there. */
typedef struct swp_loop_and_pipeline {
    const swp_loop *loop; /* lives as long as the schedule */
    swp_pipeline *pipeline;
} swp_loop_and_pipeline;

/* Writes a pipeline as a schedule with its synchronisation, of which the cycles are the price. */
typedef swp_status (*swp_pipeline_write)(swp_context *ctx, const swp_loop_options *options,
                                         const swp_loop_and_pipeline *given, swp_schedule *out);

typedef struct swp_pipeline_choice {
    const swp_loop_options *options;
    const swp_loop_and_pipeline *found;
    const swp_loop_and_pipeline *others; /* with other roles, where the loop leaves them open */
    size_t other_count;
    bool cut; /* a limit ended the search for the pipeline, which is told of what is handed out */
    swp_pipeline_write write;
} swp_pipeline_choice;

/* The arena of `ctx` is the schedule's. */
swp_status swp_pipeline_choose(swp_context *ctx, const swp_pipeline_choice *choice,
                               swp_schedule **out);

#endif
