/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which uses exclude one another, and which ops may be exchanged. */
#ifndef SWP_SOLVE_GROUPS_H
#define SWP_SOLVE_GROUPS_H

#include "solve/encoding.h"

/*
 * Splits the uses of each resource into groups of which at most one use is held at a time. `*done`
 * is false if the limits of the context ended that.
 */
swp_status swp_solve_group_uses(swp_context *ctx, swp_encoding *encoding, bool *done);

/*
 * Fills `alike` with the ops that are alone in their components and have the same uses: they may be
 * exchanged.
 */
swp_status swp_solve_find_alike(swp_context *ctx, swp_encoding *encoding);

#endif
