/* SPDX-License-Identifier: Apache-2.0 */
/* Prices waits that are for several objects: such a wait leaves as many accesses of each. */
#include "pipeline/issue_waits.h"

/* Returns how many accesses of its object are left by a wait right before an op that retires an older one. */
static int64_t left_behind(const swp_issue_builder *b, int op, swp_issued from)
{
    int64_t left = 0;
    for (swp_issued o = swp_pipeline_issue_before(b, (swp_issued){op, 0});
         o.op != from.op || o.steps != from.steps; o = swp_pipeline_issue_before(b, o))
        if (b->model->objects[o.op] == b->model->objects[from.op])
            left += b->model->loop->ops[o.op].accesses;
    return left;
}

static swp_issued awaited_by(const swp_issue_builder *b, int edge)
{
    const swp_problem_edge *e = &b->model->problem.problem.edges[edge];
    return (swp_issued){e->producer, (int)swp_pipeline_issue_steps(b->order, e)};
}

static bool needs_wait(const swp_issue_builder *b, int edge)
{
    const swp_loop_problem *all = &b->model->problem;
    const swp_problem_edge *e = &all->problem.edges[edge];
    return swp_pipeline_issue_is_awaited(b, edge) &&
           swp_pipeline_issue_cost_of_wait(b, &all->edges[edge], e->producer) > 0;
}

/* Returns whether the wait of another edge, before the consumer, already retires what this one is for. */
static bool is_covered(const swp_issue_builder *b, int edge, int other)
{
    const swp_issue_model *m = b->model;
    const int at = m->problem.problem.edges[edge].consumer;
    const int wait_at = m->problem.problem.edges[other].consumer;
    const swp_issued from = awaited_by(b, edge);
    const swp_issued newest = awaited_by(b, other);
    const int later = b->order->at[wait_at] > b->order->at[at];
    /* If the other wait stands later in the step, the last one before the consumer was a step earlier. */
    const int ago = later ? 1 : 0;
    const swp_issued seen = {from.op, from.steps - ago};
    if (!swp_pipeline_issue_is_same_wait(m->objects[from.op], m->objects[newest.op]) ||
        seen.steps < 0 || (seen.steps == 0 && b->order->at[from.op] >= b->order->at[wait_at]))
        return false;
    return left_behind(b, wait_at, seen) >= left_behind(b, wait_at, newest);
}

/* A wait leaves as many accesses of every other object that it is for, and so holds up more. */
static swp_status hold_by_others(swp_issue_builder *b, int edge)
{
    swp_issue_model *m = b->model;
    const int consumer = m->problem.problem.edges[edge].consumer;
    const swp_issued from = awaited_by(b, edge);
    const swp_sync_object own = m->objects[from.op];
    const int64_t left = left_behind(b, consumer, from);
    int64_t sum[SWP_SYNC_OBJECTS] = {0};
    for (swp_issued o = swp_pipeline_issue_before(b, (swp_issued){consumer, 0});
         o.steps < SWP_MOST_ISSUE_STEPS; o = swp_pipeline_issue_before(b, o)) {
        const swp_sync_object object = m->objects[o.op];
        if (object == own || !swp_pipeline_issue_is_same_wait(own, object) || sum[object] > left)
            continue;
        sum[object] += m->loop->ops[o.op].accesses;
        if (sum[object] <= left)
            continue;
        SWP_TRY(swp_pipeline_issue_constrain(b, swp_pipeline_issue_end_of(b, o.op), consumer,
                                             m->machine->issue_cycles, o.steps));
        SWP_TRY(SWP_PUSH(m->ctx, &m->awaited, from.op));
    }
    return SWP_OK;
}

/* Only waits for more than one object matter here, and a wait that another one covers counts as none. */
swp_status swp_pipeline_issue_mixed_waits(swp_issue_builder *b)
{
    const int count = (int)b->model->problem.problem.edge_count;
    bool *waits = b->model->waits;
    for (int i = 0; i < count; i++)
        waits[i] = needs_wait(b, i);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count && waits[i]; j++)
            waits[i] = j == i || !waits[j] || !is_covered(b, i, j);
    for (int i = 0; i < count; i++)
        if (waits[i])
            SWP_TRY(hold_by_others(b, i));
    return SWP_OK;
}
