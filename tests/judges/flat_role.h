/* SPDX-License-Identifier: Apache-2.0 */
/* A loop without warp roles, written as one role whose threads are its waves. */
#ifndef TEST_JUDGES_FLAT_ROLE_H
#define TEST_JUDGES_FLAT_ROLE_H

#include "swp/compile.h"
#include "swp/loop.h"
#include "swp/verify.h"

/*
 * The schedule as one role, in the memory of the context, with every barrier as an entry. Two groups with a lag are its
 * instances; without one they do the same, and are waves of one instance. An op that updates a shared value reads the shares
 * of all there, and writes its own.
 */
swp_schedule flat_role(swp_context *ctx, const swp_schedule *flat);

/* Gives entries of the role the numbers that they have in published lists. */
void flat_role_publish(const swp_schedule *role, swp_hazard_list *hazards);

/* Whether they have the same hazards, at the same entries, with the same least N. */
bool flat_role_agree(const swp_hazard_list *one, const swp_hazard_list *other);

#endif
