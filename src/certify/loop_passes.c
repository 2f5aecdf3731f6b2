/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts a loop with output tiles down to its passes, which its certificate speaks of. */
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
