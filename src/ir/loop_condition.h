/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that run in some iterations only (docs/loops.md, "Ops that do not always run"). */
#ifndef SWP_IR_LOOP_CONDITION_H
#define SWP_IR_LOOP_CONDITION_H

#include "base/text.h"
#include "swp/loop.h"

bool swp_ir_loop_is_conditional(const swp_loop_op *op);

/* Refuses a conditional op that does what must be done, or counted, in every iteration. */
swp_status swp_ir_loop_check_condition(swp_context *ctx, const swp_loop *loop, int index);

/* `user`, or `i % n == k`; of an op that always runs `always`. */
void swp_ir_loop_put_condition(swp_text *text, const swp_loop_op *op);

#endif
