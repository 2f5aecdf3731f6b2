/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for orders of issue of a pipeline whose waits cost less (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_REORDER_H
#define SWP_PIPELINE_REORDER_H

#include "base/budget.h"
#include "pipeline/issue_models.h"
#include "swp/config.h"
#include "swp/loop.h"

/* A pipeline, and what its step takes by the model (pipeline/issue_order.h). */
typedef struct swp_priced {
    swp_pipeline *pipeline;
    swp_ratio cycles;
    const bool *critical; /* values of which more slots may help */
    bool exact;           /* the model covers all that waits do */
} swp_priced;

swp_status swp_pipeline_price(swp_context *ctx, swp_issue_models *models, swp_pipeline *pipeline,
                              swp_priced *out);

/*
 * Searches locally from the given times for an order whose waits cost least. It gives times of the
 * same interval, with these slots and at most so many stages.
 */
swp_status swp_pipeline_reorder(swp_context *ctx, swp_issue_models *models, swp_budget *budget,
                                const swp_priced *given, const int *slots, int stages,
                                swp_priced *out);

/*
 * Does the same with its own slots and stages, for a pipeline whose waits cost almost nothing:
 * fewer moves, until they cost nothing.
 */
swp_status swp_pipeline_polish(swp_context *ctx, swp_issue_models *models, swp_budget *budget,
                               const swp_priced *given, swp_priced *out);

/* Tries the same order with other slots; `*enough` is false if it is slower with them. */
swp_status swp_pipeline_with_slots(swp_context *ctx, swp_issue_models *models,
                                   const swp_priced *given, const int *slots, bool *enough,
                                   swp_priced *out);

#endif
