/* SPDX-License-Identifier: Apache-2.0 */
/* Places each op behind all that the one before it holds, in all instances, and begins the next iteration behind that. */
#include "pipeline/unpipelined.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "pipeline/shifts.h"
#include "pipeline/slot_choices.h"
#include "pipeline/stages.h"

/* For how long anything of an op lasts. */
static int64_t length_of(const swp_loop *loop, const swp_loop_op *op)
{
    int64_t longest = op->latency > op->read_cycles ? op->latency : op->read_cycles;
    longest = op->issue > longest ? op->issue : longest;
    for (size_t u = 0; u < op->use_count; u++)
        longest = op->uses[u].cycles > longest ? op->uses[u].cycles : longest;
    return longest + loop->signal + 1;
}

/* Instances are so far apart that no two do an op at once. */
static int64_t apart_of(const swp_loop *loop)
{
    int64_t apart = 1;
    for (size_t i = 0; i < loop->op_count; i++) {
        const int64_t length = length_of(loop, &loop->ops[i]);
        apart = length > apart ? length : apart;
    }
    return apart;
}

static int most_instances(const swp_loop *loop)
{
    int most = 1;
    for (int op = 0; op < (int)loop->op_count; op++)
        if (swp_ir_loop_instances(loop, op) > most)
            most = swp_ir_loop_instances(loop, op);
    return most;
}

static swp_status place(swp_context *ctx, const swp_loop *loop, int64_t **times, int64_t *interval)
{
    const int64_t apart = apart_of(loop);
    const int64_t step = apart * most_instances(loop);
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_ir_loop_problem_ops(loop), times));
    for (int op = 0; op < (int)loop->op_count; op++)
        for (int i = 0; i < swp_ir_loop_instances(loop, op); i++)
            (*times)[swp_ir_loop_op_of(loop, op, i)] = op * step + i * apart;
    *interval = (int64_t)loop->op_count * step;
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
    SWP_TRY(place(ctx, loop, &times, &interval));
    SWP_TRY(SWP_TAKE(ctx, loop->value_count, &slots));
    for (int v = 0; v < (int)loop->value_count; v++)
        slots[v] = swp_ir_loop_needed_slots(loop, v, times, interval);
    *found = swp_pipeline_role_over(loop, slots) == SWP_NO_ROLE;
    if (!*found)
        return SWP_OK;
    const swp_status status = swp_pipeline_retime(&own, given, slots, interval, times, out);
    *found = status == SWP_OK;
    if (status != SWP_OK)
        return swp_ends_work(status) ? status : SWP_OK;
    return swp_pipeline_fill_shifts(ctx, out);
}
