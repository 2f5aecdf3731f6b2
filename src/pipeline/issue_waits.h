/* SPDX-License-Identifier: Apache-2.0 */
/* Shares the constraints of one order among the files of the model of a step. */
#ifndef SWP_PIPELINE_ISSUE_WAITS_H
#define SWP_PIPELINE_ISSUE_WAITS_H

#include "pipeline/issue_model.h"

/*
 * Collects the constraints of an order. Its events are the issue of each op, then for each op the
 * grant of its units and its end.
 */
typedef struct swp_issue_builder {
    swp_issue_model *model;
    const swp_issue_order *order; /* NULL: only what holds for every order */
    bool with_waits;              /* false: ops in flight end as the dependences say */
    bool in_order;                /* false: only each unit serves in this order */
} swp_issue_builder;

/* A step looks back as far as a value may have slots. What lasts longer is not priced. */
enum { SWP_MOST_ISSUE_STEPS = SWP_MOST_SLOTS };

swp_status swp_pipeline_issue_constrain(swp_issue_builder *b, int from, int to, int64_t cycles,
                                        int64_t steps);

/* Return the events of an access's end, and of an op's grant of its units. */
int swp_pipeline_issue_end_of(const swp_issue_builder *b, int op);
int swp_pipeline_issue_grant_of(const swp_issue_builder *b, int op);
int swp_pipeline_issue_op_of(const swp_issue_builder *b, int event);

/* Returns how much of a unit an op holds, and sets `*cycles` to how long if it holds any. */
int64_t swp_pipeline_issue_held_of_unit(const swp_issue_builder *b, int op, int unit,
                                        int64_t *cycles);

swp_issued swp_pipeline_issue_before(const swp_issue_builder *b, swp_issued issued);

/*
 * Return whether the later op waits until the producer, an access, has ended; and what that costs
 * beyond the end.
 */
bool swp_pipeline_issue_is_awaited(const swp_issue_builder *b, int edge);
int64_t swp_pipeline_issue_cost_of_wait(const swp_issue_builder *b, const swp_loop_edge *meaning,
                                        int producer);

/* Adds what the dependences ask for; without an order, from iteration to iteration. */
swp_status swp_pipeline_issue_add_edges(swp_issue_builder *b);

/* Returns whether one wait is for both objects. */
bool swp_pipeline_issue_is_same_wait(swp_sync_object a, swp_sync_object b);

/* Adds the delays of waits that also retire accesses of other objects. */
swp_status swp_pipeline_issue_mixed_waits(swp_issue_builder *b);

#endif
