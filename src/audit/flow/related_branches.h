/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of which one way may exclude a way of another. */
#ifndef SWP_AUDIT_FLOW_RELATED_BRANCHES_H
#define SWP_AUDIT_FLOW_RELATED_BRANCHES_H

#include "audit/flow/fixpoint.h"
#include "audit/flow/origins.h"

/*
 * Two on the way to an instruction: `at` is one, -1 if there are none, and `like` the other one. It may be the same: a loop
 * passes it again, and it goes the same way as before, or so often as constants say.
 */
swp_status swp_flow_find_related_branches(const swp_fixpoint *fixpoint,
                                          const swp_origin_set *origins, int insn, int *at,
                                          int *like);

#endif
