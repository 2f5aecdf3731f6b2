/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the ops of a loop's scheduling problem, in which each instance of a role does the role's ops. */
#include "ir/loop_instances.h"

#include <string.h>

int swp_ir_loop_role_instances(const swp_loop *loop, int role)
{
    const int instances = role < (int)loop->role_count ? loop->roles[role].instances : 0;
    return instances > 0 ? instances : 1;
}

int swp_ir_loop_instances(const swp_loop *loop, int op)
{
    return swp_ir_loop_role_instances(loop, loop->ops[op].role);
}

/* Of ops before `end`, what instances but the first do. */
static int count_others(const swp_loop *loop, int end)
{
    int others = 0;
    for (int op = 0; op < end; op++)
        others += swp_ir_loop_instances(loop, op) - 1;
    return others;
}

int swp_ir_loop_problem_ops(const swp_loop *loop)
{
    const int ops = (int)loop->op_count;
    return ops + count_others(loop, ops);
}

int swp_ir_loop_op_of(const swp_loop *loop, int op, int instance)
{
    return instance == 0 ? op : (int)loop->op_count + count_others(loop, op) + instance - 1;
}

int swp_ir_loop_first_shift(const swp_loop *loop, int role)
{
    int first = 0;
    for (int r = 0; r < role; r++)
        first += swp_ir_loop_role_instances(loop, r) - 1;
    return first;
}

int swp_ir_loop_shifts(const swp_loop *loop)
{
    return swp_ir_loop_first_shift(loop, (int)loop->role_count);
}

swp_status swp_ir_loop_tie(swp_context *ctx, const swp_loop *loop, const int64_t *shifts,
                           swp_problem *problem)
{
    swp_problem_edge *edges = NULL;
    const int ops = (int)loop->op_count;
    SWP_TRY(SWP_TAKE(ctx, problem->edge_count + 2 * (size_t)count_others(loop, ops), &edges));
    if (problem->edge_count > 0)
        memcpy(edges, problem->edges, problem->edge_count * sizeof *edges);
    swp_problem_edge *next = edges + problem->edge_count;
    for (int op = 0; op < ops; op++)
        for (int i = 1; i < swp_ir_loop_instances(loop, op); i++) {
            const int64_t shift = shifts[swp_ir_loop_first_shift(loop, loop->ops[op].role) + i - 1];
            const int other = swp_ir_loop_op_of(loop, op, i);
            *next++ = (swp_problem_edge){op, other, 0, shift};
            *next++ = (swp_problem_edge){other, op, 0, -shift};
        }
    problem->edges = edges;
    problem->edge_count = (size_t)(next - edges);
    return SWP_OK;
}
