/* SPDX-License-Identifier: Apache-2.0 */
/* Taking away the waits and barriers that a safe schedule does not need. */
#ifndef SWP_SYNC_RELAX_H
#define SWP_SYNC_RELAX_H

#include "base/budget.h"
#include "swp/sync.h"

/*
 * Takes away every wait and barrier of the epilogue and of the prologue, and raises every wait, as
 * far as the proof stays: what is left is needed, each entry for some dependence and each count to
 * the unit. `schedule` must be safe. A budget that ends leaves a safe schedule that waits more than
 * it need.
 */
swp_status swp_sync_relax(swp_context *ctx, swp_schedule *schedule, swp_budget *budget);

/* Where the last list of a form stands. */
swp_entry_list *swp_sync_end_of_form(swp_schedule *schedule, size_t form);

/* Whether anything is left that it would try, had it a budget. */
bool swp_sync_can_relax(const swp_schedule *schedule);

#endif
