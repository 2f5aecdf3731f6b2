/* SPDX-License-Identifier: Apache-2.0 */
/* Where in a list synchronisation has to stand, if all that came before it is done there. */
#ifndef SWP_SYNC_CONFLICTS_H
#define SWP_SYNC_CONFLICTS_H

#include "base/context.h"
#include "swp/compile.h"

/*
 * For each operation of the prologue or epilogue whether it is the first one, or touches a place in shared memory that an
 * entry has written since the last one that was so in conflict, or writes one that was touched; likewise of registers.
 * Each pair in conflict then has synchronisation between the two, as late as can be. It may be more than the proof asks for.
 */
swp_status swp_sync_find_conflicts(swp_context *ctx, const swp_schedule *schedule, swp_phase phase,
                                   bool **conflicts);

#endif
