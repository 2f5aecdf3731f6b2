/* SPDX-License-Identifier: Apache-2.0 */
/* Places each op behind all that the one before it holds, in all instances, and begins the next iteration behind that. */
#include "pipeline/unpipelined.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "pipeline/shifts.h"
#include "pipeline/slot_choices.h"
#include "pipeline/stages.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Until nothing of one instance's op is left. */
static int64_t length_of(const swp_loop *loop, const swp_loop_op *op)
{
    int64_t length = larger(larger(op->latency, op->read_cycles), larger(op->issue, 1));
    for (size_t u = 0; u < op->use_count; u++)
        length = larger(length, op->uses[u].cycles);
    return length + loop->signal;
}

/* Instances are as far apart in each op of a role, and no two do an op at once. */
static int64_t apart_of(const swp_loop *loop)
{
    int64_t apart = 1;
    for (size_t i = 0; i < loop->op_count; i++)
        apart = larger(apart, length_of(loop, &loop->ops[i]));
    return apart;
}

swp_status swp_pipeline_place_in_turn(swp_context *ctx, const swp_loop *loop, int64_t **times,
                                      int64_t *interval)
{
    const int64_t apart = apart_of(loop);
    int64_t now = 0;
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_ir_loop_problem_ops(loop), times));
    for (int op = 0; op < (int)loop->op_count; op++) {
        const int instances = swp_ir_loop_instances(loop, op);
        for (int i = 0; i < instances; i++)
            (*times)[swp_ir_loop_op_of(loop, op, i)] = now + i * apart;
        now += (instances - 1) * apart + length_of(loop, &loop->ops[op]);
    }
    *interval = now;
    return SWP_OK;
}

swp_status swp_pipeline_unpipelined(swp_context *ctx, const swp_pipeline *given, swp_pipeline *out,
                                    bool *found)
{
    const swp_loop *loop = given->loop;
    int64_t *times = NULL;
    int64_t interval = 0;
    int *slots = NULL;
    swp_context own = *ctx;
    swp_diags unsaid = {.arena = ctx->arena};
    own.diags = &unsaid;
    SWP_TRY(swp_pipeline_place_in_turn(ctx, loop, &times, &interval));
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &slots));
    swp_ir_loop_need_slots(loop, times, interval, slots);
    *found = swp_pipeline_role_over(loop, slots) == SWP_NO_ROLE;
    if (!*found)
        return SWP_OK;
    const swp_status status = swp_pipeline_retime(&own, given, slots, interval, times, out);
    *found = status == SWP_OK;
    if (status != SWP_OK)
        return swp_ends_work(status) ? status : SWP_OK;
    out->interval_proven = interval == given->bound_answer.bound;
    return swp_pipeline_fill_shifts(ctx, out);
}
