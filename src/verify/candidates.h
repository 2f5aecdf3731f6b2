/* SPDX-License-Identifier: Apache-2.0 */
/* The edits that may remove a hazard, the most natural ones first. */
#ifndef SWP_VERIFY_CANDIDATES_H
#define SWP_VERIFY_CANDIDATES_H

#include "verify/trial.h"

typedef struct swp_edit_list {
    swp_edit *items;
    size_t count;
    size_t capacity;
    size_t
        most; /* that it takes: there are as many as pairs of entries, and those beyond hardly ever help */
} swp_edit_list;

static inline bool swp_edits_full(const swp_edit_list *list)
{
    return list->count >= list->most;
}

/* Leaves the edit out if the list is full. */
static inline swp_status swp_edits_push(swp_context *ctx, swp_edit_list *list, swp_edit edit)
{
    return swp_edits_full(list) ? SWP_OK : SWP_PUSH(ctx, list, edit);
}

/* Of all lists of the run that shows the hazard, or of the form that has it. */
swp_status swp_verify_candidates_find(swp_context *ctx, const swp_trials *trials,
                                      const swp_hazard *hazard, swp_edit_list *out);

#endif
