/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search that is kept: the times, slots and roles of the pipeline that it chose, what it proves of them, and what it said. With these the
 * schedule is written and synchronised again, and its waits are proven again (docs/scheduling.md, "One search").
 */
#ifndef SWP_LOWER_KEPT_SEARCH_H
#define SWP_LOWER_KEPT_SEARCH_H

#include "pipeline/candidate.h"

/* What a search began with. */
typedef struct swp_search_start {
    const swp_loop_options *options;
    const swp_loop *loop;
    uint64_t steps; /* of the nominal clock, when it began */
    size_t said;    /* diagnostics before it */
} swp_search_start;

swp_search_start swp_lower_start_search(const swp_context *ctx, const swp_loop_options *options,
                                        const swp_loop *loop);

/* Keeps it, if the context asks for that and its text says all. */
swp_status swp_lower_keep_search(swp_context *ctx, const swp_search_start *start,
                                 const swp_candidate *chosen);

/* The schedule of the search that the context was given; none: it was given none, or none of this loop. */
swp_status swp_lower_take_search(swp_context *ctx, const swp_search_start *start,
                                 swp_schedule **out);

/* The pipeline with the loop in which each op has the role that was found for it. */
swp_status swp_lower_keep_roles(swp_context *ctx, const swp_loop *loop, swp_pipeline *pipeline,
                                swp_loop_and_pipeline *out);

#endif
