/* SPDX-License-Identifier: Apache-2.0 */
/* What an assembler that orders instructions by itself kept of a schedule (NVIDIA's ptxas). */
#ifndef SWP_AUDIT_KEPT_H
#define SWP_AUDIT_KEPT_H

#include "audit/path.h"
#include "swp/audit.h"

/*
 * Adds an obstacle for what no comparison can answer for: unknown instructions, calls, stores to shared
 * memory and ends of threads within the schedule, and copies, fragment reads and multiplications that
 * no way leads to. Without a `path`, a function without a loop: any of these three.
 */
swp_status swp_find_strays(swp_context *ctx, const swp_flow *flow, const swp_path *path,
                           swp_audit_report *out);

/*
 * Compares the run of the least tiles and two passes more, as the schedule and as the code has it:
 * groups of copies, waits and barriers one by one, reads and multiplications by how many stand
 * between two barriers.
 */
swp_status swp_compare_kept(swp_context *ctx, const swp_path *path, const swp_schedule *schedule,
                            swp_audit_report *out);

#endif
