/* SPDX-License-Identifier: Apache-2.0 */
/* The issue of an instance, as a unit of a loop's scheduling problem (docs/loops.md, "Issue"). */
#ifndef SWP_IR_LOOP_ISSUE_H
#define SWP_IR_LOOP_ISSUE_H

#include "base/context.h"
#include "swp/loop.h"

/* Whether any op of the loop says how long it issues. If so, every op issues at the grant of its units. */
bool swp_ir_loop_states_issue(const swp_loop *loop);

/* The units of the loop and behind them, where an op has a time of issue, that of each instance. */
swp_status swp_ir_loop_build_units(swp_context *ctx, const swp_loop *loop, swp_problem *problem);

/* An op's uses of them, as an instance of its role has them. */
swp_status swp_ir_loop_build_uses(swp_context *ctx, const swp_loop *loop, int op, int instance,
                                  swp_problem_op *out);

/* The most cycles for which an op uses one of the units that the loop states; 0: it uses none. */
int64_t swp_ir_loop_longest_use(const swp_loop_op *op);

#endif
