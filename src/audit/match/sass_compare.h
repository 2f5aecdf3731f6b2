/* SPDX-License-Identifier: Apache-2.0 */
/* What an assembler that orders instructions by itself kept of a schedule (NVIDIA's ptxas). */
#ifndef SWP_AUDIT_MATCH_SASS_COMPARE_H
#define SWP_AUDIT_MATCH_SASS_COMPARE_H

#include "audit/match/path.h"
#include "ir/effects.h"
#include "swp/audit.h"

/* Compares every function with the schedule, and answers. E0814 without a loop. */
swp_status swp_match_sass(swp_context *ctx, const char *file, const swp_machine_code *code,
                          const swp_schedule *schedule, swp_audit_report *out);

/*
 * Adds an obstacle for what no comparison can answer for: unknown instructions, calls, stores to shared
 * memory and ends of threads within the schedule, and copies, fragment reads and multiplications that
 * no path leads to. `reached`, by instruction of the function, says what some path leads to, of whatever
 * `flow` follows. Without a `path`, a function without a loop: any of these three.
 */
swp_status swp_match_find_unscheduled(swp_context *ctx, const swp_flow *flow, const bool *reached,
                                      const swp_path *path, swp_audit_report *out);

/*
 * Compares the run of the least tiles and two passes more, as the schedule and as the code has it:
 * groups of copies, waits and barriers one by one, reads and multiplications by how many stand
 * between two barriers. `untaken` is the BRA.CONV that the path falls through; NULL: none.
 */
swp_status swp_match_sass_path(swp_context *ctx, const swp_path *path, const swp_insn *untaken,
                               const swp_effects *effects, swp_audit_report *out);

#endif
