/* SPDX-License-Identifier: Apache-2.0 */
/* Answers the question behind the exact search: can this prefix be completed within a makespan? */
#ifndef SWP_ORDER_BRANCH_AND_BOUND_H
#define SWP_ORDER_BRANCH_AND_BOUND_H

#include "base/budget.h"
#include "base/decision.h"
#include "order/partial_order.h"
#include "order/refuted_states.h"
#include "order/unit_load.h"

typedef struct swp_decider {
    const swp_dag *dag;
    swp_order_rules rules; /* max_vgpr is the limit that the present question sets */
    swp_budget *budget;
    swp_partial partial;
    swp_refuted refuted;
    int64_t total_def; /* a limit of so many registers never matters */
    int *ranking;      /* ops by latest start: the order in which candidates are tried */
    /* By position: the next candidate in the ranking, and the state that was opened there. */
    int *cursor;
    swp_refuted_state **open;
    /* Scratch. */
    int64_t *head;
    int64_t *lateness;
    swp_job *jobs;
    swp_job *heap;
} swp_decider;

/* Must be freed with swp_order_decider_free(), also after a failure. */
swp_status swp_order_decider_new(swp_context *ctx, const swp_dag *dag, const swp_search *search,
                                 swp_budget *budget, swp_decider *out);
void swp_order_decider_free(swp_decider *decider);

/*
 * Completes decider->partial within `makespan` cycles and `max_vgpr` registers. If the answer is
 * SWP_FOUND, `order` (room for all ops) holds the completion. The partial order stays as it was.
 */
swp_status swp_order_branch_and_bound(swp_context *ctx, swp_decider *decider, int64_t makespan,
                                      int64_t max_vgpr, int *order, swp_decision *answer);

#endif
