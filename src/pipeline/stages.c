/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the times of an iteration into stages of an interval each, and orders the ops of a step by them. */
#include "pipeline/stages.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "pipeline/slot_choices.h"

#include <limits.h>

swp_status swp_pipeline_times_from_zero(swp_context *ctx, const swp_loop *loop,
                                        const int64_t *times, const int64_t **out)
{
    int64_t *moved = NULL;
    const int ops = swp_ir_loop_problem_ops(loop);
    SWP_TRY(SWP_TAKE(ctx, (size_t)ops, &moved));
    int64_t first = times[0];
    for (int i = 0; i < ops; i++)
        first = times[i] < first ? times[i] : first;
    for (int i = 0; i < ops; i++)
        moved[i] = times[i] - first;
    *out = moved;
    return SWP_OK;
}

int swp_pipeline_count_stages(const swp_loop *loop, const int64_t *times, int64_t interval)
{
    int64_t last = 0;
    for (size_t i = 0; i < loop->op_count; i++)
        last = times[i] > last ? times[i] : last;
    return last / interval < INT_MAX ? (int)(last / interval) + 1 : INT_MAX;
}

swp_status swp_pipeline_list_stages(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                    int64_t interval, const int **out)
{
    int *stage = NULL;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &stage));
    for (size_t i = 0; i < loop->op_count; i++)
        stage[i] = (int)(times[i] / interval);
    *out = stage;
    return SWP_OK;
}

static int64_t cycle_of(const swp_pipeline *p, int op)
{
    return p->answer.times[op] % p->answer.value;
}

bool swp_pipeline_ties_before(const int *stage, int a, int b)
{
    return stage[a] != stage[b] ? stage[a] > stage[b] : a < b;
}

static bool stands_before(const swp_pipeline *p, int a, int b)
{
    if (cycle_of(p, a) != cycle_of(p, b))
        return cycle_of(p, a) < cycle_of(p, b);
    return swp_pipeline_ties_before(p->stage, a, b);
}

void swp_pipeline_order_step(const swp_pipeline *p, int *ops)
{
    for (int i = 0; i < (int)p->loop->op_count; i++) {
        int to = i;
        for (; to > 0 && stands_before(p, i, ops[to - 1]); to--)
            ops[to] = ops[to - 1];
        ops[to] = i;
    }
}

int64_t swp_pipeline_amount_of(const swp_pipeline *p, swp_objective objective)
{
    switch (objective) {
    case SWP_LEAST_SHARED:
        return p->bytes[SWP_SPACE_SHARED];
    case SWP_LEAST_REGISTERS:
        return p->bytes[SWP_SPACE_REGISTERS];
    default:
        return p->stages;
    }
}

/* Whether every value of a space has as few slots as it may have, whatever else the pipeline has more of. */
static bool has_fewest(const swp_pipeline *p, swp_objective objective)
{
    const swp_space space = objective == SWP_LEAST_SHARED ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS;
    if (objective == SWP_LEAST_STAGES)
        return p->stages == 1;
    for (int v = 0; v < (int)p->loop->value_count; v++)
        if (p->loop->values[v].space == space && p->loop->values[v].bytes > 0 &&
            p->slots[v] > swp_ir_loop_least_slots(p->loop, v))
            return false;
    return true;
}

static void forget_proofs(const swp_pipeline *before, swp_pipeline *p)
{
    bool grew = p->answer.value != before->answer.value;
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        const swp_objective objective = p->loop->objectives[i];
        grew = grew ||
               swp_pipeline_amount_of(p, objective) > swp_pipeline_amount_of(before, objective);
        p->proven[objective] = (p->proven[objective] && !grew) || has_fewest(p, objective);
    }
}

/* A longer one is taken for its waits, which is no cost of the budget's. */
static void set_interval(swp_pipeline *p, int64_t interval)
{
    const bool is_least = interval == p->bound_answer.bound;
    const int64_t longer = interval - p->answer.value;
    p->answer.value = interval;
    p->answer.status = is_least ? SWP_ANSWER_OPTIMAL : SWP_ANSWER_FEASIBLE;
    p->interval_proven = is_least || (p->interval_proven && longer <= 0);
    p->any_interval += longer > 0 ? longer : 0;
    if (p->any_interval > interval)
        p->any_interval = interval;
}

swp_status swp_pipeline_retime(swp_context *ctx, const swp_pipeline *pipeline, const int *slots,
                               int64_t interval, const int64_t *times, swp_pipeline *out)
{
    const swp_pipeline before = *pipeline;
    const swp_pipeline *given = &before;
    const swp_loop *loop = given->loop;
    *out = *given;
    if (interval != given->answer.value)
        set_interval(out, interval);
    SWP_TRY(swp_pipeline_times_from_zero(ctx, loop, times, &out->answer.times));
    SWP_TRY(swp_pipeline_list_stages(ctx, loop, out->answer.times, interval, &out->stage));
    SWP_TRY(swp_loop_dependences(ctx, loop, slots, &out->problem));
    out->stages = swp_pipeline_count_stages(loop, out->answer.times, interval);
    out->slots = slots;
    for (int space = 0; space < SWP_SPACE_COUNT; space++)
        out->bytes[space] = swp_pipeline_bytes(loop, slots, (swp_space)space);
    forget_proofs(given, out);
    return swp_answer_check(ctx, &out->problem.problem, &out->answer);
}
