/* SPDX-License-Identifier: Apache-2.0 */
/* Whether lists that stand in for blocks do what the blocks do. */
#ifndef SWP_LOWER_EXPLICIT_BLOCKS_H
#define SWP_LOWER_EXPLICIT_BLOCKS_H

#include "swp/program.h"

/*
 * Explicit lists are one per block or none at all, and each that is not empty holds the block's
 * loads, fragments and MMA exactly once.
 */
swp_status swp_lower_check_explicit_blocks(swp_context *ctx, const swp_program *program);

#endif
