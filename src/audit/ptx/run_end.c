/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ends: all warps have ended, and nothing may be in flight then; or nobody can go on. */
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"

static const char lost_hint[] = "wait for it before the last thread ends";

static uint32_t lanes_at(const swp_ptx_warp *warp, int pc)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (warp->alive >> lane & 1 && warp->pc[lane] == pc)
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

static swp_ptx_threads threads_at(const swp_ptx_run *run, int pc)
{
    swp_ptx_threads threads = {0, 0};
    for (int w = 0; w < run->warp_count; w++) {
        const uint32_t lanes = lanes_at(&run->warps[w], pc);
        threads.warps |= lanes ? UINT32_C(1) << w : 0;
        threads.chains |= swp_ptx_chains_of(lanes);
    }
    return threads;
}

/* Where lanes of a warp wait for what others do, and where they wait for lanes of their own; -1: nowhere. */
static void find_waits(const swp_ptx_run *run, const swp_ptx_warp *warp, int *wait, int *meeting)
{
    *wait = *meeting = -1;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        const int pc = warp->pc[lane];
        const swp_ptx_insn *insn = &run->module->insns.items[pc];
        if (!(warp->alive >> lane & 1))
            continue;
        const bool multiplies = insn->kind >= SWP_PTX_WGMMA && insn->kind <= SWP_PTX_WGMMA_WAIT;
        if (swp_ptx_is_collective(insn) && !multiplies && warp->alive & ~lanes_at(warp, pc))
            *meeting = *meeting < 0 ? pc : *meeting;
        else
            *wait = *wait < 0 ? pc : *wait;
    }
}

/* It waits for the mbarrier of another work group to be initialised. */
static bool signals(swp_ptx_kind kind)
{
    return kind == SWP_PTX_BULK_LOAD || kind == SWP_PTX_STORE_ASYNC ||
           kind == SWP_PTX_REDUCE_ASYNC || (kind >= SWP_PTX_INIT && kind <= SWP_PTX_ARRIVE_EXPECT);
}

/* How far what a warp waits for has come. */
static swp_ptx_facts facts_of(const swp_ptx_run *run, int warp, int pc)
{
    const swp_ptx_kind kind = run->module->insns.items[pc].kind;
    const int phase = run->warps[warp].waits_for - 1;
    const int barrier = run->warps[warp].meets_at - 1;
    if (kind == SWP_PTX_WAIT && phase >= 0)
        return swp_ptx_facts_of_phase(&run->mbarriers[phase]);
    if (kind == SWP_PTX_BARRIER && barrier >= 0)
        return (swp_ptx_facts){.of = SWP_PTX_MEETING_FACTS,
                               .count = run->barriers[barrier].expected,
                               .came = run->barriers[barrier].arrivals};
    return (swp_ptx_facts){.of = SWP_PTX_NO_FACTS};
}

/* Notes one of the first two waits that are not the same. */
static void note_wait(const swp_ptx_run *run, int warp, int wait, swp_ptx_finding *finding)
{
    if (wait < 0 || finding->at == wait || (finding->at >= 0 && finding->other >= 0))
        return;
    const bool first = finding->at < 0;
    *(first ? &finding->at : &finding->other) = wait;
    *(first ? &finding->of_at : &finding->of_other) = threads_at(run, wait);
    *(first ? &finding->facts : &finding->other_facts) = facts_of(run, warp, wait);
}

/* Who waits for lanes of the warp that wait for others waits for these, too. */
static void report_deadlock(swp_ptx_run *run)
{
    swp_ptx_finding finding = {.kind = SWP_DEADLOCK,
                               .at = -1,
                               .other = -1,
                               .detail = "this waits for ever: nobody who can go on does what "
                                         "would end it",
                               .hint = "compare its count and parity with those who arrive"};
    for (int w = 0; w < run->warp_count; w++) {
        int wait = -1;
        int meeting = -1;
        find_waits(run, &run->warps[w], &wait, &meeting);
        if (meeting >= 0 && wait < 0) {
            swp_ptx_report_unknown(run, meeting,
                                   "not all threads of the warp come to this instruction",
                                   "let the warp converge before it");
            return;
        }
        if (wait >= 0 && signals(run->module->insns.items[wait].kind)) {
            swp_ptx_report_unknown(run, wait,
                                   "no mbarrier has been initialised at this address of another "
                                   "work group",
                                   "initialise it with mbarrier.init before");
            return;
        }
        note_wait(run, w, wait, &finding);
    }
    if (finding.other >= 0)
        finding.detail = "these wait for ever: nobody who can go on does what would end either";
    if (finding.at < 0)
        run->outcome = SWP_PTX_ENDED;
    else
        swp_ptx_report(run, finding);
}

/* By some thread of the work group whose shared memory it is about. */
static bool is_known(const swp_ptx_run *run, int rank, int component, int value)
{
    const int first = 2 * rank * run->own_warps;
    for (int s = first; s < first + 2 * run->own_warps; s++)
        if (run->clocks[s].at[component] >= value)
            return true;
    return false;
}

static void check_bucket(swp_ptx_run *run, const swp_ptx_accesses *bucket)
{
    for (size_t i = 0; i < bucket->count; i++) {
        const swp_ptx_access *access = &bucket->items[i];
        if ((access->is_async || access->component >= SWP_PTX_CLOCK_PHASES) &&
            access->component >= SWP_PTX_CLOCK_COPIES &&
            !is_known(run, swp_ptx_owner(access->low), access->component, access->value))
            swp_ptx_report(
                run,
                (swp_ptx_finding){.kind = SWP_LOST_PEER,
                                  .at = access->insn,
                                  .other = -1,
                                  .of_at = swp_ptx_threads_of(access->chain),
                                  .detail = "this may be in flight when the work group has ended: "
                                            "nobody has waited for it",
                                  .hint = lost_hint});
    }
}

/* Who shares registers sets their number together (PTX ISA, "setmaxnreg"). */
static void check_settings(swp_ptx_run *run)
{
    int at = run->kernel->first;
    bool alike = true;
    for (int w = 0; w < run->warp_count; w++) {
        const int settings = run->warps[w - w % SWP_PTX_GROUP_WARPS].settings;
        const bool alone = w == run->warp_count - 1 && run->warp_count % SWP_PTX_GROUP_WARPS;
        alike &= run->warps[w].settings == settings && !(settings && alone);
    }
    while (at + 1 < run->kernel->end && run->module->insns.items[at].kind != SWP_PTX_SET_REGISTERS)
        at++;
    if (!alike)
        swp_ptx_report_unknown(
            run, at, "not all four warps of a warp group execute setmaxnreg equally often",
            "let the branch be one that all warps of the group take alike");
}

/* Nothing may be in flight then. */
static swp_status check_end(swp_ptx_run *run)
{
    swp_ptx_finding finding = {.kind = SWP_LOST_PEER, .other = -1, .hint = lost_hint};
    run->outcome = SWP_PTX_GOES_ON;
    for (int i = 0; i < run->mbarrier_count; i++)
        if (run->mbarriers[i].copies.count) {
            finding.at = run->mbarriers[i].copies.items[0].insn;
            finding.detail = "this copy may be in flight when the work group has ended";
            swp_ptx_report(run, finding);
        }
    for (int s = 0; s < swp_ptx_shelves(run); s++)
        check_bucket(run, &run->buckets[s]);
    for (int w = 0; w < run->warp_count; w++) {
        finding.at = run->kernel->end - 1;
        finding.detail = "wgmmas are in flight when their warps end: no wait for their group";
        if (run->warps[w].wgmma_groups > run->clocks[swp_ptx_chain(w, 0)]
                                             .at[SWP_PTX_CLOCK_WGMMA + w / SWP_PTX_GROUP_WARPS] ||
            run->warps[w].open_wgmmas)
            swp_ptx_report(run, finding);
    }
    check_settings(run);
    swp_ptx_check_signals(run);
    SWP_TRY(swp_ptx_describe_unwritten(run));
    if (run->outcome == SWP_PTX_GOES_ON)
        run->outcome = SWP_PTX_ENDED;
    return SWP_OK;
}

swp_status swp_ptx_run_end(swp_ptx_run *run)
{
    run->now = -1;
    if (run->outcome == SWP_PTX_GOES_ON)
        report_deadlock(run);
    return run->outcome == SWP_PTX_ENDED ? check_end(run) : SWP_OK;
}
