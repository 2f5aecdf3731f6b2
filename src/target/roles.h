/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a target can run a schedule with warp roles. */
#ifndef SWP_TARGET_ROLES_H
#define SWP_TARGET_ROLES_H

#include "swp/compile.h"

enum { SWP_TARGET_MBARRIER_BYTES = 8 }; /* PTX ISA, "mbarrier object" */

/*
 * Refuses ops that complete by what the schedule's target does not have, and more shared memory than that has for values
 * and mbarriers together. A schedule without a target, or of one that is not known, is not asked.
 */
swp_status swp_target_check_roles(swp_context *ctx, const swp_schedule *schedule);

#endif
