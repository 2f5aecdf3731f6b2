/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the ways to give ops to roles op by op, and goes back where one does not fit those before it. */
#include "ir/loop_assignments.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_registers.h"
#include "ir/roles.h"

enum { NO_CHOICE = -1 };

bool swp_ir_loop_has_choice(const swp_loop *loop)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (loop->ops[i].role_count > 0)
            return true;
    return false;
}

static int count_choices(const swp_loop *loop, int op)
{
    return loop->ops[op].role_count > 0 ? (int)loop->ops[op].role_count : 1;
}

int swp_ir_loop_choice(const swp_loop *loop, int op, int choice)
{
    return loop->ops[op].role_count > 0 ? loop->ops[op].roles[choice] : loop->ops[op].role;
}

static bool share_registers(const swp_loop *loop, int a, int b)
{
    for (int v = 0; v < (int)loop->value_count; v++)
        if (loop->values[v].space == SWP_SPACE_REGISTERS &&
            swp_ir_loop_accesses(&loop->ops[a], v) && swp_ir_loop_accesses(&loop->ops[b], v))
            return true;
    return false;
}

/* Whether the choice of an op goes with those of the ops before it. */
static bool fits(const swp_loop *loop, const int *choice, int op)
{
    const int role = swp_ir_loop_choice(loop, op, choice[op]);
    const int warps = role < (int)loop->role_count ? loop->roles[role].warps : 0;
    if (warps > 0 && warps != SWP_IR_GROUP_WARPS && swp_ir_loop_is_wgmma(loop, &loop->ops[op]))
        return false;
    for (int before = 0; before < op; before++)
        if (swp_ir_loop_choice(loop, before, choice[before]) != role &&
            share_registers(loop, before, op))
            return false;
    return true;
}

bool swp_ir_loop_next_assignment(const swp_loop *loop, int *choice)
{
    const int ops = (int)loop->op_count;
    int op = choice[ops - 1] == NO_CHOICE ? 0 : ops - 1;
    while (op >= 0 && op < ops) {
        if (++choice[op] >= count_choices(loop, op))
            choice[op--] = NO_CHOICE;
        else if (fits(loop, choice, op))
            op++;
    }
    return op == ops;
}

swp_status swp_ir_loop_assign(swp_context *ctx, const swp_loop *loop, const int *roles,
                              swp_loop *out)
{
    swp_loop_op *ops = NULL;
    swp_loop_role *own = NULL;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &ops));
    SWP_TRY(SWP_TAKE(ctx, loop->role_count, &own));
    for (size_t i = 0; i < loop->op_count; i++) {
        ops[i] = loop->ops[i];
        ops[i].role = roles[i];
        ops[i].roles = NULL;
        ops[i].role_count = 0;
    }
    for (int r = 0; r < (int)loop->role_count; r++) {
        own[r] = loop->roles[r];
        own[r].warps = swp_ir_loop_role_warps(loop, r);
    }
    *out = *loop;
    out->ops = ops;
    out->roles = own;
    out->roles_found = swp_ir_loop_has_choice(loop);
    return SWP_OK;
}
