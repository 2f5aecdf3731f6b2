/* SPDX-License-Identifier: Apache-2.0 */
/* What the completion of an op says: of which sort it is, and which wait is for the op (docs/loops.md, "What counts an access"). */
#ifndef SWP_IR_COMPLETIONS_H
#define SWP_IR_COMPLETIONS_H

#include "base/context.h"
#include "ir/entry.h"
#include "swp/loop.h"

/* NONE, COUNTER, GROUP or MBARRIER: of what sort a completion is that names its object or is not stated. */
swp_completion swp_ir_completion_kind(swp_completion completion);

/* The completion that names the object of a sort that a wait is for; NONE: of no object. */
swp_completion swp_ir_completion_of(swp_completion sort, swp_wait_kind wait);

/* What an op of a warp role completes by that says only of what sort that is, by what it touches. */
swp_completion swp_ir_loop_role_completion(const swp_loop *loop, const swp_loop_op *op);

/* Whether the spaces that an op touches tell which wait is for it, where its completion does not. */
bool swp_ir_loop_infers_wait(const swp_loop *loop, const swp_loop_op *op, swp_wait_kind *wait);

/* The wait that is for the op: as its completion says, or else the spaces that it touches. */
swp_wait_kind swp_ir_loop_wait_of(const swp_loop *loop, const swp_loop_op *op);

/*
 * Whether who reads the register that the op makes waits for it, where registers are not raw: it
 * makes nothing else, since of several accesses nobody knows which brings which.
 */
bool swp_ir_loop_is_awaited(const swp_loop *loop, const swp_loop_op *op);

/* Whether it reads its registers until it is retired; what a counter counts does so at issue. */
bool swp_ir_loop_reads_in_flight(const swp_loop_op *op);

/* Whether it and others like it go on in one accumulator in order (wgmma): they write no shared memory. */
bool swp_ir_loop_is_in_order(const swp_loop *loop, const swp_loop_op *op);

/* Refuses ops that leave open what counts them, and writes to shared memory without a word of when they are done. */
swp_status swp_ir_check_completions(swp_context *ctx, const swp_loop *loop);

#endif
