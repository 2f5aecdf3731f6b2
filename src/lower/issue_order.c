/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of issue, as they follow from times, and which of them the dependences allow. */
#include "lower/issue_order.h"

swp_status swp_lower_issue_order_new(swp_context *ctx, size_t ops, swp_issue_order *out)
{
    SWP_TRY(SWP_TAKE(ctx, ops, &out->ops));
    SWP_TRY(SWP_TAKE(ctx, ops, &out->at));
    return SWP_TAKE(ctx, ops, &out->stage);
}

void swp_lower_issue_order_copy(const swp_issue_order *from, size_t ops, swp_issue_order *to)
{
    for (size_t i = 0; i < ops; i++) {
        to->ops[i] = from->ops[i];
        to->at[i] = from->at[i];
        to->stage[i] = from->stage[i];
    }
}

static int64_t row_of(const swp_pipeline *p, int op)
{
    return p->answer.times[op] % p->answer.value;
}

bool swp_lower_issue_ties_before(const int *stage, int a, int b)
{
    return stage[a] != stage[b] ? stage[a] > stage[b] : a < b;
}

static bool stands_before(const swp_pipeline *p, int a, int b)
{
    if (row_of(p, a) != row_of(p, b))
        return row_of(p, a) < row_of(p, b);
    return swp_lower_issue_ties_before(p->stage, a, b);
}

void swp_lower_issue_order_of(const swp_pipeline *p, swp_issue_order *out)
{
    const int count = (int)p->loop->op_count;
    for (int i = 0; i < count; i++) {
        int to = i;
        for (; to > 0 && stands_before(p, i, out->ops[to - 1]); to--)
            out->ops[to] = out->ops[to - 1];
        out->ops[to] = i;
        out->stage[i] = p->stage[i];
    }
    for (int i = 0; i < count; i++)
        out->at[out->ops[i]] = i;
}

bool swp_lower_issue_order_is_legal(const swp_problem *problem, const swp_issue_order *order,
                                    int op)
{
    for (size_t i = 0; i < problem->edge_count; i++) {
        const swp_problem_edge *edge = &problem->edges[i];
        if ((edge->producer != op && edge->consumer != op) || edge->producer == edge->consumer)
            continue;
        const int64_t steps = swp_lower_issue_steps(order, edge);
        if (steps < 0 || (steps == 0 && order->at[edge->producer] > order->at[edge->consumer]))
            return false;
    }
    return true;
}

bool swp_lower_issue_order_is_all_legal(const swp_problem *problem, const swp_issue_order *order)
{
    for (size_t i = 0; i < problem->op_count; i++)
        if (!swp_lower_issue_order_is_legal(problem, order, (int)i))
            return false;
    return true;
}
