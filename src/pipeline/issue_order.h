/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the order in which the ops of a pipeline are issued, step after step: in step k an op of
 * stage s is for iteration k - s.
 */
#ifndef SWP_PIPELINE_ISSUE_ORDER_H
#define SWP_PIPELINE_ISSUE_ORDER_H

#include "base/context.h"
#include "swp/loop.h"

typedef struct swp_issue_order {
    int *ops;   /* by position in the step */
    int *at;    /* position of each op */
    int *stage; /* of each op; from any number on */
} swp_issue_order;

/* An op that comes before another one in the order, `steps` steps earlier. */
typedef struct swp_issued {
    int op;
    int steps;
} swp_issued;

swp_status swp_pipeline_issue_order_new(swp_context *ctx, size_t ops, swp_issue_order *out);

void swp_pipeline_issue_order_copy(const swp_issue_order *from, size_t ops, swp_issue_order *to);

/* Gets the order in which the steps of a pipeline are written out. */
void swp_pipeline_issue_order_of(const swp_pipeline *pipeline, swp_issue_order *out);

/* Returns the steps from the issue of an edge's producer to that of its consumer. */
static inline int64_t swp_pipeline_issue_steps(const swp_issue_order *order,
                                               const swp_problem_edge *edge)
{
    return edge->distance + order->stage[edge->consumer] - order->stage[edge->producer];
}

/* Returns the op that is issued right before. */
static inline swp_issued swp_pipeline_issued_before(const swp_issue_order *order, size_t ops,
                                                    swp_issued o)
{
    const int at = order->at[o.op];
    return at > 0 ? (swp_issued){order->ops[at - 1], o.steps}
                  : (swp_issued){order->ops[ops - 1], o.steps + 1};
}

/* Returns whether an op stands after all that it depends on, and before all that depends on it. */
bool swp_pipeline_issue_order_is_legal(const swp_problem *problem, const swp_issue_order *order,
                                       int op);

/* Returns the same for all ops. */
bool swp_pipeline_issue_order_is_all_legal(const swp_problem *problem,
                                           const swp_issue_order *order);

#endif
