/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waves on divergent paths, from a branch to where they reconverge. No path leads from the one wave to
 * the other, so that the fixpoint says nothing of the two together: what one accesses is compared with
 * all that the other may have in flight when as many barriers are behind it.
 */
#ifndef SWP_AUDIT_FLOW_DIVERGENT_PATHS_H
#define SWP_AUDIT_FLOW_DIVERGENT_PATHS_H

#include "audit/flow/conflicts.h"

swp_status swp_flow_find_divergent_conflicts(swp_fixpoint *fixpoint, const swp_lags *lags,
                                             swp_conflict_list *out);

#endif
