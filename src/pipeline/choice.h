/* SPDX-License-Identifier: Apache-2.0 */
/* What is looked for among the pipelines of a loop, and kept: between choose.c and choose_slots.c. */
#ifndef SWP_PIPELINE_CHOICE_H
#define SWP_PIPELINE_CHOICE_H

#include "pipeline/choose.h"
#include "pipeline/issue_models.h"

typedef struct swp_choice {
    swp_context *ctx;
    const swp_pipeline_choice *asked;
    const swp_loop_and_pipeline *given; /* as it was found, with the roles of the best one */
    swp_candidate best;
    swp_candidate rival; /* the best one before another pipeline was gone on from; none at first */
    struct {
        swp_candidate *items;
        size_t count;
        size_t capacity;
    } tried;
    swp_issue_models models;
    double fewest;    /* cycles of an iteration of all that were written; 0: none was */
    int64_t interval; /* the least of all pipelines */
    bool whole;       /* no limit cut it short */
} swp_choice;

/* Whether the best one is a schedule, the limits leave time for another, and that could take fewer cycles. */
bool swp_pipeline_may_be_less(swp_choice *choice);

/* The same where loads are late, as in swp_pipeline_write. */
bool swp_pipeline_may_be_less_late(swp_choice *choice);

/* Whether the limits leave time for more than what has to be done. */
bool swp_pipeline_has_time(swp_choice *choice);

/* The better one of a pipeline, written out, and the best so far. What cannot be completed is none. */
swp_status swp_pipeline_try(swp_choice *choice, const swp_loop *loop, swp_pipeline *pipeline,
                            swp_loop_part part);

/* With warp roles: slots that save waits, and fewer slots where they save none. */
swp_status swp_pipeline_choose_slots(swp_choice *choice);

/* Slots of unlike numbers that make a long pass become alike, where there is room and cycles come first. */
swp_status swp_pipeline_shorten_pass(swp_choice *choice);

#endif
