/* SPDX-License-Identifier: Apache-2.0 */
/* What a certificate of a loop with output tiles speaks of: its passes, between the ops that are done once a tile. */
#include "certify/loop_passes.h"

swp_loop swp_certify_passes_of(const swp_loop *loop)
{
    swp_loop passes = *loop;
    while (passes.op_count > 0 && passes.ops->clock == SWP_TILE_CLOCK) {
        passes.ops++;
        passes.op_count--;
    }
    while (passes.op_count > 0 && passes.ops[passes.op_count - 1].clock == SWP_TILE_CLOCK)
        passes.op_count--;
    return passes;
}
