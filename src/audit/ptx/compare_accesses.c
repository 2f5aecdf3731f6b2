/* SPDX-License-Identifier: Apache-2.0 */
/* Two accesses to the same bytes: whether the later one comes behind the earlier one, and behind a proxy fence where it needs one. */
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"
#include "audit/ptx/windows.h"

/* --- accesses --- */

static swp_hazard_kind kind_of(const swp_ptx_access *earlier, const swp_ptx_access *later)
{
    if (!later->writes)
        return SWP_STALE_READ;
    return earlier->writes ? SWP_WRITE_RACE : SWP_OVERWRITTEN;
}

static const char *detail_of(const swp_ptx_access *earlier, const swp_ptx_access *later)
{
    if (!later->writes)
        return earlier->is_async
                   ? "nothing that the reader has waited for says that the copy has landed"
                   : "nothing that the reader has waited for says that the write is done";
    return earlier->writes
               ? "nothing that the later writer has waited for says that the earlier write is done"
               : "nothing that the writer has waited for says that the read is done";
}

/* Two threads may store one number at one place in any order. */
static bool store_alike(const swp_ptx_module *module, const swp_ptx_access *a,
                        const swp_ptx_access *b)
{
    const swp_ptx_insn *insn = &module->insns.items[a->insn];
    bool constant = true;
    if (a->insn != b->insn || insn->kind != SWP_PTX_STORE || a->low != b->low || a->high != b->high)
        return false;
    for (int i = insn->first; i < insn->end; i++)
        constant &=
            module->operands.items[i].address || module->operands.items[i].atom == SWP_PTX_NUMBER;
    return constant;
}

/* What two threads store here by one instruction may be the same, and then in any order. */
static bool may_store_alike(const swp_ptx_access *a, const swp_ptx_access *b)
{
    const bool may = (a->of_data && b->of_data) || (a->of_one && b->of_one && a->one == b->one);
    return may && a->insn == b->insn && a->low == b->low && a->high == b->high;
}

static bool is_of_mbarriers(const swp_ptx_run *run, const swp_ptx_access *access)
{
    const swp_ptx_kind kind = run->module->insns.items[access->insn].kind;
    return kind >= SWP_PTX_INIT && kind <= SWP_PTX_WAIT;
}

/* Two of these are no race, though their order decides what is there. */
static bool signals(const swp_ptx_run *run, const swp_ptx_access *access)
{
    return run->module->insns.items[access->insn].signals;
}

/* Whether a meeting of the cluster stands between an access and who is as far as this clock. */
static bool is_met_in_cluster(const swp_ptx_run *run, const swp_ptx_clock *clock,
                              const swp_ptx_access *earlier)
{
    const swp_ptx_barrier *barrier = swp_ptx_barrier_of_cluster(run);
    bool met = false;
    for (int i = 0; i < 2 && barrier; i++) {
        const int component = swp_ptx_meeting_component(run, barrier);
        const swp_ptx_clock *opened = &barrier->opened[i];
        met |= opened->at[component] > 0 && clock->at[component] >= opened->at[component] &&
               opened->at[earlier->chain] >= earlier->event;
    }
    return met;
}

/* Whether it is one that threads of two work groups may have to have agreed on by their scopes. */
static bool is_of_another_group(const swp_ptx_run *run, const swp_ptx_clock *clock,
                                const swp_ptx_access *earlier, const swp_ptx_access *later)
{
    return run->has_cta_scope && earlier->writes && !earlier->is_async &&
           swp_ptx_rank(run, earlier->chain / 2) != swp_ptx_rank(run, later->chain / 2) &&
           !is_of_mbarriers(run, earlier) && !is_met_in_cluster(run, clock, earlier);
}

/* Of an mbarrier in a cluster: phases.c asks whether the initialisation is known. */
static bool is_asked_by_phases(const swp_ptx_run *run, const swp_ptx_access *earlier,
                               const swp_ptx_access *later)
{
    return run->cluster > 1 && !later->writes && is_of_mbarriers(run, earlier) &&
           is_of_mbarriers(run, later) &&
           run->module->insns.items[earlier->insn].kind == SWP_PTX_INIT;
}

/* --- proxy fences (docs/audit.md, "Proxy fences") --- */

/* An mbarrier that is in use is overwritten by no copy (order.c), and mbarrier.inval, which has to come before, writes it. */
bool swp_ptx_needs_fence(const swp_ptx_run *run, const swp_ptx_access *access)
{
    return !access->is_async &&
           (access->writes || (run->has_bulk_loads && !is_of_mbarriers(run, access)));
}

bool swp_ptx_is_covered(const swp_ptx_run *run, const swp_ptx_access *access)
{
    int value = 0;
    const int component = swp_ptx_fenced_by(access, &value);
    return !swp_ptx_needs_fence(run, access) ||
           (swp_ptx_is_past(run, component, value) &&
            (!swp_ptx_is_ordinary(access) ||
             swp_ptx_is_past(run, SWP_PTX_CLOCK_OWN_FENCED + access->chain, access->event)));
}

/* Who accessed, and fenced behind it before others were told, has done what the text asks for, wherever it asks for the fence. */
static bool is_fenced_by_itself(const swp_ptx_clock *clock, const swp_ptx_access *access)
{
    return !swp_ptx_is_ordinary(access) ||
           clock->at[SWP_PTX_CLOCK_OWN_FENCED + access->chain] >= access->event;
}

/* Where a run ends by what it finds: what is not in order, of the same access, is worse. */
static void report_fence(swp_ptx_run *run, swp_ptx_finding finding)
{
    if (finding.kind != SWP_UNFENCED)
        swp_ptx_report_doubt(run, finding);
    else if (run->goes_on)
        swp_ptx_report(run, finding);
    else if (!run->fence.detail)
        run->fence = finding;
}

static bool check_fence(swp_ptx_run *run, const swp_ptx_clock *clock, const swp_ptx_access *earlier,
                        const swp_ptx_access *later, swp_ptx_finding *finding)
{
    int value = 0;
    const int component = swp_ptx_fenced_by(earlier, &value);
    const bool is_fenced = clock->at[component] >= value;
    if (!later->is_async || earlier->is_async || (!earlier->writes && !later->writes) ||
        (is_fenced && is_fenced_by_itself(clock, earlier)))
        return true;
    if (!is_fenced && !earlier->writes && !swp_ptx_holds(run, SWP_AUDIT_FENCE_READS)) {
        swp_ptx_assumes(run, SWP_AUDIT_FENCE_READS, later->insn);
        return true;
    }
    if (is_fenced && (swp_ptx_holds(run, SWP_AUDIT_FENCE_ANYWHERE) ||
                      (!earlier->writes && !swp_ptx_holds(run, SWP_AUDIT_FENCE_READS)))) {
        swp_ptx_assumes(run, SWP_AUDIT_FENCE_ANYWHERE, later->insn);
        return true;
    }
    finding->kind = is_fenced ? SWP_FENCE_PLACE : SWP_UNFENCED;
    finding->detail =
        is_fenced ? "fence.proxy.async stands on the way to the asynchronous operation, but not in "
                    "the thread of the ordinary access before it tells of that: the manual does "
                    "not say that this is enough"
        : earlier->writes ? "no fence.proxy.async stands on the way from the ordinary store to the "
                            "asynchronous operation"
                          : "no fence.proxy.async stands on the way from the ordinary read to the "
                            "copy that overwrites what it reads";
    finding->hint = NULL;
    if (earlier->guessed || later->guessed)
        swp_ptx_report_by_guess(run, *finding, true);
    else
        report_fence(run, *finding);
    return false;
}

/* Groups that its threads have committed behind the one that an access is in; -1: it is in none, or that is open. */
static int groups_behind(const swp_ptx_run *run, const swp_ptx_access *access)
{
    const swp_ptx_warp *warp = &run->warps[access->chain / 2];
    const int component = access->component;
    int groups = -1;
    if (component == SWP_PTX_CLOCK_COPIES + access->chain)
        groups = warp->copy_groups[access->chain % 2];
    else if (component == SWP_PTX_CLOCK_STORES + access->chain)
        groups = warp->store_groups[access->chain % 2];
    else if (component >= SWP_PTX_CLOCK_WGMMA && component < SWP_PTX_CLOCK_PHASES)
        groups = warp->wgmma_groups;
    return groups < access->value ? -1 : groups - access->value;
}

/* FlashAttention-3 has each warp store rows of A that its own part of a wgmma reads, and no other warp wait for it. */
static bool is_of_other_rows(const swp_ptx_access *earlier, const swp_ptx_access *later)
{
    const swp_ptx_access *tile = earlier->of_rows ? earlier : later;
    const swp_ptx_access *other = earlier->of_rows ? later : earlier;
    const int group = 2 * SWP_PTX_GROUP_WARPS;
    return tile->of_rows && !other->is_async && other->component == other->chain &&
           other->chain / group == tile->chain / group && other->chain / 2 != tile->chain / 2;
}

/* The later access may come before the earlier one is done. */
static void report_unordered(swp_ptx_run *run, const swp_ptx_access *earlier,
                             const swp_ptx_access *later, swp_ptx_finding finding)
{
    finding.kind = kind_of(earlier, later);
    finding.detail = detail_of(earlier, later);
    finding.groups = groups_behind(run, earlier);
    if (may_store_alike(earlier, later)) {
        finding.unsure = true;
        finding.detail =
            later->of_one ? "threads of two warps store here in any order: that is right only if "
                            "they always store the same, as they do in the run that was seen"
                          : "threads of two warps store here in any order: that is right only if "
                            "they store the same, which is not known";
        finding.hint = "let one of them store, or each at a place of its own";
    }
    if (is_of_other_rows(earlier, later)) {
        finding.unsure = true;
        finding.detail = "nothing orders what one warp stores and what a wgmma of another warp of "
                         "the warp group reads: that is right only if each warp reads its own 16 "
                         "rows of A alone, which the manual does not say";
        finding.hint = "a barrier of the warp group (bar.sync) before the wgmma";
    }
    swp_ptx_report_by_guess(run, finding, earlier->guessed || later->guessed);
}

/* What orders the two tells no other work group of what was written. */
static void report_scope(swp_ptx_run *run, const swp_ptx_access *earlier,
                         const swp_ptx_access *later, swp_ptx_finding finding)
{
    finding.kind = kind_of(earlier, later);
    finding.unsure |= run->has_cluster_scope;
    finding.detail =
        finding.unsure
            ? "by .cta an arrival at another work group's mbarrier, or the wait for it, does "
              "not order what threads have written: that this is not all that orders the two "
              "is not known"
            : "by .cta an arrival at another work group's mbarrier, or the wait for it, does "
              "not order what threads have written, and nothing else does";
    finding.hint = "mbarrier.arrive.release.cluster, and a wait by .acquire.cluster";
    swp_ptx_report(run, finding);
}

bool swp_ptx_compare(swp_ptx_run *run, const swp_ptx_clock *clock, const swp_ptx_access *earlier,
                     const swp_ptx_access *later)
{
    const int64_t low = earlier->low > later->low ? earlier->low : later->low;
    const int64_t high = earlier->high < later->high ? earlier->high : later->high;
    if ((!earlier->writes && !later->writes) || (earlier->is_atomic && later->is_atomic))
        return true;
    swp_ptx_finding finding = {.at = later->insn,
                               .other = earlier->insn,
                               .low = low,
                               .high = high,
                               .of_at = swp_ptx_threads_of(later->chain),
                               .of_other = swp_ptx_threads_of(earlier->chain),
                               .unsure = earlier->unsure || later->unsure ||
                                         (signals(run, earlier) && signals(run, later))};
    if (low >= high || store_alike(run->module, earlier, later) ||
        is_asked_by_phases(run, earlier, later))
        return false;
    if (clock->at[earlier->component] < earlier->value)
        report_unordered(run, earlier, later, finding);
    else if (is_of_another_group(run, clock, earlier, later))
        report_scope(run, earlier, later, finding);
    else
        return check_fence(run, clock, earlier, later, &finding);
    return false;
}
