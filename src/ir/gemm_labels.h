/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that are GEMMs: loads to shared memory, fragments of them to registers, MMAs over a grid. Their ops
 * have names in the published formats, which are labels: what a schedule does is in its dataflow.
 */
#ifndef SWP_IR_GEMM_LABELS_H
#define SWP_IR_GEMM_LABELS_H

#include "base/context.h"
#include "swp/compile.h"
#include "swp/loop.h"

/* Labels the ops of the body, which are the loop's, if the loop is a GEMM; else leaves them alone. */
swp_status swp_ir_gemm_label_body(swp_context *ctx, const swp_loop *loop, swp_op_list *body);

/* Whether ops of the body have labels, which then are those of a schedule with a dataflow. */
bool swp_ir_gemm_is_labelled(const swp_schedule *schedule);

/* The entry with the labels of its op, its slot and its tile; `kb` counts from its list's base. */
swp_op swp_ir_gemm_label_entry(const swp_schedule *schedule, const swp_op *entry, int kb);

#endif
