/* SPDX-License-Identifier: Apache-2.0 */
/* Times at which nothing overlaps: whatever an op waits for stands before it in the loop, or in an earlier iteration. */
#include "pipeline/one_by_one.h"

#include "ir/loop_instances.h"
#include "pipeline/shifts.h"
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

/* Instances are as far apart in each op of a role. */
static int64_t longest_of(const swp_loop *loop)
{
    int64_t longest = 1;
    for (size_t i = 0; i < loop->op_count; i++)
        longest = larger(longest, length_of(loop, &loop->ops[i]));
    return longest;
}

swp_status swp_pipeline_one_by_one(swp_context *ctx, const swp_pipeline *given, swp_pipeline *out)
{
    const swp_loop *loop = given->loop;
    const int64_t shift = longest_of(loop);
    int64_t *times = NULL;
    int64_t *shifts = NULL;
    int64_t now = 0;
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_ir_loop_problem_ops(loop), &times));
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_ir_loop_shifts(loop), &shifts));
    for (int op = 0; op < (int)loop->op_count; op++) {
        const int instances = swp_ir_loop_instances(loop, op);
        for (int i = 0; i < instances; i++)
            times[swp_ir_loop_op_of(loop, op, i)] = now + i * shift;
        now += (instances - 1) * shift + length_of(loop, &loop->ops[op]);
    }
    SWP_TRY(swp_pipeline_retime(ctx, given, given->slots, now, times, out));
    swp_pipeline_shifts_of(loop, times, shifts);
    out->shifts = shifts;
    out->interval_proven = now == given->bound_answer.bound;
    return SWP_OK;
}
