/* SPDX-License-Identifier: Apache-2.0 */
/* What the conditions of branches are computed from: two of one origin may be related. */
#ifndef SWP_AUDIT_FLOW_ORIGINS_H
#define SWP_AUDIT_FLOW_ORIGINS_H

#include "audit/flow/control_flow.h"

/* A bit for each origin; some have the same one. */
typedef uint64_t swp_origin_set;

/* By block: of the condition of the branch at its end; of those without one, none. */
swp_status swp_flow_find_origins(swp_context *ctx, const swp_flow *flow, swp_origin_set **out);

#endif
