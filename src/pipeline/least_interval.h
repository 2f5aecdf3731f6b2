/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds a loop's pipeline for callers that go on from what a limit left open, as
 * swp_pipeline_loop() does not.
 */
#ifndef SWP_PIPELINE_LEAST_INTERVAL_H
#define SWP_PIPELINE_LEAST_INTERVAL_H

#include "base/context.h"
#include "swp/loop.h"

typedef struct swp_pipeline_list {
    swp_pipeline *items;
    size_t count;
    size_t capacity;
} swp_pipeline_list;

/*
 * Does what swp_pipeline_loop() does, without a warning: `*cut` says whether a limit left anything
 * open.
 * @param others  gets pipelines of the same interval with other roles, if the loop leaves roles
 * open; may be NULL
 * @param longer  gets what less work would have ended with, of longer intervals, if all roles are known; may be NULL
 */
swp_status swp_pipeline_find(swp_context *ctx, const swp_loop *loop, swp_pipeline *out,
                             swp_pipeline_list *others, swp_pipeline_list *longer, bool *cut);

/* Returns whether anything of it is not proven least. */
bool swp_pipeline_is_open(const swp_pipeline *pipeline);

/* Warns that a limit left the pipeline open, unless nothing is open any more. */
swp_status swp_pipeline_warn_of_stop(swp_context *ctx, const swp_pipeline *pipeline);

#endif
