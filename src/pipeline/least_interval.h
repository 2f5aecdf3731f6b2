/* SPDX-License-Identifier: Apache-2.0 */
/* swp_pipeline_loop(), for whoever goes on from what a limit left open. */
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
 * Without a warning: `*cut` is whether a limit left anything open.
 * @param others  of a loop that leaves roles open: pipelines of the same interval with other roles; NULL: nobody asks
 */
swp_status swp_pipeline_find(swp_context *ctx, const swp_loop *loop, swp_pipeline *out,
                             swp_pipeline_list *others, bool *cut);

/* Whether anything of it is not proven least. */
bool swp_pipeline_is_open(const swp_pipeline *pipeline);

/* Says so of what is handed out, unless nothing is open any more. */
swp_status swp_pipeline_warn_of_stop(swp_context *ctx, const swp_pipeline *pipeline);

#endif
