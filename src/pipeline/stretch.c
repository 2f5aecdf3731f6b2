/* SPDX-License-Identifier: Apache-2.0 */
/* What holds at an interval holds at a longer one, except where a unit has a capacity above 1: the times are checked. */
#include "pipeline/stretch.h"

#include "ir/loop_dataflow.h"
#include "pipeline/stages.h"

swp_status swp_pipeline_stretch(swp_context *ctx, swp_issue_models *models,
                                const swp_pipeline *given, int64_t interval, swp_pipeline *out,
                                bool *found)
{
    swp_issue_model *model = NULL;
    swp_issue_order order;
    swp_answer answer = given->answer;
    int64_t *times = NULL;
    int *slots = NULL;
    SWP_TRY(swp_pipeline_issue_model_of(ctx, models, given->loop, given->slots, &model));
    SWP_TRY(swp_pipeline_issue_order_new(ctx, given->loop->op_count, &order));
    SWP_TRY(SWP_TAKE(ctx, given->loop->op_count, &times));
    swp_pipeline_issue_order_of(given, &order);
    SWP_TRY(swp_pipeline_issue_times(model, &order, interval, times, found));
    if (!*found)
        return SWP_OK;
    answer.value = interval;
    answer.status = SWP_ANSWER_FEASIBLE;
    SWP_TRY(swp_pipeline_times_from_zero(ctx, given->loop, times, &answer.times));
    const swp_status status = swp_answer_check(ctx, &model->problem.problem, &answer);
    *found = status == SWP_OK;
    if (!*found)
        return swp_ends_work(status) ? status : SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, given->loop->value_count, &slots));
    swp_ir_loop_need_slots(given->loop, answer.times, interval, slots);
    return swp_pipeline_retime(ctx, given, slots, interval, answer.times, out);
}
