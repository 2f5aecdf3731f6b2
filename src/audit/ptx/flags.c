/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags in global memory by which other work groups or devices tell that data is there: bulk copies read the data by the async
 * proxy, and a proxy fence between the load of the flag and the copy is what PTX names for that (PTX ISA 9.0, "membar", "fence.proxy").
 */
#include "audit/ptx/order.h"

bool swp_ptx_loads_flag(const swp_ptx_insn *insn)
{
    static const char *const orders[] = {"acquire", "acq_rel", "volatile", "relaxed"};
    bool orders_others = false;
    if ((insn->kind != SWP_PTX_LOAD && insn->kind != SWP_PTX_ATOMIC) || !insn->has_results ||
        swp_ptx_has(insn->name, "shared") || swp_ptx_has(insn->name, "shared::cta") ||
        swp_ptx_has(insn->name, "shared::cluster"))
        return false;
    /* An atomic that is only relaxed draws a number, as those who hand out tiles do. */
    for (int i = 0; i < (insn->kind == SWP_PTX_LOAD ? 4 : 2); i++)
        orders_others |= swp_ptx_has(insn->name, orders[i]);
    return orders_others;
}

void swp_ptx_note_flag(swp_ptx_run *run, int warp, uint32_t lanes, int insn)
{
    for (int which = 0; which < 2; which++)
        if (swp_ptx_chains_of(lanes) >> which & 1) {
            const int chain = swp_ptx_chain(warp, which);
            run->flags[chain] = (swp_ptx_flag){.event = swp_ptx_tick(run, chain), .insn = insn};
        }
}

void swp_ptx_fence_flags(swp_ptx_run *run, int chain)
{
    for (int other = 0; other < 2 * run->warp_count; other++)
        if (run->flags[other].event && run->clocks[chain].at[other] >= run->flags[other].event)
            run->flags[other].event = 0;
}

void swp_ptx_check_flags(swp_ptx_run *run, int chain, int insn)
{
    int of = -1;
    for (int other = 0; other < 2 * run->warp_count; other++)
        if (run->flags[other].event && run->clocks[chain].at[other] >= run->flags[other].event)
            of = other;
    if (of < 0)
        return;
    if (!swp_ptx_holds(run, SWP_AUDIT_FENCE_GLOBALS))
        swp_ptx_assumes(run, SWP_AUDIT_FENCE_GLOBALS, insn);
    else
        swp_ptx_report_doubt(
            run,
            (swp_ptx_finding){
                .kind = SWP_UNFENCED,
                .at = insn,
                .other = run->flags[of].insn,
                .of_at = swp_ptx_threads_of(chain),
                .of_other = swp_ptx_threads_of(of),
                .detail =
                    "no fence.proxy.async stands between the load of a flag in global memory and "
                    "this copy, which may read what was there before the flag was set",
                .hint = "fence.proxy.async (or .global) behind the load of the flag"});
}
