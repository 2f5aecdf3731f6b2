/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file explain.h  Why each wait and barrier of a schedule stands where it does.
 */
#ifndef SWP_EXPLAIN_H
#define SWP_EXPLAIN_H

#include "swp/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A wait or barrier, and what would go wrong without it. */
typedef struct swp_explanation {
    swp_entry_ref at;
    swp_hazard_list needs; /**< hazards that appear without it; none: no dependence needs it */
} swp_explanation;

typedef struct swp_explanation_list {
    swp_explanation *items;
    size_t count;
    size_t capacity;
} swp_explanation_list;

/**
 * Takes away each wait and barrier in turn and asks the proof what then goes wrong that did not
 * before. Two that cover the same dependence are each found unneeded: the other is still there.
 * @return SWP_INVALID for a schedule that swp_verify() refuses.
 */
SWP_API swp_status swp_explain(swp_context *ctx, const swp_schedule *schedule,
                               swp_explanation_list *out);

/** The explanations for people, phase by phase; owned by the context. */
SWP_API swp_status swp_explanation_text(swp_context *ctx, const swp_schedule *schedule,
                                        const swp_explanation_list *explanations, char **text,
                                        size_t *length);

#ifdef __cplusplus
}
#endif
#endif
