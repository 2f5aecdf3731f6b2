/* SPDX-License-Identifier: Apache-2.0 */
/* Where waves meet, and where one waits for ever because another has no barrier left. */
#ifndef SWP_VERIFY_BARRIERS_H
#define SWP_VERIFY_BARRIERS_H

#include "verify/step.h"

/* All waves meet; `at` is what a report names. */
swp_status swp_verify_follow_barrier(swp_followed_run *run, swp_entry_ref at);

/* Group 1 passes the barrier by which it lags. */
swp_status swp_verify_follow_lag(swp_followed_run *run);

/*
 * Whether group 1 has one more barrier in a run, from an entry of its present phase on.
 * @param lag_to_come  of an entry of the prologue: it has not passed the barrier by which it lags
 */
bool swp_verify_barrier_follows(const swp_model *model, swp_entry_ref from, bool more_passes,
                                bool lag_to_come);

/* Whether group 0 waits for a group that does not lag, after the last entry. */
swp_status swp_verify_find_unmet_end(swp_findings *findings);

#endif
