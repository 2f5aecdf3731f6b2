/* SPDX-License-Identifier: Apache-2.0 */
/* Where waves meet, and where one waits for ever because another has no barrier left. */
#ifndef SWP_BODIES_BARRIERS_H
#define SWP_BODIES_BARRIERS_H

#include "verify/bodies/step.h"

/* All waves meet, or group 1 passes the barrier by which it lags. */
swp_status swp_bodies_follow_barrier(swp_followed_run *run, swp_entry_ref at);

/* Whether group 0 waits for a group that does not lag, after the last entry. */
swp_status swp_bodies_find_unmet_end(swp_findings *findings);

#endif
