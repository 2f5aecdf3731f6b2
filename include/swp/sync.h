/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file sync.h  Derives waits and barriers from the proof, for an order of data operations
 * (docs/scheduling.md).
 */
#ifndef SWP_SYNC_H
#define SWP_SYNC_H

#include "swp/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * derive_sync: keeps the data operations of the kernel phase in their order, drops all other
 * entries, and makes a prologue, waits and barriers, and an epilogue that are safe for every number
 * of tiles (docs/scheduling.md). The phases of `schedule` are replaced; kernel deps are dropped.
 *
 * The goal `barriers` takes as few barriers a pass as any placement can, the goal `cycles` as many
 * as the kernel phase had, if that is more. Of the placements with up to so many it takes the one
 * with the fewest simulated cycles a pass, and of these the one with the fewest barriers. `result`
 * says whether that is proven, and if not how many cycles any placement takes at least.
 * @param pace    keep a barrier on each side of every COMPUTE
 * @param result  what came of it
 * @return SWP_INVALID where no synchronisation makes the order right, naming the dependence. SWP_OK
 *         also where a limit of the context ended the search: a warning says so, and what there is
 *         is safe.
 */
SWP_API swp_status swp_derive_sync(swp_context *ctx, swp_schedule *schedule, swp_sync_goal goal,
                                   bool pace, swp_sync_result *result);

#ifdef __cplusplus
}
#endif
#endif
