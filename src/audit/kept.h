/* SPDX-License-Identifier: Apache-2.0 */
/* What an assembler that orders instructions by itself kept of a schedule (NVIDIA's ptxas). */
#ifndef SWP_AUDIT_KEPT_H
#define SWP_AUDIT_KEPT_H

#include "audit/path.h"
#include "swp/audit.h"

/*
 * Compares the run of the least tiles and two passes more, as the schedule and as the code has it:
 * groups of copies, waits and barriers one by one, reads and multiplications by how many stand
 * between two barriers.
 */
swp_status swp_compare_kept(swp_context *ctx, const swp_path *path, const swp_schedule *schedule,
                            swp_audit_report *out);

#endif
