/* SPDX-License-Identifier: Apache-2.0 */
/* Translation validation of code against its schedule. */
#ifndef SWP_AUDIT_MATCH_SCHEDULE_H
#define SWP_AUDIT_MATCH_SCHEDULE_H

#include "audit/flow/lag.h"
#include "audit/match/path.h"
#include "swp/audit.h"

/* Fills in what the report says of the schedule: obstacles, changes, hazards, cycles. */
swp_status swp_match_schedule(swp_context *ctx, const swp_path *path, const swp_lags *lags,
                              const swp_schedule *schedule, swp_audit_report *out);

#endif
