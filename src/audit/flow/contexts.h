/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contexts that blocks are followed in: a block that is reached with slots or flags of different known
 * values is followed once for each.
 */
#ifndef SWP_AUDIT_FLOW_CONTEXTS_H
#define SWP_AUDIT_FLOW_CONTEXTS_H

#include "audit/flow/control_flow.h"

enum { SWP_MOST_CONTEXTS = 32, SWP_NOT_TAKEN = -1 };

typedef struct swp_contexts {
    int *counts;           /* by block; 0: it is not reached */
    int (*next)[2];        /* by block and context, the successors' context; SWP_NOT_TAKEN */
    const bool *divergent; /* by block: whether its branch was taken for one; NULL: no matter */
    int most;              /* of any block */
    int total;
} swp_contexts;

/* The context of the successor `side` of a block that is in a context. */
int swp_flow_contexts_next(const swp_contexts *contexts, int block, int context, int side);

/* `reads_differ` as for swp_flow_fixpoint_build. */
swp_status swp_flow_contexts_find(swp_context *ctx, const swp_flow *flow, bool reads_differ,
                                  swp_contexts *out);

/* One for each block, and all branches may go both ways. */
swp_status swp_flow_contexts_plain(swp_context *ctx, const swp_flow *flow, swp_contexts *out);

#endif
