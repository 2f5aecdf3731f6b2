/* SPDX-License-Identifier: Apache-2.0 */
/* Proxy fences, and those of mbarrier.init: which events they cover for those who come to know of them. */
#include "audit/ptx/execute.h"
#include "audit/ptx/order.h"

static void cover(int *at, int known, int fenced)
{
    for (int chain = 0; chain < SWP_PTX_MOST_CHAINS; chain++)
        if (at[known + chain] > at[fenced + chain])
            at[fenced + chain] = at[known + chain];
}

void swp_ptx_execute_fence(const swp_ptx_step *step)
{
    swp_ptx_run *run = step->run;
    const bool announces = swp_ptx_has(step->insn->name, "mbarrier_init");
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        int *at = run->clocks[chain].at;
        if (!(swp_ptx_chains_of(step->lanes) >> which & 1))
            continue;
        /* Wherever it stands on the way from the store to who needs it (Lustig et al. 2022). */
        if (!announces) {
            cover(at, 0, SWP_PTX_CLOCK_FENCED);
            cover(at, SWP_PTX_CLOCK_COPIES, SWP_PTX_CLOCK_FENCED_COPIES);
        }
        for (int i = 0; i < run->mbarrier_count; i++) {
            run->mbarriers[i].fenced |= run->mbarriers[i].chain == chain;
            run->mbarriers[i].announced |= run->mbarriers[i].chain == chain && announces;
        }
    }
}
