/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a target can run a schedule with warp roles. */
#ifndef SWP_TARGET_ROLES_H
#define SWP_TARGET_ROLES_H

#include "swp/compile.h"

enum { SWP_TARGET_MBARRIER_BYTES = 8 }; /* PTX ISA, "mbarrier object" */

/* What the mbarriers of a schedule take of shared memory. */
int64_t swp_target_mbarrier_bytes(const swp_schedule *schedule);

/*
 * Refuses ops whose completion the schedule's target does not have, and values and mbarriers that
 * exceed its shared memory together. A schedule without a known target passes.
 */
swp_status swp_target_check_roles(swp_context *ctx, const swp_schedule *schedule);

#endif
