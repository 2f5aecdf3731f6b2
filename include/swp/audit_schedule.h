/* SPDX-License-Identifier: Apache-2.0 */
/** @file audit_schedule.h  Whether machine code carries out its schedule (docs/audit.md, "Against a schedule"). */
#ifndef SWP_AUDIT_SCHEDULE_H
#define SWP_AUDIT_SCHEDULE_H

#include "swp/audit.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What swp_audit_with() does, and whether the code carries the schedule out: which instruction is which entry, what the
 * compiler changed, and whether the result computes the loop (docs/verification.md, with raw registers).
 * @param launch  of PTX only, as in swp_audit_options; NULL: none is stated
 * @return SWP_INVALID also for a schedule of another target (E0816), or without a loop (E0814).
 */
SWP_API swp_status swp_audit_schedule(swp_context *ctx, const char *text, size_t length,
                                      const char *file, const swp_schedule *schedule,
                                      const swp_audit_launch *launch, swp_audit_report *out);

#ifdef __cplusplus
}
#endif
#endif
