/* SPDX-License-Identifier: Apache-2.0 */
/* The constraints of one order in the model of a step, as its files share them. */
#ifndef SWP_PIPELINE_ISSUE_WAITS_H
#define SWP_PIPELINE_ISSUE_WAITS_H

#include "pipeline/issue_model.h"

/* Events are the issue of each op, and behind these the grant of its units and its end. */
typedef struct swp_issue_builder {
    swp_issue_model *model;
    const swp_issue_order
        *order;      /* NULL: what holds every order, and so no more than what any wait takes */
    bool with_waits; /* otherwise what is asynchronous is timed as the dependences say */
    bool in_order;   /* otherwise each unit serves in this order, and nothing else keeps it */
} swp_issue_builder;

/* How far back a step looks: as far as a value may have slots. What lasts longer than that is not priced. */
enum { SWP_MOST_ISSUE_STEPS = SWP_MOST_SLOTS };

swp_status swp_pipeline_issue_constrain(swp_issue_builder *b, int from, int to, int64_t cycles,
                                        int64_t steps);

/* The events of an access's end, and of when an op has its units. */
int swp_pipeline_issue_end_of(const swp_issue_builder *b, int op);
int swp_pipeline_issue_grant_of(const swp_issue_builder *b, int op);
int swp_pipeline_issue_op_of(const swp_issue_builder *b, int event);

/* How much of a unit an op holds, and `*cycles` for how long if it does. */
int64_t swp_pipeline_issue_held_of_unit(const swp_issue_builder *b, int op, int unit,
                                        int64_t *cycles);

swp_issued swp_pipeline_issue_before(const swp_issue_builder *b, swp_issued issued);

/* Whether who comes later waits until the producer, an access, has ended; and what that takes beyond the end. */
bool swp_pipeline_issue_is_awaited(const swp_issue_builder *b, int edge);
int64_t swp_pipeline_issue_cost_of_wait(const swp_issue_builder *b, const swp_loop_edge *meaning,
                                        int producer);

/* What the dependences hold; without an order, from iteration to iteration. */
swp_status swp_pipeline_issue_add_edges(swp_issue_builder *b);

/* Whether the same wait is for both objects. */
bool swp_pipeline_issue_is_same_wait(swp_sync_object a, swp_sync_object b);

/* What waits hold up by retiring accesses of other objects too. */
swp_status swp_pipeline_issue_mixed_waits(swp_issue_builder *b);

#endif
