/* SPDX-License-Identifier: Apache-2.0 */
/* Goes through the roles that the ops of a loop may have together. */
#include "certify/loop_roles.h"

#include "certify/loop_instances.h"

bool swp_certify_has_open_roles(const swp_loop *loop)
{
    for (size_t o = 0; o < loop->op_count; o++)
        if (loop->ops[o].role_count > 0)
            return true;
    return false;
}

/*
 * Returns the role after another one in an op's list. The first role comes after
 * SWP_CERTIFY_NO_ROLES, which comes after the last one.
 */
static int role_behind(const swp_loop_op *op, int role)
{
    if (op->role_count == 0)
        return role == SWP_CERTIFY_NO_ROLES ? op->role : SWP_CERTIFY_NO_ROLES;
    if (role == SWP_CERTIFY_NO_ROLES)
        return op->roles[0];
    for (size_t i = 0; i + 1 < op->role_count; i++)
        if (op->roles[i] == role)
            return op->roles[i + 1];
    return SWP_CERTIFY_NO_ROLES;
}

static bool is_among(const swp_loop_op *op, int role)
{
    for (size_t i = 0; i < op->role_count; i++)
        if (op->roles[i] == role)
            return true;
    return op->role_count == 0 && op->role == role;
}

/*
 * Returns whether an op may have its role beside those before it: registers belong to one role, and
 * wgmmas need a warp group.
 */
static bool is_allowed(const swp_loop *loop, const int *roles, int op)
{
    const int warps = (size_t)roles[op] < loop->role_count ? loop->roles[roles[op]].warps : 0;
    if (warps != 0 && warps != 4 && swp_certify_is_matrix_group(loop, op))
        return false;
    for (int v = 0; v < (int)loop->value_count; v++) {
        if (loop->values[v].space != SWP_SPACE_REGISTERS ||
            !swp_certify_accesses(&loop->ops[op], v))
            continue;
        for (int other = 0; other < op; other++)
            if (roles[other] != roles[op] && swp_certify_accesses(&loop->ops[other], v))
                return false;
    }
    return true;
}

bool swp_certify_may_have_roles(const swp_loop *loop, const int *roles)
{
    for (int o = 0; o < (int)loop->op_count; o++)
        if (!is_among(&loop->ops[o], roles[o]) || !is_allowed(loop, roles, o))
            return false;
    return true;
}

swp_status swp_certify_next_roles(swp_judgement *judgement, const swp_loop *loop, int *roles,
                                  bool *more)
{
    const int count = (int)loop->op_count;
    int op = roles[count - 1] == SWP_CERTIFY_NO_ROLES ? 0 : count - 1;
    while (op >= 0 && op < count) {
        SWP_TRY(swp_certify_spend(judgement, 1 + (uint64_t)op));
        roles[op] = role_behind(&loop->ops[op], roles[op]);
        if (roles[op] == SWP_CERTIFY_NO_ROLES)
            op--;
        else if (is_allowed(loop, roles, op))
            op++;
    }
    *more = op == count;
    return SWP_OK;
}

swp_status swp_certify_close_roles(swp_context *ctx, const swp_loop *loop, const int *roles,
                                   swp_loop *out)
{
    swp_loop_op *ops = NULL;
    swp_loop_role *own = NULL;
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &ops));
    SWP_TRY(SWP_TAKE(ctx, loop->role_count, &own));
    for (size_t o = 0; o < loop->op_count; o++) {
        ops[o] = loop->ops[o];
        ops[o].role = roles[o];
        ops[o].role_count = 0;
    }
    for (int r = 0; r < (int)loop->role_count; r++) {
        own[r] = loop->roles[r];
        own[r].warps = swp_certify_warps_of(loop, r);
    }
    *out = *loop;
    out->ops = ops;
    out->roles = own;
    return SWP_OK;
}
