/* SPDX-License-Identifier: Apache-2.0 */
/* The check of latencies that a loop states for single dependences. */
#ifndef SWP_IR_LOOP_LATENCIES_H
#define SWP_IR_LOOP_LATENCIES_H

#include "base/context.h"
#include "swp/loop.h"

/* Of the op of this number; its values must be known to be some of the loop. */
swp_status swp_ir_loop_check_latencies(swp_context *ctx, const swp_loop *loop, int index);

#endif
