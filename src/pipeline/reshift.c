/* SPDX-License-Identifier: Apache-2.0 */
/* A pipeline with its instances shifted in another way: their roles' ops then stand in other orders. */
#include "pipeline/reshift.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "pipeline/shifts.h"
#include "pipeline/stages.h"
#include "solve/solve_problem.h"

/* Instances of a role a multiple of the same part of the interval apart. */
static void shift_by(const swp_loop *loop, int64_t interval, int part, int64_t *shifts)
{
    for (int role = 0; role < (int)loop->role_count; role++) {
        int64_t *own = shifts + swp_ir_loop_first_shift(loop, role);
        for (int i = 1; i < swp_ir_loop_role_instances(loop, role); i++)
            own[i - 1] = interval * ((int64_t)i * part % SWP_PIPELINE_SHIFT_PARTS) /
                         SWP_PIPELINE_SHIFT_PARTS;
        swp_pipeline_sort_shifts(own, swp_ir_loop_role_instances(loop, role) - 1);
    }
}

swp_status swp_pipeline_reshift(swp_context *ctx, const swp_pipeline *given, const int *slots,
                                int stages, int part, swp_pipeline *out, bool *found)
{
    const swp_loop *loop = given->loop;
    const int64_t interval = given->answer.value;
    const swp_solve_aim aim = {.most = interval, .at_once = true};
    swp_loop_problem problem;
    swp_problem tied;
    swp_answer answer = {0};
    int64_t *shifts = NULL;
    *found = false;
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_ir_loop_shifts(loop), &shifts));
    if (part == SWP_PIPELINE_SAME_SHIFTS)
        swp_pipeline_shifts_of(loop, given->answer.times, shifts);
    else
        shift_by(loop, interval, part, shifts);
    SWP_TRY(swp_ir_loop_build_problem(ctx, loop, slots, stages, &problem));
    tied = problem.problem;
    SWP_TRY(swp_ir_loop_tie(ctx, loop, shifts, &tied));
    SWP_TRY(swp_solve_problem_for(ctx, &tied, &aim, &answer));
    *found = answer.times && answer.value == interval;
    if (!*found)
        return SWP_OK;
    SWP_TRY(swp_pipeline_retime(ctx, given, slots, interval, answer.times, out));
    return swp_pipeline_fill_shifts(ctx, out);
}
