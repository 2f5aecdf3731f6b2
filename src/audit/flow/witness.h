/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what goes wrong on some path through a function goes wrong on one that waves can take. */
#ifndef SWP_AUDIT_FLOW_WITNESS_H
#define SWP_AUDIT_FLOW_WITNESS_H

#include "audit/flow/conflicts.h"

/*
 * Conflicts that are certain and lie behind branches that are related stay so only if a run with some arguments shows them;
 * the others get `related`.
 */
swp_status swp_flow_find_witnesses(swp_context *ctx, swp_fixpoint *fixpoint,
                                   swp_conflict_list *conflicts);

#endif
