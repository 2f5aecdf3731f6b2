/* SPDX-License-Identifier: Apache-2.0 */
/* Searches from several pipelines of a loop come by the same slots. */
#include "pipeline/issue_models.h"

#include <string.h>

struct swp_slots_model {
    const swp_loop *loop;
    int *slots;
    swp_issue_model *model;
};

swp_status swp_pipeline_issue_model_of(swp_context *ctx, swp_issue_models *models,
                                       const swp_loop *loop, const int *slots,
                                       swp_issue_model **out)
{
    const size_t size = loop->value_count * sizeof *slots;
    struct swp_slots_model added = {.loop = loop};
    for (size_t i = 0; i < models->count; i++) {
        const struct swp_slots_model *known = &models->items[i];
        if (known->loop == loop && memcmp(known->slots, slots, size) == 0) {
            *out = known->model;
            (*out)->ctx = ctx;
            return SWP_OK;
        }
    }
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &added.slots));
    SWP_TRY(SWP_TAKE(ctx, 1, &added.model));
    memcpy(added.slots, slots, size);
    SWP_TRY(swp_pipeline_issue_model_new(ctx, models->machine, loop, slots, added.model));
    *out = added.model;
    return SWP_PUSH(ctx, models, added);
}
