/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interval that a limit left open may be longer than the order of its ops needs. Without waits,
 * a step of that order takes the largest ratio of the cycles in which the ops hold each other.
 */
#include "pipeline/tighten.h"

#include "pipeline/issue_model.h"
#include "pipeline/stages.h"

/*
 * Serving in order of issue does not guarantee a schedule if a unit has a capacity above 1, so the
 * times are checked.
 */
static swp_status are_answer(swp_context *ctx, const swp_problem *problem, const swp_answer *answer,
                             bool *are)
{
    const swp_status status = swp_answer_check(ctx, problem, answer);
    *are = status == SWP_OK;
    return swp_ends_work(status) ? status : SWP_OK;
}

swp_status swp_pipeline_tighten(swp_context *ctx, const swp_machine *machine,
                                const swp_pipeline *given, bool in_order, swp_pipeline *out,
                                bool *found)
{
    swp_issue_model model;
    swp_issue_order order;
    swp_answer answer = given->answer;
    int64_t *times = NULL;
    *found = false;
    if (given->interval_proven)
        return SWP_OK;
    SWP_TRY(swp_pipeline_issue_model_new(ctx, machine, given->loop, given->slots, &model));
    SWP_TRY(swp_pipeline_issue_order_new(ctx, given->loop->op_count, &order));
    SWP_TRY(SWP_TAKE(ctx, given->loop->op_count, &times));
    swp_pipeline_issue_order_of(given, &order);
    SWP_TRY(swp_pipeline_issue_tightest(&model, &order, in_order, &answer.value, times));
    if (answer.value >= given->answer.value)
        return SWP_OK;
    SWP_TRY(swp_pipeline_times_from_zero(ctx, given->loop, times, &answer.times));
    SWP_TRY(are_answer(ctx, &model.problem.problem, &answer, found));
    return *found ? swp_pipeline_retime(ctx, given, given->slots, answer.value, answer.times, out)
                  : SWP_OK;
}
