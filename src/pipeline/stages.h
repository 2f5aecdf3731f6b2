/* SPDX-License-Identifier: Apache-2.0 */
/* The times of an iteration's ops from 0 on, and the stages that they are in. */
#ifndef SWP_PIPELINE_STAGES_H
#define SWP_PIPELINE_STAGES_H

#include "base/context.h"
#include "swp/loop.h"

/*
 * The times of an answer to the loop's problem, the first of them moved to 0: a mark of the iteration's begin is no
 * op, and the first op may stand after it.
 */
swp_status swp_pipeline_times_from_zero(swp_context *ctx, const swp_loop *loop,
                                        const int64_t *times, const int64_t **out);

/* How many stages such times come to, INT_MAX if more. */
int swp_pipeline_count_stages(const swp_loop *loop, const int64_t *times, int64_t interval);

/* The stage of each op, where they are not too many to count. */
swp_status swp_pipeline_list_stages(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                    int64_t interval, const int **out);

/* Of two ops in one cycle of a step: the older iteration first, then as the loop has them. */
bool swp_pipeline_ties_before(const int *stage, int a, int b);

/* The ops as a step issues them: by cycle; what has a delay of 0 stands before what depends on it. */
void swp_pipeline_order_step(const swp_pipeline *pipeline, int *ops);

/*
 * The pipeline with other times, of an interval that is no longer, and with so many slots. What is more than before of
 * an objective is not proven least, nor is what comes after it; of another interval nothing is.
 */
swp_status swp_pipeline_retime(swp_context *ctx, const swp_pipeline *given, const int *slots,
                               int64_t interval, const int64_t *times, swp_pipeline *out);

#endif
