/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file sync.h  Synchronisation from the proof: waits and barriers for an order of data operations
 * (docs/synthesis.md).
 */
#ifndef SWP_SYNC_H
#define SWP_SYNC_H

#include "swp/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What derive_sync made of a kernel pass. */
typedef struct swp_sync_result {
    int barriers;       /**< of a kernel pass */
    int least_barriers; /**< that any placement needs, proven */
} swp_sync_result;

/**
 * derive_sync: keeps the data operations of the kernel phase in their order, drops all other
 * entries, and makes a prologue, waits and barriers, and an epilogue that are safe for every number
 * of tiles. The phases of `schedule` are replaced; kernel deps are dropped.
 *
 * The goal `barriers` is met exactly. For `cycles` placements are improved one move or one barrier
 * at a time by simulated cycles, with no more barriers than the kernel phase had: a local optimum.
 * @param pace  keep a barrier on each side of every COMPUTE
 * @return SWP_INVALID where no synchronisation makes the order right, naming the dependence.
 */
SWP_API swp_status swp_derive_sync(swp_context *ctx, swp_schedule *schedule, swp_sync_goal goal,
                                   bool pace, swp_sync_result *result);

#ifdef __cplusplus
}
#endif
#endif
