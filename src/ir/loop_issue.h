/* SPDX-License-Identifier: Apache-2.0 */
/* The issue of an instance, as a unit of a loop's scheduling problem (docs/loops.md, "Issue"). */
#ifndef SWP_IR_LOOP_ISSUE_H
#define SWP_IR_LOOP_ISSUE_H

#include "base/context.h"
#include "swp/loop.h"

/* For how long an instance issues an op, and nothing else; 0 where no op of the loop says it. */
int64_t swp_ir_loop_issue(const swp_loop *loop, int op);

/* The units of the loop and behind them, where an op has a time of issue, that of each instance. */
swp_status swp_ir_loop_build_units(swp_context *ctx, const swp_loop *loop, swp_problem *problem);

/* An op's uses of them, as an instance of its role has them. */
swp_status swp_ir_loop_build_uses(swp_context *ctx, const swp_loop *loop, int op, int instance,
                                  swp_problem_op *out);

#endif
