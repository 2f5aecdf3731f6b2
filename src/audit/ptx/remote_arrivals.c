/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrivals at mbarriers of other work groups of a cluster, and whether these are still there when they come (PTX ISA 9.0,
 * "mapa", "mbarrier.arrive"; docs/roles-reference.md, "Clusters", `lost_peer`).
 */
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"

swp_status swp_ptx_arrive_each(const swp_ptx_step *step, swp_ptx_arrival arrive, bool *waits)
{
    swp_ptx_run *run = step->run;
    const int group = step->insn->kind == SWP_PTX_EXPECT ? 0 : 1;
    const swp_ptx_operand *operand = swp_ptx_operand_of(run->module, step->insn, group);
    const swp_ptx_value value = operand ? swp_ptx_read_operand(step, operand) : swp_ptx_unknown(0);
    swp_ptx_step part = *step;
    if (run->cluster == 1 || !swp_ptx_known(&value) || swp_ptx_is_affine(&value) ||
        swp_ptx_lanes_alike(&value, step->lanes) == step->lanes)
        return arrive(step, waits);
    /* All of them, or none yet. */
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t rest = step->lanes; rest && run->outcome == SWP_PTX_GOES_ON && !*waits;
             rest &= ~part.lanes) {
            part.lanes = swp_ptx_lanes_alike(&value, rest);
            if (pass)
                SWP_TRY(arrive(&part, waits));
            else
                (void)swp_ptx_mbarrier_at(step,
                                          swp_ptx_lane(&value, swp_ptx_first_lane(part.lanes)) +
                                              (uint64_t)swp_ptx_offset(operand),
                                          waits);
        }
    return SWP_OK;
}

/* By .cta an arrival or a wait says nothing of what threads of other work groups have written (PTX ISA, "Scope"). */
static void note_scope(const swp_ptx_step *step)
{
    step->run->has_cta_scope |= !swp_ptx_has(step->insn->name, "cluster");
}

swp_status swp_ptx_note_signal(const swp_ptx_step *step, int mbarrier, int chain)
{
    swp_ptx_run *run = step->run;
    const swp_ptx_mbarrier *of = &run->mbarriers[mbarrier];
    const swp_ptx_signal signal = {.mbarrier = mbarrier,
                                   .chain = chain,
                                   .phase = of->phase,
                                   .event = run->clocks[chain].at[chain],
                                   .insn = step->number};
    if (swp_ptx_owner(of->address) == swp_ptx_rank(run, step->warp))
        return SWP_OK;
    note_scope(step);
    for (size_t i = 0; i < run->signals.count; i++)
        if (run->signals.items[i].mbarrier == mbarrier && run->signals.items[i].chain == chain) {
            run->signals.items[i] = signal;
            return SWP_OK;
        }
    return SWP_PUSH(run->ctx, &run->signals, signal);
}

void swp_ptx_note_wait(const swp_ptx_step *step, int mbarrier)
{
    for (size_t i = 0; i < step->run->signals.count; i++)
        if (step->run->signals.items[i].mbarrier == mbarrier) {
            note_scope(step);
            return;
        }
}

/* Where another work group is told something by who has ended nobody waits for it. */
static bool has_come(const swp_ptx_run *run, const swp_ptx_signal *signal, bool *seen)
{
    const int first = swp_ptx_owner(run->mbarriers[signal->mbarrier].address) * run->own_warps;
    const swp_ptx_barrier *barrier = swp_ptx_barrier_of_cluster(run);
    const int component = barrier ? swp_ptx_meeting_component(run, barrier) : 0;
    for (int chain = 2 * first; chain < 2 * (first + run->own_warps); chain++) {
        const int *at = run->clocks[chain].at;
        if (at[SWP_PTX_CLOCK_PHASES + signal->mbarrier] > signal->phase ||
            (signal->meeting && at[component] >= signal->meeting))
            return true;
        *seen |= at[signal->chain] >= signal->event;
    }
    return false;
}

void swp_ptx_check_signals(swp_ptx_run *run)
{
    for (size_t i = 0; i < run->signals.count; i++) {
        const swp_ptx_signal *signal = &run->signals.items[i];
        bool seen = false;
        if (run->mbarriers[signal->mbarrier].address < 0 || has_come(run, signal, &seen))
            continue;
        swp_ptx_report(
            run,
            (swp_ptx_finding){.kind = SWP_LOST_PEER,
                              .at = signal->insn,
                              .other = run->mbarriers[signal->mbarrier].insn,
                              .unsure = seen,
                              .detail = "this arrival may come when the work group of its mbarrier "
                                        "has ended: no thread of that waits for it",
                              .hint = "meet at the barrier of the cluster before the end"});
    }
}
