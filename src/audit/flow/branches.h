/* SPDX-License-Identifier: Apache-2.0 */
/* How the branches of a function go, over all that is known, and which waves may reach which block. */
#ifndef SWP_AUDIT_FLOW_BRANCHES_H
#define SWP_AUDIT_FLOW_BRANCHES_H

#include "audit/flow/control_flow.h"
#include "audit/flow/registers.h"

typedef struct swp_branching {
    swp_branch_sense sense;
    swp_wave_set taken; /* waves that branch, if that is known */
    unsigned doubts;    /* what must hold for it to be uniform, if it is */
} swp_branching;

typedef struct swp_branches {
    swp_branching *items;   /* by block: of its last instruction */
    swp_wave_set *reaching; /* by block: waves that may reach it */
    swp_wave_set all;
} swp_branches;

/* From the senses of all branches, which `out` has, `reaching`. */
swp_status swp_flow_branches_propagate(swp_context *ctx, const swp_flow *flow, swp_branches *out);

/* Those of some waves that may go on from a block to its successor `side`. */
swp_wave_set swp_flow_branches_along(const swp_branches *branches, int block, int side,
                                     swp_wave_set waves);

#endif
