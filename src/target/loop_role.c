/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop whose copies complete on mbarriers is one role, where warp roles know all of its ops. An mbarrier has phases
 * then, which the schedule waits for. Else it is a counter, and the kernel finds out which phase a count stands for.
 */
#include "target/loop_role.h"

#include "base/arena.h"
#include "base/context.h"
#include "base/diag.h"
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
        if (loop->values[op->updates[i]].most_slots > 1)
            return true;
    return false;
}

static bool fits_threads(const swp_loop *loop, const swp_loop_op *op, swp_completion completion,
                         int warps)
{
    if (completion == SWP_COMPLETION_COPY_MBARRIER)
        return is_tensor_copy(loop, op);
    return completion != SWP_COMPLETION_MATRIX_GROUP ||
           (warps == SWP_IR_GROUP_WARPS && !turns_accumulators(loop, op));
}

/* Whether the ops have a meaning in a role. What is wrong with them is nothing to tell: the loop named no role. */
static swp_status is_meant(swp_context *ctx, const swp_loop *loop, bool *answer)
{
    enum { DIAGS = 1 };
    swp_diag items[DIAGS];
    swp_diags unsaid = {.items = items, .capacity = DIAGS, .arena = ctx->arena};
    swp_context own = *ctx;
    int *roles = NULL;
    own.diags = &unsaid;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &roles));
    for (size_t i = 0; i < loop->op_count; i++)
        roles[i] = 0;
    const swp_status status = swp_ir_check_role_dataflow(&own, loop, roles);
    *answer = status == SWP_OK;
    return status == SWP_OUT_OF_MEMORY ? swp_out_of_memory(ctx) : SWP_OK;
}

/* The loop with the completions that its ops have in a role; whether one copies, and the threads of all fit. */
static swp_status spell(swp_context *ctx, const swp_loop *loop, int warps, swp_loop *out,
                        bool *copies)
{
    swp_loop_op *ops = NULL;
    bool fits = true;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &ops));
    *copies = false;
    for (size_t i = 0; i < loop->op_count; i++) {
        ops[i] = loop->ops[i];
        ops[i].completion = swp_ir_loop_role_completion(loop, &ops[i]);
        *copies = *copies || ops[i].completion == SWP_COMPLETION_COPY_MBARRIER;
        fits = fits && fits_threads(loop, &ops[i], ops[i].completion, warps);
    }
    *out = *loop;
    out->ops = ops;
    *copies = *copies && fits;
    return SWP_OK;
}

swp_status swp_target_give_role(swp_context *ctx, const swp_target *target,
                                const swp_machine *machine, swp_loop *loop)
{
    const int warps = machine->groups * machine->waves_per_group;
    swp_loop spelt;
    swp_loop_role *role = NULL;
    bool is_one = false;
    if (!target->completions[SWP_COMPLETION_STORE_GROUP] || swp_ir_loop_has_roles(loop) ||
        machine->lag > 0 || warps > SWP_MOST_ROLE_WARPS)
        return SWP_OK;
    SWP_TRY(spell(ctx, loop, warps, &spelt, &is_one));
    if (is_one)
        SWP_TRY(is_meant(ctx, &spelt, &is_one));
    if (!is_one)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, 1, &role));
    *role =
        (swp_loop_role){.name = loop->role_count > 0 ? loop->roles[0].name : "all", .warps = warps};
    loop->roles = role;
    loop->role_count = 1;
    return SWP_OK;
}
