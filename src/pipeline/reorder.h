/* SPDX-License-Identifier: Apache-2.0 */
/* Other orders of issue for a pipeline, whose waits cost less (docs/loops-proof.md, "Room for waits"). */
#ifndef SWP_PIPELINE_REORDER_H
#define SWP_PIPELINE_REORDER_H

#include "base/budget.h"
#include "solve/max_cycle_ratio.h"
#include "swp/config.h"
#include "swp/loop.h"

/* A pipeline, and what a step of it takes by the model (pipeline/issue_order.h). */
typedef struct swp_priced {
    swp_pipeline *pipeline;
    swp_ratio cycles;
    const bool *critical; /* values of which more slots may help */
    bool exact;           /* the model knows all that there is to waits */
} swp_priced;

swp_status swp_pipeline_price(swp_context *ctx, const swp_machine *machine, swp_pipeline *pipeline,
                              swp_priced *out);

/*
 * Times of the interval with so many slots, and at most so many stages, in whose order waits cost least of those
 * that a local search finds from the given ones.
 */
swp_status swp_pipeline_reorder(swp_context *ctx, const swp_machine *machine, swp_budget *budget,
                                const swp_priced *given, const int *slots, int stages,
                                swp_priced *out);

/* The same, of its slots and stages, for orders in which waits cost next to nothing: fewer moves, until it is nothing. */
swp_status swp_pipeline_polish(swp_context *ctx, const swp_machine *machine, swp_budget *budget,
                               const swp_priced *given, swp_priced *out);

/* The same order with other numbers of slots; `*enough` is false where it is slower with them. */
swp_status swp_pipeline_with_slots(swp_context *ctx, const swp_machine *machine,
                                   const swp_priced *given, const int *slots, bool *enough,
                                   swp_priced *out);

#endif
