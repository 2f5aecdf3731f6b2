/* SPDX-License-Identifier: Apache-2.0 */
/* A loop with warp roles on its way to a schedule. */
#ifndef SWP_LOWER_ROLES_H
#define SWP_LOWER_ROLES_H

#include "lower/loop_schedule.h"

/*
 * Names the object of each completion that leaves it open: a copy by TMA, a wgmma, a store by TMA. Refuses what has no
 * meaning in a schedule with warp roles.
 */
swp_status swp_lower_role_completions(swp_context *ctx, swp_loop *loop);

/* Writes the streams of the roles, with their synchronisation. */
swp_status swp_lower_role_streams(swp_loop_writer *writer);

#endif
