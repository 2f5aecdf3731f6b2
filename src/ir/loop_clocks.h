/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with output tiles: which ops are done once a tile, and which in passes (docs/roles-reference.md, "Output tiles"). */
#ifndef SWP_IR_LOOP_CLOCKS_H
#define SWP_IR_LOOP_CLOCKS_H

#include "base/context.h"
#include "swp/loop.h"

/* Refuses clocks without a meaning: those of a loop without output tiles, ops of a tile among those of passes. */
swp_status swp_ir_check_loop_clocks(swp_context *ctx, const swp_loop *loop);

/* The first op of the pass clock; there is one. Ops before it, and those behind the last one, are done once a tile. */
int swp_ir_loop_first_of_passes(const swp_loop *loop);

/* The loop of a tile's passes, which shares all that `loop` points to. */
swp_loop swp_ir_loop_of_passes(const swp_loop *loop);

#endif
