/* SPDX-License-Identifier: Apache-2.0 */
/* A pipeline with its instances shifted in another way: their roles' ops then stand in other orders. */
#include "pipeline/reshift.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "pipeline/shifts.h"
#include "pipeline/stages.h"
#include "solve/solve_problem.h"

#include <string.h>

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

/*
 * What heuristics find up to an interval, if anything. They get as much work whatever the limits are: with more they find
 * other times, and from these another way goes on, which may end with more waits.
 */
enum { WORK = 1000 };

static swp_status solve(swp_context *ctx, const swp_pipeline *given, const int *slots,
                        int64_t interval, const swp_problem *tied, swp_pipeline *out, bool *found)
{
    const swp_solve_aim aim = {.most = interval, .at_once = true};
    swp_answer answer = {0};
    swp_context own = *ctx;
    own.limits.work = WORK;
    own.limits.progress = NULL; /* it would tell of this question alone */
    SWP_TRY(swp_solve_problem_for(&own, tied, &aim, &answer));
    *found = answer.times && answer.value <= interval;
    if (!*found)
        return SWP_OK;
    SWP_TRY(swp_pipeline_retime(ctx, given, slots, answer.value, answer.times, out));
    return swp_pipeline_fill_shifts(ctx, out);
}

swp_status swp_pipeline_reshift(swp_context *ctx, const swp_pipeline *given, int64_t interval,
                                const int *slots, int stages, int part, swp_pipeline *out,
                                bool *found)
{
    const swp_loop *loop = given->loop;
    swp_loop_problem problem;
    swp_problem tied;
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
    return solve(ctx, given, slots, interval, &tied, out, found);
}

/* Where one op depends on the other within an iteration there is no such order, which is no error here. */
static swp_status solve_if_legal(swp_context *ctx, const swp_pipeline *given, const int *slots,
                                 int64_t interval, const swp_problem *tied, swp_pipeline *out,
                                 bool *found)
{
    enum { DIAGS = 4 };
    swp_diag items[DIAGS];
    swp_diags unsaid = {.items = items, .capacity = DIAGS, .arena = ctx->arena};
    swp_context own = *ctx;
    own.diags = &unsaid;
    const swp_status status = solve(&own, given, slots, interval, tied, out, found);
    *found = *found && status == SWP_OK;
    return swp_ends_work(status) ? swp_pass_on(ctx, status) : SWP_OK;
}

swp_status swp_pipeline_swap(swp_context *ctx, const swp_pipeline *given, int first, int second,
                             int before, swp_pipeline *out, bool *found)
{
    const swp_loop *loop = given->loop;
    swp_loop_problem problem;
    swp_problem tied;
    swp_problem_edge *edges = NULL;
    int64_t *shifts = NULL;
    *found = false;
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_ir_loop_shifts(loop), &shifts));
    swp_pipeline_shifts_of(loop, given->answer.times, shifts);
    SWP_TRY(swp_ir_loop_build_problem(ctx, loop, given->slots, 0, &problem));
    tied = problem.problem;
    SWP_TRY(swp_ir_loop_tie(ctx, loop, shifts, &tied));
    SWP_TRY(SWP_TAKE(ctx, tied.edge_count + 1, &edges));
    memcpy(edges, tied.edges, tied.edge_count * sizeof *edges);
    edges[tied.edge_count++] = (swp_problem_edge){first, second, before, 1};
    tied.edges = edges;
    return solve_if_legal(ctx, given, given->slots, given->answer.value, &tied, out, found);
}
