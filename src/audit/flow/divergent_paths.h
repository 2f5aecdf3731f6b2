/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waves on different ways of a branch, from it to where the ways meet. No path leads from the one wave
 * to the other, so that what is under way on paths says nothing of the two: what one accesses is
 * compared with all that the other may have under way when as many barriers are behind it.
 */
#ifndef SWP_AUDIT_FLOW_WAYS_H
#define SWP_AUDIT_FLOW_WAYS_H

#include "audit/flow/conflicts.h"

swp_status swp_flow_find_divergent_conflicts(swp_fixpoint *fixpoint, const swp_lags *lags,
                                             swp_conflict_list *out);

#endif
