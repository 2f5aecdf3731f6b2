/* SPDX-License-Identifier: Apache-2.0 */
/* The edits that may remove a hazard, the most natural ones first. */
#ifndef SWP_VERIFY_CANDIDATES_H
#define SWP_VERIFY_CANDIDATES_H

#include "verify/edit.h"

typedef struct swp_edit_list {
    swp_edit *items;
    size_t count;
    size_t capacity;
} swp_edit_list;

swp_status swp_candidates_find(swp_context *ctx, const swp_schedule *schedule,
                               const swp_hazard *hazard, swp_edit_list *out);

#endif
