/* SPDX-License-Identifier: Apache-2.0 */
/* Work groups that share a multiprocessor: each sees its units held for all of them (docs/loops.md, "Work groups of a multiprocessor"). */
#ifndef SWP_IR_LOOP_RESIDENT_H
#define SWP_IR_LOOP_RESIDENT_H

#include "base/context.h"
#include "swp/loop.h"

/* For how many work groups the ops hold units. */
int swp_ir_loop_resident(const swp_loop *loop);

/* The fewest that the loop wishes for. */
int swp_ir_least_resident(const swp_loop *loop);

/* Lets the ops hold units for so many work groups, which is refused where that takes too many cycles. */
swp_status swp_ir_loop_share_units(swp_context *ctx, int work_groups, swp_loop *loop);

#endif
