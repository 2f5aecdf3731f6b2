/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the ops of instances, and ties their times to those of the first instances. */
#include "certify/loop_instances.h"

int swp_certify_instances_of_role(const swp_loop *loop, int role)
{
    if ((size_t)role >= loop->role_count || loop->roles[role].instances == 0)
        return 1;
    return loop->roles[role].instances;
}

int swp_certify_instances_of(const swp_loop *loop, int op)
{
    return swp_certify_instances_of_role(loop, loop->ops[op].role);
}

int swp_certify_op_of_instance(const swp_loop *loop, int op, int instance)
{
    int number = (int)loop->op_count;
    if (instance == 0 && op < (int)loop->op_count)
        return op;
    for (int before = 0; before < op; before++)
        number += swp_certify_instances_of(loop, before) - 1;
    return instance == 0 ? number : number + instance - 1;
}

static bool is_in(const int *values, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == value)
            return true;
    return false;
}

static bool makes(const swp_loop_op *op, int value)
{
    return is_in(op->writes, op->write_count, value) || is_in(op->updates, op->update_count, value);
}

bool swp_certify_accesses(const swp_loop_op *op, int value)
{
    bool accessed = makes(op, value);
    for (size_t r = 0; r < op->read_count; r++)
        accessed |= op->reads[r].value == value;
    return accessed;
}

/* Returns whether the first op that touches a value is of the role. */
static bool is_of_role(const swp_loop *loop, int value, int role)
{
    for (size_t o = 0; o < loop->op_count; o++)
        if (swp_certify_accesses(&loop->ops[o], value))
            return loop->ops[o].role == role;
    return false;
}

int64_t swp_certify_role_bytes(const swp_loop *loop, int role, const int *slots)
{
    int64_t bytes = 0;
    for (int v = 0; v < (int)loop->value_count; v++)
        if (loop->values[v].space == SWP_SPACE_REGISTERS && is_of_role(loop, v, role))
            bytes += loop->values[v].bytes * slots[v];
    return bytes;
}

bool swp_certify_is_matrix_group(const swp_loop *loop, int op)
{
    const swp_loop_op *o = &loop->ops[op];
    bool is_group = o->completion == SWP_COMPLETION_MATRIX_GROUP;
    for (int v = 0; v < (int)loop->value_count && o->completion == SWP_COMPLETION_GROUP; v++)
        is_group |= loop->values[v].space == SWP_SPACE_REGISTERS && makes(o, v);
    return is_group;
}

int swp_certify_warps_of(const swp_loop *loop, int role)
{
    int warps = loop->roles[role].warps;
    for (int o = 0; o < (int)loop->op_count && warps == 0; o++) {
        const swp_loop_op *op = &loop->ops[o];
        bool may = op->role == role;
        for (size_t i = 0; i < op->role_count; i++)
            may |= op->roles[i] == role;
        warps = may && swp_certify_is_matrix_group(loop, o) ? 4 : 0;
    }
    return warps > 0 ? warps : 1;
}

int64_t swp_certify_role_budget(const swp_loop *loop, int role)
{
    const int64_t lanes =
        32 * (int64_t)swp_certify_warps_of(loop, role) * swp_certify_instances_of_role(loop, role);
    return loop->roles[role].registers > 0 ? lanes * 4 * loop->roles[role].registers : -1;
}

/* Counts the shifts of the roles before one. */
static size_t shifts_before(const swp_loop *loop, int role)
{
    size_t count = 0;
    for (int r = 0; r < role; r++)
        count += (size_t)swp_certify_instances_of_role(loop, r) - 1;
    return count;
}

size_t swp_certify_shift_count(const swp_loop *loop)
{
    return shifts_before(loop, (int)loop->role_count);
}

static int64_t shift_of(const swp_loop *loop, const int64_t *shifts, int op, int instance)
{
    return instance == 0 ? 0
                         : shifts[shifts_before(loop, loop->ops[op].role) + (size_t)instance - 1];
}

swp_status swp_certify_add_shifts(swp_context *ctx, const swp_loop *loop, const int64_t *shifts,
                                  swp_problem *problem)
{
    swp_problem_edge *edges = NULL;
    size_t count = problem->edge_count;
    const int all = swp_certify_op_of_instance(loop, (int)loop->op_count, 0);
    SWP_TRY(SWP_TAKE(ctx, count + 2 * ((size_t)all - loop->op_count), &edges));
    for (size_t e = 0; e < count; e++)
        edges[e] = problem->edges[e];
    for (int op = 0; op < (int)loop->op_count; op++)
        for (int i = 1; i < swp_certify_instances_of(loop, op); i++) {
            const int other = swp_certify_op_of_instance(loop, op, i);
            const int64_t shift = shift_of(loop, shifts, op, i);
            edges[count++] = (swp_problem_edge){op, other, 0, shift};
            edges[count++] = (swp_problem_edge){other, op, 0, -shift};
        }
    problem->edges = edges;
    problem->edge_count = count;
    return SWP_OK;
}

swp_status swp_certify_shift_times(swp_context *ctx, const swp_loop *loop, const int64_t *times,
                                   const int64_t *shifts, const int64_t **out)
{
    int64_t *all = NULL;
    SWP_TRY(SWP_TAKE(ctx, (size_t)swp_certify_op_of_instance(loop, (int)loop->op_count, 0), &all));
    for (int op = 0; op < (int)loop->op_count; op++)
        for (int i = 0; i < swp_certify_instances_of(loop, op); i++)
            all[swp_certify_op_of_instance(loop, op, i)] =
                times[op] + shift_of(loop, shifts, op, i);
    *out = all;
    return SWP_OK;
}

/*
 * Treats the shifts as digits that do not fall within a role: raises the last one that can rise,
 * and sets those after it to the same.
 */
bool swp_certify_next_shifts(const swp_loop *loop, int64_t end, int64_t *shifts)
{
    for (int role = 0; role < (int)loop->role_count; role++) {
        int64_t *digits = shifts + shifts_before(loop, role);
        const int count = swp_certify_instances_of_role(loop, role) - 1;
        int at = count;
        while (at > 0 && digits[at - 1] + 1 >= end)
            at--;
        const int64_t value = at > 0 ? digits[at - 1] + 1 : 0;
        for (int i = at > 0 ? at - 1 : 0; i < count; i++)
            digits[i] = value;
        if (at > 0)
            return true;
    }
    return false;
}
