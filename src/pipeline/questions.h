/* SPDX-License-Identifier: Apache-2.0 */
/* Asks whether a loop has a pipeline within limits (docs/loops.md, "Slots"). */
#ifndef SWP_PIPELINE_QUESTIONS_H
#define SWP_PIPELINE_QUESTIONS_H

#include "pipeline/search.h"

/* Raises `least`, and tries the pipeline in which each value of a space has no more than that. */
swp_status swp_pipeline_raise_least(swp_loop_search *search, swp_space space,
                                    const swp_loop_limits *limits);

/*
 * Looks for a pipeline of the interval within the limits and the room. If `*exists` is false and
 * `*proven` true, there is none.
 */
swp_status swp_pipeline_better(swp_loop_search *search, const swp_loop_limits *limits, bool *exists,
                               bool *proven);

#endif
