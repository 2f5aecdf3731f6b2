/* SPDX-License-Identifier: Apache-2.0 */
/* Good placements of barriers, fast. */
#ifndef SWP_SYNC_LOCAL_SEARCH_H
#define SWP_SYNC_LOCAL_SEARCH_H

#include "sync/search.h"

/*
 * Goes down from `gaps`, from the barriers of the kernel phase as it was given, and from one on each
 * side of every COMPUTE, and keeps the best. `gaps` must be enough.
 */
swp_status swp_sync_local_search(swp_sync_search *search);

#endif
