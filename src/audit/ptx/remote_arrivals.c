/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrivals at mbarriers of other work groups of a cluster, and whether these are still there when they come (PTX ISA 9.0,
 * "mapa", "mbarrier.arrive"; docs/roles-reference.md, "Clusters", `lost_peer`).
 */
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"

/* Arrivals of one thread one behind the other begin where the first of them does. */
static void begin_split(const swp_ptx_step *step)
{
    swp_ptx_run *run = step->run;
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        const int at = run->clocks[chain].at[chain];
        if (!run->split_from[chain] || run->split_end[chain] != at)
            run->split_from[chain] = at + 1;
        run->splits[which].from = run->split_from[chain];
        run->splits[!which].twin = at + 1;
    }
}

static void end_split(const swp_ptx_step *step)
{
    swp_ptx_run *run = step->run;
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        run->split_end[chain] = run->clocks[chain].at[chain];
        run->splits[which] = (swp_ptx_split){0};
    }
}

swp_status swp_ptx_arrive_each(const swp_ptx_step *step, swp_ptx_arrival arrive, bool *waits)
{
    swp_ptx_run *run = step->run;
    const bool first =
        step->insn->kind == SWP_PTX_EXPECT || step->insn->kind == SWP_PTX_COPY_ARRIVE;
    const int group = first ? 0 : 1;
    const swp_ptx_operand *operand = swp_ptx_operand_of(run->module, step->insn, group);
    const swp_ptx_value value = operand ? swp_ptx_read_operand(step, operand) : swp_ptx_unknown(0);
    swp_ptx_step part = *step;
    if (run->cluster == 1 || !swp_ptx_known(&value) || swp_ptx_is_affine(&value) ||
        swp_ptx_lanes_alike(&value, step->lanes) == step->lanes)
        return arrive(step, waits);
    begin_split(step);
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
    end_split(step);
    return SWP_OK;
}

/* By .cta an arrival or a wait says nothing of what threads of other work groups have written (PTX ISA, "Scope"). */
static void note_scope(const swp_ptx_step *step, bool waits)
{
    const bool of_cluster = swp_ptx_has(step->insn->name, "cluster");
    /* A wait that names no scope is one of .cta by the text, and is what kernels in clusters have. */
    if (waits && !of_cluster && !swp_ptx_has(step->insn->name, "cta") &&
        !swp_ptx_holds(step->run, SWP_AUDIT_NAMED_SCOPES)) {
        swp_ptx_assumes(step->run, SWP_AUDIT_NAMED_SCOPES, step->number);
        return;
    }
    step->run->has_cta_scope |= !of_cluster;
    step->run->has_cluster_scope |= of_cluster && !waits;
}

static swp_status add_signal(swp_ptx_run *run, swp_ptx_signal signal)
{
    for (size_t i = 0; i < run->signals.count; i++)
        if (run->signals.items[i].mbarrier == signal.mbarrier &&
            run->signals.items[i].owner == signal.owner &&
            run->signals.items[i].chain == signal.chain) {
            run->signals.items[i] = signal;
            return SWP_OK;
        }
    return SWP_PUSH(run->ctx, &run->signals, signal);
}

/* Whether a chain knows that a work group has begun: it has come behind something of it. */
static bool knows_begin(const swp_ptx_run *run, int chain, int owner)
{
    const swp_ptx_barrier *barrier = swp_ptx_barrier_of_cluster(run);
    const int *at = run->clocks[chain].at;
    bool knows = barrier && at[swp_ptx_meeting_component(run, barrier)] > 0;
    for (int other = 2 * owner * run->own_warps; other < 2 * (owner + 1) * run->own_warps; other++)
        knows |= swp_ptx_executed(at, other) > 0;
    return knows;
}

static swp_status note_access(const swp_ptx_step *step, int owner, int chain)
{
    swp_ptx_run *run = step->run;
    if (!knows_begin(run, chain, owner))
        swp_ptx_report(
            run, (swp_ptx_finding){.kind = SWP_LOST_PEER,
                                   .at = step->number,
                                   .other = -1,
                                   .detail = "the work group whose shared memory this accesses may "
                                             "not have begun",
                                   .hint = "meet at the barrier of the cluster before"});
    return add_signal(run, (swp_ptx_signal){.mbarrier = -1,
                                            .owner = owner,
                                            .chain = chain,
                                            .event = swp_ptx_tick(run, chain),
                                            .insn = step->number});
}

swp_status swp_ptx_note_remote(const swp_ptx_step *step, const swp_ptx_value *address,
                               int64_t offset)
{
    swp_ptx_run *run = step->run;
    for (int owner = 0; owner < run->cluster && run->cluster > 1; owner++) {
        uint32_t lanes = 0;
        for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
            const int64_t place =
                swp_ptx_place(run, swp_ptx_lane(address, lane) + (uint64_t)offset);
            if (step->lanes >> lane & 1 && place < swp_ptx_shared_end(run) &&
                swp_ptx_owner(place) == owner)
                lanes |= UINT32_C(1) << lane;
        }
        for (int which = 0; which < 2 && owner != swp_ptx_rank(run, step->warp); which++)
            if (swp_ptx_chains_of(lanes) >> which & 1)
                SWP_TRY(note_access(step, owner, swp_ptx_chain(step->warp, which)));
    }
    return SWP_OK;
}

swp_status swp_ptx_note_signal(const swp_ptx_step *step, int mbarrier, int chain)
{
    swp_ptx_run *run = step->run;
    const swp_ptx_mbarrier *of = &run->mbarriers[mbarrier];
    const swp_ptx_signal signal = {.mbarrier = mbarrier,
                                   .owner = swp_ptx_owner(of->address),
                                   .chain = chain,
                                   .phase = of->phase,
                                   .event = run->clocks[chain].at[chain],
                                   .insn = step->number};
    if (swp_ptx_owner(of->address) == swp_ptx_rank(run, step->warp))
        return SWP_OK;
    note_scope(step, false);
    return add_signal(run, signal);
}

void swp_ptx_note_wait(const swp_ptx_step *step, int mbarrier)
{
    for (size_t i = 0; i < step->run->signals.count; i++)
        if (step->run->signals.items[i].mbarrier == mbarrier) {
            note_scope(step, true);
            return;
        }
}

/* Where another work group is told something by who has ended nobody waits for it. */
static bool has_come(const swp_ptx_run *run, const swp_ptx_signal *signal, bool *seen)
{
    const int first = signal->owner * run->own_warps;
    const swp_ptx_barrier *barrier = swp_ptx_barrier_of_cluster(run);
    const int component = barrier ? swp_ptx_meeting_component(run, barrier) : 0;
    for (int chain = 2 * first; chain < 2 * (first + run->own_warps); chain++) {
        const int *at = run->clocks[chain].at;
        const bool is_told = signal->mbarrier < 0
                                 ? at[signal->chain] >= signal->event
                                 : at[SWP_PTX_CLOCK_PHASES + signal->mbarrier] > signal->phase;
        if (is_told || (signal->meeting && at[component] >= signal->meeting))
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
        const bool is_access = signal->mbarrier < 0;
        if ((!is_access && run->mbarriers[signal->mbarrier].address < 0) ||
            has_come(run, signal, &seen))
            continue;
        swp_ptx_report(
            run, (swp_ptx_finding){
                     .kind = SWP_LOST_PEER,
                     .at = signal->insn,
                     .other = is_access ? -1 : run->mbarriers[signal->mbarrier].insn,
                     .unsure = seen,
                     .detail = is_access ? "the work group whose shared memory this accesses "
                                           "may have ended: no thread of that waits for it"
                                         : "this arrival may come when the work group of its "
                                           "mbarrier has ended: no thread of that waits for it",
                     .hint = "meet at the barrier of the cluster before the end"});
    }
}
