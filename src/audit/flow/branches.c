/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which waves may reach which block, from how its branches go: a set of waves pushed along edges to a
 * fixpoint.
 */
#include "audit/flow/branches.h"

swp_wave_set swp_flow_branches_along(const swp_branches *branches, int block, int side,
                                     swp_wave_set waves)
{
    const swp_branching *branch = &branches->items[block];
    if (branch->sense != SWP_BRANCH_KNOWN)
        return waves;
    return side ? waves & branch->taken : waves & ~branch->taken;
}

swp_status swp_flow_branches_propagate(swp_context *ctx, const swp_flow *flow, swp_branches *out)
{
    bool changed = true;
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->block_count, &out->reaching));
    out->reaching[0] = out->all;
    while (changed) {
        changed = false;
        for (int i = 0; i < flow->reached_count; i++) {
            const int from = flow->rpo[i];
            for (int s = 0; s < flow->blocks[from].successor_count; s++) {
                swp_wave_set *reaching = &out->reaching[flow->blocks[from].successors[s]];
                const swp_wave_set more =
                    *reaching | swp_flow_branches_along(out, from, s, out->reaching[from]);
                changed |= more != *reaching;
                *reaching = more;
            }
        }
    }
    return SWP_OK;
}
