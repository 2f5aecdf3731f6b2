/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of synchronisation before every operation where a limit ends before proofs have thinned it out. */
#ifndef SWP_SYNC_SHORTEN_H
#define SWP_SYNC_SHORTEN_H

#include "base/context.h"
#include "swp/compile.h"

/*
 * In each list around the kernel of a loop, synchronisation at conflicts alone (sync/conflicts.h), if the list is
 * shorter so. That takes one proof; what is not safe then stays as it was.
 */
swp_status swp_sync_shorten_ends(swp_context *ctx, swp_schedule *schedule);

#endif
