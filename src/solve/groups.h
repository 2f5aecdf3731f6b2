/* SPDX-License-Identifier: Apache-2.0 */
/* Which uses exclude one another, and which ops may be exchanged. */
#ifndef SWP_SOLVE_GROUPS_H
#define SWP_SOLVE_GROUPS_H

#include "solve/encoding.h"

/*
 * Fills the groups: each resource's uses in groups of which one use at most is held at a time. `*done` is
 * false where the limits of the context ended that.
 */
swp_status swp_solve_group_uses(swp_context *ctx, swp_encoding *encoding, bool *done);

/* Fills `alike`: ops that are alone in their components and have the same uses. */
swp_status swp_solve_find_alike(swp_context *ctx, swp_encoding *encoding);

#endif
