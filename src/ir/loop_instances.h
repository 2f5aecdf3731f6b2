/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ops of a loop's scheduling problem: those of the loop, as instance 0 of each role does them, then the other
 * instances' op by op (docs/loops.md, "Instances").
 */
#ifndef SWP_IR_LOOP_INSTANCES_H
#define SWP_IR_LOOP_INSTANCES_H

#include "base/context.h"
#include "swp/loop.h"

/* How many instances a role has, and do an op. */
int swp_ir_loop_role_instances(const swp_loop *loop, int role);
int swp_ir_loop_instances(const swp_loop *loop, int op);

/* The ops of the problem, without a mark. */
int swp_ir_loop_problem_ops(const swp_loop *loop);

/* Which of them an instance's is. */
int swp_ir_loop_op_of(const swp_loop *loop, int op, int instance);

/* Instances beyond the first one of each role: how many numbers say by how much they are behind it. */
int swp_ir_loop_shifts(const swp_loop *loop);

/* Which of these numbers is the first one of a role. */
int swp_ir_loop_first_shift(const swp_loop *loop, int role);

/*
 * Ties the instances of a problem of the loop, which has a new list of edges then: the ops of each are `shifts` cycles
 * behind those of the first one of its role.
 */
swp_status swp_ir_loop_tie(swp_context *ctx, const swp_loop *loop, const int64_t *shifts,
                           swp_problem *problem);

#endif
