/* SPDX-License-Identifier: Apache-2.0 */
/* All placements, gap by gap, but those that cannot cost less than a target. */
#ifndef SWP_SYNC_BRANCH_AND_BOUND_H
#define SWP_SYNC_BRANCH_AND_BOUND_H

#include "sync/search.h"

/*
 * Keeps what costs less than `target`. Unless `cut` afterwards, no placement is left that does, but
 * perhaps one from `open` up.
 */
swp_status swp_sync_branch_and_bound(swp_sync_search *search, swp_sync_cost target,
                                     uint64_t effort);

#endif
