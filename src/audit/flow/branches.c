/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/flow/branches.h"

swp_wave_set swp_flow_branches_going(const swp_branches *branches, int block, int side,
                                     swp_wave_set waves)
{
    const swp_branching *branch = &branches->items[block];
    if (branch->sense != SWP_BRANCH_KNOWN)
        return waves;
    return side ? waves & branch->taken : waves & ~branch->taken;
}

swp_status swp_flow_branches_follow(swp_context *ctx, const swp_flow *flow, swp_branches *out)
{
    bool changed = true;
    SWP_TRY(SWP_TAKE(ctx, (size_t)flow->block_count, &out->come));
    out->come[0] = out->all;
    while (changed) {
        changed = false;
        for (int i = 0; i < flow->reached_count; i++) {
            const int from = flow->sequence[i];
            for (int s = 0; s < flow->blocks[from].successor_count; s++) {
                swp_wave_set *come = &out->come[flow->blocks[from].successors[s]];
                const swp_wave_set more =
                    *come | swp_flow_branches_going(out, from, s, out->come[from]);
                changed |= more != *come;
                *come = more;
            }
        }
    }
    return SWP_OK;
}
