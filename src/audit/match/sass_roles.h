/* SPDX-License-Identifier: Apache-2.0 */
/* What ptxas kept of a schedule with warp roles. */
#ifndef SWP_AUDIT_MATCH_SASS_ROLES_H
#define SWP_AUDIT_MATCH_SASS_ROLES_H

#include "audit/flow/control_flow.h"
#include "audit/match/role_language.h"
#include "swp/audit.h"

/* Compares every function that copies, waits for phases or multiplies, and answers. E0814 where none does. */
swp_status swp_match_sass_roles(swp_context *ctx, const char *file, const swp_machine_code *code,
                                const swp_schedule *schedule, swp_audit_report *out);

/* How paths through the code are held against the schedule. */
typedef enum swp_role_paths {
    SWP_ELECTED_PATHS,      /* of the thread that `one` is */
    SWP_ELECTED_PATHS_MORE, /* the same, and waits may be stronger or more */
    SWP_ALL_PATHS           /* of any thread: what one thread does may be passed by */
} swp_role_paths;

/* The first place where a path leaves the schedule. */
typedef struct swp_role_mismatch {
    const swp_insn *at;
    const char *why; /* NULL: there is none */
} swp_role_mismatch;

/*
 * Follows all paths through a function, whatever decides its branches. `sizes`, unless NULL, takes by tag how many
 * instructions an op is where it surely stands alone, and keeps what it has besides.
 */
swp_status swp_match_role_paths(swp_context *ctx, const swp_flow *flow,
                                const swp_role_language *language, swp_role_paths which, int *sizes,
                                swp_role_mismatch *out);

#endif
