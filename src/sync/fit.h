/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that stand earlier than they must. */
#ifndef SWP_SYNC_FIT_H
#define SWP_SYNC_FIT_H

#include "sync/search.h"

/*
 * Tries the other sets of waits for the requirements of `gaps`, which the meter has just found: a wait that
 * stands earlier may serve two requirements, or issue while its group is held up anyway. Keeps what costs
 * less than the target.
 */
swp_status swp_sync_fit_waits(swp_sync_search *search, const int *gaps);

/* Lets each wait retire no more than the requirements ask of it, and takes out those that no requirement asks for. */
void swp_sync_weaken_waits(const swp_dataflow *flow, const swp_wait_requirement_list *requirements,
                           swp_sync_wait_list *waits);

/*
 * Takes the waits of the kernel phase as it was given for those of the best placement, where they are fewer, the placement
 * is that of the kernel phase, and a pass takes no more cycles. The meter has the requirements of that placement.
 * Compilers move less across more waits, which no cycles here count.
 */
swp_status swp_sync_take_given_waits(swp_sync_search *search);

#endif
