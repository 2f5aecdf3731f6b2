/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divergent branches, and the scalars that may differ between waves where their paths join, however
 * uniform they were on either. Up to there nothing is taken of two waves on divergent paths but what
 * is known of each.
 */
#ifndef SWP_AUDIT_FLOW_DIVERGENCE_H
#define SWP_AUDIT_FLOW_DIVERGENCE_H

#include "audit/flow/control_flow.h"
#include "audit/flow/registers.h"

typedef struct swp_divergence {
    bool **written;  /* by block: scalars written on divergent paths that join there; NULL: none */
    bool *divergent; /* by block: whether its branch is */
} swp_divergence;

swp_status swp_flow_divergence_init(swp_context *ctx, const swp_flow *flow, swp_divergence *out);

/* Takes the branch at the end of a block as one; `new` says that it was none before. */
swp_status swp_flow_divergence_add(swp_context *ctx, const swp_flow *flow, int block,
                                   swp_divergence *out, bool *new);

/* What is known at the start of a block; returns whether that is less than before. */
bool swp_flow_divergence_apply(const swp_divergence *divergence, const swp_values *values,
                               int block, swp_registers *registers);

#endif
