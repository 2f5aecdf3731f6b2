/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up what the instances of a role have of registers. */
#include "ir/loop_registers.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/roles.h"

/* Whether the op is, or may be, of the role. */
static bool may_be_of(const swp_loop_op *op, int role)
{
    for (size_t i = 0; i < op->role_count; i++)
        if (op->roles[i] == role)
            return true;
    return op->role == role;
}

bool swp_ir_loop_is_wgmma(const swp_loop *loop, const swp_loop_op *op)
{
    return op->completion == SWP_COMPLETION_MATRIX_GROUP ||
           (op->completion == SWP_COMPLETION_GROUP &&
            swp_ir_loop_makes_in(loop, op, SWP_SPACE_REGISTERS));
}

int swp_ir_loop_role_warps(const swp_loop *loop, int role)
{
    if (loop->roles[role].warps > 0)
        return loop->roles[role].warps;
    for (size_t i = 0; i < loop->op_count; i++)
        if (may_be_of(&loop->ops[i], role) && swp_ir_loop_is_wgmma(loop, &loop->ops[i]))
            return SWP_IR_GROUP_WARPS;
    return 1;
}

int swp_ir_loop_role_threads(const swp_loop *loop, int role)
{
    return swp_ir_loop_role_warps(loop, role) * swp_ir_loop_role_instances(loop, role) *
           SWP_IR_WARP_THREADS;
}

bool swp_ir_loop_states_registers(const swp_loop *loop)
{
    for (size_t i = 0; i < loop->role_count; i++)
        if (loop->roles[i].registers > 0)
            return true;
    return false;
}

int64_t swp_ir_loop_role_bytes(const swp_loop *loop, int role)
{
    const int64_t registers = loop->roles[role].registers;
    return registers == 0 ? -1
                          : registers * SWP_REGISTER_BYTES * swp_ir_loop_role_threads(loop, role);
}

bool swp_ir_loop_accesses(const swp_loop_op *op, int value)
{
    for (size_t i = 0; i < op->read_count; i++)
        if (op->reads[i].value == value)
            return true;
    return swp_ir_loop_makes(op, value);
}

int swp_ir_loop_role_of_value(const swp_loop *loop, int value)
{
    if (loop->role_count == 0 || loop->values[value].space != SWP_SPACE_REGISTERS)
        return SWP_NO_ROLE;
    for (size_t i = 0; i < loop->op_count; i++)
        if (swp_ir_loop_accesses(&loop->ops[i], value))
            return loop->ops[i].role;
    return SWP_NO_ROLE;
}

int64_t swp_ir_loop_role_registers(const swp_loop *loop, int role, int64_t bytes)
{
    const int64_t each = (int64_t)SWP_REGISTER_BYTES * swp_ir_loop_role_threads(loop, role);
    return (bytes + each - 1) / each;
}
