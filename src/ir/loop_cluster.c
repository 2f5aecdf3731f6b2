/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses loops whose work groups of a cluster or a multiprocessor, or whose multicasts, have no meaning (docs/loops.md). */
#include "base/diag.h"
#include "base/text.h"
#include "ir/completions.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "swp/compile.h"

static swp_status refuse(swp_context *ctx, const swp_loop_op *op, const char *hint, const char *why)
{
    return swp_error(ctx, SWP_E0705, op->place, hint, "op %s is a multicast, and %s", op->name,
                     why);
}

static bool is_copy(const swp_loop *loop, const swp_loop_op *op)
{
    return swp_ir_completion_kind(op->completion) == SWP_COMPLETION_MBARRIER &&
           swp_ir_loop_makes_in(loop, op, SWP_SPACE_SHARED) &&
           !swp_ir_loop_makes_in(loop, op, SWP_SPACE_REGISTERS);
}

static swp_status check_multicast(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    if (loop->cluster < 2)
        return refuse(ctx, op, "let `cluster` be how many work groups get it",
                      "there is one work group");
    if (!is_copy(loop, op))
        return refuse(ctx, op, "only ops of completion mbarrier that write shared memory are",
                      "no tensor copy");
    if (op->role_count == 0 && swp_ir_loop_role_instances(loop, op->role) > 1)
        return refuse(ctx, op, "let a role with one instance do it",
                      "its role has several instances");
    return SWP_OK;
}

static swp_status check_work_groups(swp_context *ctx, const swp_loop *loop)
{
    char *hint = NULL;
    if (loop->cluster >= 0 && loop->cluster <= SWP_MOST_CLUSTER)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &hint, "a cluster has 1 to %d work groups", SWP_MOST_CLUSTER));
    return swp_error(ctx, SWP_E0320, loop->place, hint, "the loop has a cluster of %d work groups",
                     loop->cluster);
}

static swp_status check_resident(swp_context *ctx, const swp_loop *loop)
{
    const bool is_unstated = loop->least_resident == 0 && loop->most_resident == 0;
    const bool is_range = loop->least_resident >= 1 &&
                          loop->least_resident <= loop->most_resident &&
                          loop->most_resident <= SWP_MOST_RESIDENT;
    char *hint = NULL;
    if ((is_unstated || is_range) && loop->resident >= 0 && loop->resident <= SWP_MOST_RESIDENT)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &hint, "1 to %d share a multiprocessor, the fewest first",
                       SWP_MOST_RESIDENT));
    return swp_error(ctx, SWP_E0320, loop->place, hint,
                     "the loop has %d to %d resident work groups", loop->least_resident,
                     loop->most_resident);
}

swp_status swp_ir_loop_check_cluster(swp_context *ctx, const swp_loop *loop)
{
    SWP_TRY(check_work_groups(ctx, loop));
    SWP_TRY(check_resident(ctx, loop));
    for (size_t i = 0; i < loop->op_count; i++)
        if (loop->ops[i].multicast)
            SWP_TRY(check_multicast(ctx, loop, &loop->ops[i]));
    return SWP_OK;
}
