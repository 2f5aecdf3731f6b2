/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derived synchronisation in two steps: the kernel phase says what a pass takes, so that of many schedules only the one that
 * is kept needs the second step, which takes a proof for each wait that may go.
 */
#ifndef SWP_SYNC_ENDS_H
#define SWP_SYNC_ENDS_H

#include "base/context.h"
#include "pipeline/loop_waits.h"
#include "swp/sync.h"

/* The first step of swp_derive_sync(): around the kernel phase stand all waits that any list may need. That is proven. */
swp_status swp_sync_derive_kernel(swp_context *ctx, swp_schedule *schedule, swp_sync_goal goal,
                                  bool pace, swp_kernel_sync *kernel, swp_sync_result *result);

/* Where the lagging group falls behind: at the begin, or with no lag behind the whole prologue, as long as it now is. */
void swp_sync_place_stagger(swp_schedule *schedule);

/* What a pass takes with what now stands before it. */
swp_status swp_sync_count_cycles(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_kernel_sync *kernel, swp_sync_result *result);

/* The second step: drops what is not needed around the kernel phase. The lists of the first step stay as they are. */
swp_status swp_sync_drop_ends(swp_context *ctx, swp_schedule *schedule,
                              const swp_kernel_sync *kernel, swp_sync_result *result);

#endif
