/* SPDX-License-Identifier: Apache-2.0 */
/* Branches that compare the same as others do. */
#ifndef SWP_AUDIT_FLOW_REPEATED_BRANCHES_H
#define SWP_AUDIT_FLOW_REPEATED_BRANCHES_H

#include "audit/flow/control_flow.h"

/* Whether one stands between two instructions: then `at` is it, and `like` the other one. */
bool swp_flow_find_repeated_branch(const swp_flow *flow, int from, int to, int *at, int *like);

#endif
