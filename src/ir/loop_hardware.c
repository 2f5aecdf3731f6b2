/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses what no instruction of warp roles can carry out, whatever times and slots a search would find. */
#include "base/diag.h"
#include "base/text.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "ir/roles.h"

/* A copy brings a share for each instance of its role, or of a multicast for each work group. */
static swp_status check_copy(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                             int64_t *share)
{
    const int64_t bytes = swp_ir_written_bytes(loop, op, 1, 1);
    const int ranks = op->multicast && loop->cluster > 1 ? loop->cluster : 1;
    const int shares = swp_ir_loop_role_instances(loop, op->role) * ranks;
    if (bytes > SWP_IR_MOST_PENDING)
        return swp_error(ctx, SWP_E0705, op->place, "let two ops bring a part of it each",
                         "op %s copies %lld bytes, and a phase of an mbarrier counts up to %d",
                         op->name, (long long)bytes, SWP_IR_MOST_PENDING);
    if (bytes == 0 || bytes % shares != 0)
        return swp_error(ctx, SWP_E0705, op->place,
                         "a copy brings 1 byte or more, and each instance of its role, or of a "
                         "multicast each work group, the same share",
                         "op %s copies %lld bytes in %d share%s", op->name, (long long)bytes,
                         shares, swp_plural(shares));
    *share = bytes / shares;
    return SWP_OK;
}

static bool is_read(const swp_loop *loop, const swp_loop_op *maker)
{
    for (size_t i = 0; i < loop->op_count; i++)
        for (size_t r = 0; r < loop->ops[i].read_count; r++)
            if (swp_ir_loop_writes(maker, loop->ops[i].reads[r].value))
                return true;
    return false;
}

static swp_status check_op(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    if (op->multicast && !is_read(loop, op))
        return swp_error(ctx, SWP_E0705, op->place, "let an op read it, or take it out",
                         "op %s is a multicast, and nobody reads what it brings", op->name);
    const swp_op_issuer by = {loop->roles[op->role].name, swp_ir_loop_role_warps(loop, op->role),
                              NULL};
    int64_t bytes = 0;
    if (op->completion == SWP_COMPLETION_COPY_MBARRIER)
        SWP_TRY(check_copy(ctx, loop, op, &bytes));
    return swp_ir_check_op_hardware(ctx, loop, &by, op, bytes);
}

swp_status swp_ir_check_loop_hardware(swp_context *ctx, const swp_loop *loop)
{
    for (size_t i = 0; i < loop->op_count; i++)
        SWP_TRY(check_op(ctx, loop, &loop->ops[i]));
    return SWP_OK;
}
