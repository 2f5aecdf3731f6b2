/* SPDX-License-Identifier: Apache-2.0 */
/* Proxy fences, and those of mbarrier.init: which events they cover for those who come to know of them. */
#include "audit/ptx/execute.h"
#include "audit/ptx/order.h"
#include "audit/ptx/windows.h"

static void cover(int *at, int known, int fenced, int first, int end)
{
    for (int chain = first; chain < end; chain++)
        if (at[known + chain] > at[fenced + chain])
            at[fenced + chain] = at[known + chain];
}

/* Of the shared memory of the own work group alone, to which no other one has stored (PTX ISA, "membar", `.shared::cta`). */
static void cover_known(const swp_ptx_step *step, int *at)
{
    const swp_ptx_run *run = step->run;
    const bool of_own = run->cluster > 1 && swp_ptx_has(step->insn->name, "shared::cta");
    const int chains = 2 * run->own_warps;
    const int first = of_own ? swp_ptx_rank(run, step->warp) * chains : 0;
    const int end = of_own ? first + chains : SWP_PTX_MOST_CHAINS;
    cover(at, 0, SWP_PTX_CLOCK_FENCED, first, end);
    cover(at, SWP_PTX_CLOCK_COPIES, SWP_PTX_CLOCK_FENCED_COPIES, first, end);
}

/* In a cluster who was told before the fence that it is initialised does not know of the fence. */
static void note_init(const swp_ptx_step *step, int chain, bool announces, int event)
{
    swp_ptx_run *run = step->run;
    for (int i = 0; i < run->mbarrier_count; i++) {
        swp_ptx_mbarrier *mbarrier = &run->mbarriers[i];
        if (mbarrier->chain != chain)
            continue;
        mbarrier->fence_event = mbarrier->fenced ? mbarrier->fence_event : event;
        mbarrier->fenced = true;
        mbarrier->announced |= announces;
    }
}

void swp_ptx_execute_fence(const swp_ptx_step *step)
{
    swp_ptx_run *run = step->run;
    const swp_slice name = step->insn->name;
    const bool announces = swp_ptx_has(name, "mbarrier_init");
    const bool of_shared = swp_ptx_has(name, "shared::cta") || swp_ptx_has(name, "shared::cluster");
    const bool of_global = !announces && !of_shared;
    const bool of_global_alone = of_global && swp_ptx_has(name, "global");
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        int *at = run->clocks[chain].at;
        if (!(swp_ptx_chains_of(step->lanes) >> which & 1))
            continue;
        if (of_global)
            swp_ptx_fence_flags(run, chain);
        if (of_global_alone)
            continue;
        /* Wherever it stands on the way from the store to who needs it (Lustig et al. 2022). */
        if (!announces) {
            cover_known(step, at);
            at[SWP_PTX_CLOCK_OWN_FENCED + chain] = at[chain];
        }
        note_init(step, chain, announces, run->cluster > 1 ? swp_ptx_tick(run, chain) : 0);
    }
}
