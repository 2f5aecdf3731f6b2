/* SPDX-License-Identifier: Apache-2.0 */
/* What a run finds: listed where it goes on behind that, else it ends the run. */
#include "audit/ptx/order.h"

enum { MOST_FOUND = 256 /* pairs of instructions that a run lists */ };

static swp_ptx_finding *find_listed(const swp_ptx_findings *list, const swp_ptx_finding *finding)
{
    for (size_t i = list->count; i-- > 0;)
        if (list->items[i].kind == finding->kind && list->items[i].at == finding->at &&
            (finding->kind == SWP_DEADLOCK || list->items[i].other == finding->other) &&
            list->items[i].unsure == finding->unsure)
            return &list->items[i];
    return NULL;
}

static void add_threads(swp_ptx_threads *to, const swp_ptx_threads *from)
{
    to->warps |= from->warps;
    to->chains |= from->chains;
}

/* Too many pairs say no more than many do. */
static void list_finding(swp_ptx_run *run, swp_ptx_finding finding)
{
    finding.unsure |= run->undecided >= 0;
    swp_ptx_finding *listed = find_listed(&run->found, &finding);
    if (listed) {
        add_threads(&listed->of_at, &finding.of_at);
        add_threads(&listed->of_other, &finding.of_other);
        listed->groups = swp_ptx_fewer_groups(listed, &finding);
    } else if (run->status == SWP_OK && run->found.count < MOST_FOUND) {
        run->status = SWP_PUSH(run->ctx, &run->found, finding);
    }
}

/* By flags in shared memory threads may be in order, which is not followed: what ends the run happens all the same. */
static void weigh_flags(const swp_ptx_run *run, swp_ptx_finding *finding)
{
    if (!run->may_be_told || finding->ends || finding->kind == SWP_DEADLOCK)
        return;
    finding->unsure = finding->settled = true;
    finding->hint =
        "order by volatile, relaxed or acquiring loads of shared memory is not followed: "
        "give the two a barrier or an mbarrier, if they have nothing else";
    finding->detail = "nothing that is followed puts these in order; what threads tell each other "
                      "by volatile, relaxed or acquiring loads of shared memory is not followed";
}

void swp_ptx_report(swp_ptx_run *run, swp_ptx_finding finding)
{
    if (run->outcome != SWP_PTX_GOES_ON)
        return;
    weigh_flags(run, &finding);
    if (!finding.of_at.warps && finding.at == run->now)
        finding.of_at = run->by;
    if (run->goes_on) {
        list_finding(run, finding);
        if (!finding.ends && finding.kind != SWP_DEADLOCK)
            return;
    }
    run->finding = finding;
    if (!run->is_dry)
        run->outcome = SWP_PTX_FAULT;
    else if (finding.kind == SWP_DEADLOCK)
        run->outcome = SWP_PTX_DISCARDED;
}

void swp_ptx_report_doubt(swp_ptx_run *run, swp_ptx_finding finding)
{
    finding.unsure = finding.settled = true;
    if (run->goes_on)
        swp_ptx_report(run, finding);
    else if (!run->doubt.detail)
        run->doubt = finding;
}

void swp_ptx_report_by_guess(swp_ptx_run *run, swp_ptx_finding finding, bool guessed)
{
    if (!guessed) {
        swp_ptx_report(run, finding);
        return;
    }
    if (run->doubt.detail)
        return;
    finding.detail =
        "nothing orders these two, if the box of a tensor map fills its room as far as "
        "here; how much of the bytes of a phase each map's box holds is not known";
    finding.hint = "state what the boxes hold (--box), or let each copy have a phase of its own";
    run->doubt = finding;
}

void swp_ptx_report_unknown(swp_ptx_run *run, int at, const char *detail, const char *hint)
{
    if (run->outcome != SWP_PTX_GOES_ON)
        return;
    run->finding = (swp_ptx_finding){.at = at, .other = -1, .detail = detail, .hint = hint};
    run->outcome = SWP_PTX_INCONCLUSIVE;
}

void swp_ptx_request_arguments(swp_ptx_run *run, int at, swp_ptx_sources depends,
                               const char *detail)
{
    if (run->outcome != SWP_PTX_GOES_ON)
        return;
    depends &= ~SWP_PTX_SHARED_ADDRESS;
    if (!depends || depends & SWP_PTX_DATA) {
        swp_ptx_report_unknown(run, at, detail,
                               "compute it from the thread's number, arguments and constants");
        return;
    }
    run->needed = depends;
    run->outcome = SWP_PTX_NEEDS;
    run->finding = (swp_ptx_finding){.at = at, .other = -1, .detail = detail, .hint = ""};
}
