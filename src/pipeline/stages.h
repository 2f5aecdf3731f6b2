/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the times of an iteration's ops to begin at 0, and finds their stages. */
#ifndef SWP_PIPELINE_STAGES_H
#define SWP_PIPELINE_STAGES_H

#include "base/context.h"
#include "swp/loop.h"

/*
 * Takes the times of an answer to the loop's problem, and moves the first one to 0. The mark of the
 * iteration's begin is no op, so the first op may stand after it.
 */
swp_status swp_pipeline_times_from_zero(swp_context *ctx, const swp_loop *loop,
                                        const int64_t *times, const int64_t **out);

/* Returns how many stages such times have; INT_MAX if they are more. */
int swp_pipeline_count_stages(const swp_loop *loop, const int64_t *times, int64_t interval);

/* Lists the stage of each op, if they are not too many to count. */
swp_status swp_pipeline_list_stages(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                    int64_t interval, const int **out);

/* Orders two ops in one cycle of a step: the older iteration first, then as the loop has them. */
bool swp_pipeline_ties_before(const int *stage, int a, int b);

/* Lists the ops as a step issues them: by cycle; a producer with a delay of 0 stands before its consumers. */
void swp_pipeline_order_step(const swp_pipeline *pipeline, int *ops);

/* Returns how much the pipeline has of what an objective minimises. */
int64_t swp_pipeline_amount_of(const swp_pipeline *pipeline, swp_objective objective);

/*
 * Gives the pipeline other times, at another interval or the same, and so many slots. An objective
 * that grows is not proven least, nor is any after it, and at another interval none is: but what has the fewest slots of all
 * is least at any. A longer interval is not proven least either.
 */
swp_status swp_pipeline_retime(swp_context *ctx, const swp_pipeline *given, const int *slots,
                               int64_t interval, const int64_t *times, swp_pipeline *out);

#endif
