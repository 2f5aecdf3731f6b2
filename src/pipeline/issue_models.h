/* SPDX-License-Identifier: Apache-2.0 */
/* The models of a loop by their slots, each with what it has priced so far. */
#ifndef SWP_PIPELINE_ISSUE_MODELS_H
#define SWP_PIPELINE_ISSUE_MODELS_H

#include "pipeline/issue_model.h"

typedef struct swp_issue_models {
    const swp_machine *machine;
    struct swp_slots_model *items;
    size_t count;
    size_t capacity;
} swp_issue_models;

/* Finds or makes the model of so many slots. Until the next call it takes memory and limits from this context. */
swp_status swp_pipeline_issue_model_of(swp_context *ctx, swp_issue_models *models,
                                       const swp_loop *loop, const int *slots,
                                       swp_issue_model **out);

#endif
