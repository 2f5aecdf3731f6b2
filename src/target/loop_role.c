/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop whose copies complete on mbarriers is one role, where warp roles know all of its ops. An mbarrier has phases
 * then, which the schedule waits for. Else it is a counter, and the kernel finds out which phase a count stands for.
 */
#include "target/loop_role.h"

#include "base/context.h"
#include "ir/completions.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"

enum { COPY_UNIT = 16 }; /* PTX ISA, "cp.async.bulk" */

/* A tensor copy brings whole units, and its phase has to know how many bytes come. */
static bool is_tensor_copy(const swp_loop *loop, const swp_loop_op *op)
{
    const int64_t bytes = swp_ir_written_bytes(loop, op, 1, 1);
    return bytes > 0 && bytes % COPY_UNIT == 0;
}

/* A wgmma leaves its accumulator where it was. */
static bool turns_accumulators(const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->update_count; i++)
        if (swp_ir_loop_stated_most(loop, op->updates[i]) > 1)
            return true;
    return false;
}

static bool fits_threads(const swp_loop *loop, const swp_loop_op *op, int warps)
{
    if (op->completion == SWP_COMPLETION_COPY_MBARRIER)
        return is_tensor_copy(loop, op);
    return op->completion != SWP_COMPLETION_MATRIX_GROUP ||
           (warps == SWP_IR_GROUP_WARPS && !turns_accumulators(loop, op));
}

/* The loop with the completions that its ops have in a role. */
static swp_status spell(swp_context *ctx, const swp_loop *loop, swp_loop *out)
{
    swp_loop_op *ops = NULL;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &ops));
    for (size_t i = 0; i < loop->op_count; i++) {
        ops[i] = loop->ops[i];
        ops[i].completion = swp_ir_loop_role_completion(loop, &ops[i]);
    }
    *out = *loop;
    out->ops = ops;
    return SWP_OK;
}

static bool copies(const swp_loop *spelt)
{
    for (size_t i = 0; i < spelt->op_count; i++)
        if (spelt->ops[i].completion == SWP_COMPLETION_COPY_MBARRIER)
            return true;
    return false;
}

/* Whether a role of so many warps may do all of its ops. */
static bool fits_role(const swp_loop *spelt, int warps)
{
    for (size_t i = 0; i < spelt->op_count; i++)
        if (!fits_threads(spelt, &spelt->ops[i], warps))
            return false;
    return swp_ir_loop_fits_one_role(spelt);
}

swp_status swp_target_give_role(swp_context *ctx, const swp_target *target,
                                const swp_machine *machine, swp_loop *loop)
{
    const int warps = machine->groups * machine->waves_per_group;
    swp_loop spelt;
    swp_loop_role *role = NULL;
    if (!target->completions[SWP_COMPLETION_STORE_GROUP] || swp_ir_loop_has_roles(loop) ||
        machine->lag > 0 || warps > SWP_MOST_ROLE_WARPS)
        return SWP_OK;
    SWP_TRY(spell(ctx, loop, &spelt));
    if (!copies(&spelt) || !fits_role(&spelt, warps))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, 1, &role));
    *role =
        (swp_loop_role){.name = loop->role_count > 0 ? loop->roles[0].name : "all", .warps = warps};
    loop->roles = role;
    loop->role_count = 1;
    return SWP_OK;
}
