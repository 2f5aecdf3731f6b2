/* SPDX-License-Identifier: Apache-2.0 */
/* Derives orders of issue from times, and checks which of them the dependences allow. */
#include "pipeline/issue_order.h"

#include "pipeline/stages.h"

swp_status swp_pipeline_issue_order_new(swp_context *ctx, size_t ops, swp_issue_order *out)
{
    SWP_TRY(SWP_TAKE(ctx, ops, &out->ops));
    SWP_TRY(SWP_TAKE(ctx, ops, &out->at));
    return SWP_TAKE(ctx, ops, &out->stage);
}

void swp_pipeline_issue_order_copy(const swp_issue_order *from, size_t ops, swp_issue_order *to)
{
    for (size_t i = 0; i < ops; i++) {
        to->ops[i] = from->ops[i];
        to->at[i] = from->at[i];
        to->stage[i] = from->stage[i];
    }
}

void swp_pipeline_issue_order_of(const swp_pipeline *p, swp_issue_order *out)
{
    const int count = (int)p->loop->op_count;
    swp_pipeline_order_step(p, out->ops);
    for (int i = 0; i < count; i++) {
        out->at[out->ops[i]] = i;
        out->stage[i] = p->stage[i];
    }
}

bool swp_pipeline_issue_order_is_legal(const swp_problem *problem, const swp_issue_order *order,
                                       int op)
{
    for (size_t i = 0; i < problem->edge_count; i++) {
        const swp_problem_edge *edge = &problem->edges[i];
        if ((edge->producer != op && edge->consumer != op) || edge->producer == edge->consumer)
            continue;
        const int64_t steps = swp_pipeline_issue_steps(order, edge);
        if (steps < 0 || (steps == 0 && order->at[edge->producer] > order->at[edge->consumer]))
            return false;
    }
    return true;
}

bool swp_pipeline_issue_order_is_all_legal(const swp_problem *problem, const swp_issue_order *order)
{
    for (size_t i = 0; i < problem->op_count; i++)
        if (!swp_pipeline_issue_order_is_legal(problem, order, (int)i))
            return false;
    return true;
}
