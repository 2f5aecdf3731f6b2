/* SPDX-License-Identifier: Apache-2.0 */
/* The ways to give ops to roles where a loop leaves that open (docs/loops.md, "Roles to be found"). */
#ifndef SWP_IR_LOOP_ASSIGNMENTS_H
#define SWP_IR_LOOP_ASSIGNMENTS_H

#include "base/context.h"
#include "swp/loop.h"

/* Whether any op may be of several roles. */
bool swp_ir_loop_has_choice(const swp_loop *loop);

/* The role that a choice of an op is. */
int swp_ir_loop_choice(const swp_loop *loop, int op, int choice);

/*
 * Goes on to the next assignment, in which no two roles touch the same registers and warp groups issue wgmmas; `choice`
 * has the number of each op's choice, -1 for each before the first assignment. False behind the last.
 */
bool swp_ir_loop_next_assignment(const swp_loop *loop, int *choice);

/* The loop in which each op has this role, and each role the warps that it has whatever is chosen. */
swp_status swp_ir_loop_assign(swp_context *ctx, const swp_loop *loop, const int *roles,
                              swp_loop *out);

#endif
