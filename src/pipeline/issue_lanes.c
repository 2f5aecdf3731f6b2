/* SPDX-License-Identifier: Apache-2.0 */
/* Links the ops of each unit and of each object. Units come first, then objects. */
#include "pipeline/issue_lanes.h"

enum { NOT_THERE = -1 };

static int64_t held_of_unit(const swp_loop_op *op, int unit, int64_t *cycles)
{
    int64_t amount = 0;
    for (size_t u = 0; u < op->use_count; u++)
        if (op->uses[u].resource == unit && op->uses[u].cycles > 0) {
            amount += op->uses[u].amount;
            *cycles = op->uses[u].cycles;
        }
    return amount;
}

int64_t swp_pipeline_issue_held_of_unit(const swp_issue_builder *b, int op, int unit,
                                        int64_t *cycles)
{
    return held_of_unit(&b->model->loop->ops[op], unit, cycles);
}

static int *lane_of(const swp_issue_model *m, int lane)
{
    return m->before + (size_t)lane * m->loop->op_count;
}

static int lane_count(const swp_issue_model *m)
{
    return (int)m->loop->unit_count + SWP_SYNC_OBJECTS;
}

static bool is_in_lane(const swp_issue_model *m, int op, int lane)
{
    const int units = (int)m->loop->unit_count;
    int64_t cycles = 0;
    return lane < units ? held_of_unit(&m->loop->ops[op], lane, &cycles) > 0
                        : (int)m->objects[op] == lane - units;
}

swp_status swp_pipeline_issue_list_lanes(swp_issue_model *model)
{
    const int count = (int)model->loop->op_count;
    const int lanes = lane_count(model);
    SWP_TRY(SWP_TAKE(model->ctx, (size_t)lanes * (size_t)count, &model->before));
    for (int lane = 0; lane < lanes; lane++)
        for (int op = 0; op < count; op++)
            lane_of(model, lane)[op] = is_in_lane(model, op, lane) ? op : NOT_THERE;
    return SWP_OK;
}

static void link_lane(int *before, const swp_issue_order *order, int count)
{
    int first = NOT_THERE;
    int last = NOT_THERE;
    for (int k = 0; k < count; k++) {
        const int op = order->ops[k];
        if (before[op] == NOT_THERE)
            continue;
        if (last == NOT_THERE)
            first = op;
        else
            before[op] = last;
        last = op;
    }
    if (first != NOT_THERE)
        before[first] = last;
}

void swp_pipeline_issue_link_lanes(const swp_issue_model *model, const swp_issue_order *order)
{
    for (int lane = 0; lane < lane_count(model); lane++)
        link_lane(lane_of(model, lane), order, (int)model->loop->op_count);
}

/* Over the begin of a step, the op before is one of the step before. */
static swp_issued before_in_lane(const swp_issue_builder *b, int lane, swp_issued issued)
{
    const int op = lane_of(b->model, lane)[issued.op];
    return (swp_issued){op, issued.steps + (b->order->at[op] >= b->order->at[issued.op])};
}

swp_issued swp_pipeline_issue_before_in_unit(const swp_issue_builder *b, int unit,
                                             swp_issued issued)
{
    return before_in_lane(b, unit, issued);
}

swp_issued swp_pipeline_issue_before_in_object(const swp_issue_builder *b, swp_issued issued)
{
    const int units = (int)b->model->loop->unit_count;
    return before_in_lane(b, units + (int)b->model->objects[issued.op], issued);
}
