/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks of a run's chains, and accesses to shared memory compared by them. */
#include "audit/ptx/order.h"

#include "audit/ptx/cluster.h"
#include "audit/ptx/contents.h"

enum {
    LEAST_LONG = 512, /* bytes of an access that is not cut */
    FULL_BUCKET = 16, /* accesses that are worth a look for what can go */
    MOST_FOUND = 256  /* pairs of instructions that a run lists */
};

static swp_ptx_finding *find_listed(const swp_ptx_findings *list, const swp_ptx_finding *finding)
{
    for (size_t i = list->count; i-- > 0;)
        if (list->items[i].kind == finding->kind && list->items[i].at == finding->at &&
            list->items[i].other == finding->other && list->items[i].unsure == finding->unsure)
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
    } else if (run->status == SWP_OK && run->found.count < MOST_FOUND) {
        run->status = SWP_PUSH(run->ctx, &run->found, finding);
    }
}

void swp_ptx_report(swp_ptx_run *run, swp_ptx_finding finding)
{
    if (run->outcome != SWP_PTX_GOES_ON)
        return;
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

void swp_ptx_report_unknown(swp_ptx_run *run, int at, const char *detail, const char *hint)
{
    if (run->outcome != SWP_PTX_GOES_ON)
        return;
    run->finding = (swp_ptx_finding){.at = at, .other = -1, .detail = detail, .hint = hint};
    run->outcome = SWP_PTX_INCONCLUSIVE;
}

void swp_ptx_request_arguments(swp_ptx_run *run, int at, uint32_t depends, const char *detail)
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

unsigned swp_ptx_chains_of(uint32_t lanes)
{
    return (lanes & 1u) | (lanes >> 1 ? 2u : 0u);
}

void swp_ptx_join(swp_ptx_clock *to, const swp_ptx_clock *from)
{
    for (int i = 0; i < SWP_PTX_CLOCK_LENGTH; i++)
        if (from->at[i] > to->at[i])
            to->at[i] = from->at[i];
}

int swp_ptx_tick(swp_ptx_run *run, int chain)
{
    return ++run->clocks[chain].at[chain];
}

bool swp_ptx_is_live(const swp_ptx_run *run, int chain)
{
    const uint32_t alive = run->warps[chain / 2].alive;
    return chain % 2 ? alive >> 1 != 0 : alive & 1;
}

bool swp_ptx_is_past(const swp_ptx_run *run, int component, int value)
{
    for (int s = 0; s < 2 * run->warp_count; s++)
        if (swp_ptx_is_live(run, s) && run->clocks[s].at[component] < value)
            return false;
    return true;
}

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
    bool constant =
        a->insn == b->insn && insn->kind == SWP_PTX_STORE && a->low == b->low && a->high == b->high;
    for (int i = insn->first; i < insn->end; i++)
        constant &=
            module->operands.items[i].address || module->operands.items[i].atom == SWP_PTX_NUMBER;
    return constant;
}

/* What two threads store here by one instruction may be the same, and then in any order. */
static bool may_store_alike(const swp_ptx_access *a, const swp_ptx_access *b)
{
    return a->insn == b->insn && a->of_data && b->of_data && a->low == b->low && a->high == b->high;
}

static bool is_of_mbarriers(const swp_ptx_run *run, const swp_ptx_access *access)
{
    const swp_ptx_kind kind = run->module->insns.items[access->insn].kind;
    return kind >= SWP_PTX_INIT && kind <= SWP_PTX_WAIT;
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

/* A conflict that depends on how far a box reaches is none that is certain: the run goes on, as others may be. */
static void report(swp_ptx_run *run, swp_ptx_finding finding, bool guessed)
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

/* --- proxy fences (docs/audit.md, "Proxy fences") --- */

bool swp_ptx_needs_fence(const swp_ptx_run *run, const swp_ptx_access *access)
{
    return !access->is_async && (access->writes || run->has_bulk_loads);
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

static void check_fence(swp_ptx_run *run, const swp_ptx_clock *clock, const swp_ptx_access *earlier,
                        const swp_ptx_access *later, swp_ptx_finding *finding)
{
    int value = 0;
    const int component = swp_ptx_fenced_by(earlier, &value);
    const bool is_fenced = clock->at[component] >= value;
    if (!later->is_async || earlier->is_async || (!earlier->writes && !later->writes) ||
        (is_fenced && is_fenced_by_itself(clock, earlier)))
        return;
    if (!is_fenced && !earlier->writes && !swp_ptx_holds(run, SWP_AUDIT_FENCE_READS)) {
        swp_ptx_assumes(run, SWP_AUDIT_FENCE_READS, later->insn);
        return;
    }
    if (is_fenced && (swp_ptx_holds(run, SWP_AUDIT_FENCE_ANYWHERE) ||
                      (!earlier->writes && !swp_ptx_holds(run, SWP_AUDIT_FENCE_READS)))) {
        swp_ptx_assumes(run, SWP_AUDIT_FENCE_ANYWHERE, later->insn);
        return;
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
        report(run, *finding, true);
    else
        report_fence(run, *finding);
}

static void compare(swp_ptx_run *run, const swp_ptx_clock *clock, const swp_ptx_access *earlier,
                    const swp_ptx_access *later)
{
    const int64_t low = earlier->low > later->low ? earlier->low : later->low;
    const int64_t high = earlier->high < later->high ? earlier->high : later->high;
    swp_ptx_finding finding = {.at = later->insn,
                               .other = earlier->insn,
                               .low = low,
                               .high = high,
                               .of_at = swp_ptx_threads_of(later->chain),
                               .of_other = swp_ptx_threads_of(earlier->chain),
                               .unsure = earlier->unsure || later->unsure};
    const bool guessed = earlier->guessed || later->guessed;
    if (low >= high || (!earlier->writes && !later->writes) ||
        (earlier->is_atomic && later->is_atomic) || store_alike(run->module, earlier, later) ||
        is_asked_by_phases(run, earlier, later))
        return;
    if (clock->at[earlier->component] < earlier->value) {
        finding.kind = kind_of(earlier, later);
        finding.detail = detail_of(earlier, later);
        finding.hint = NULL;
        if (may_store_alike(earlier, later)) {
            finding.unsure = true;
            finding.detail = "threads of two warps store here in any order: that is right only if "
                             "they store the same, which is not known";
            finding.hint = "let one of them store, or each at a place of its own";
        }
        report(run, finding, guessed);
    } else if (is_of_another_group(run, clock, earlier, later)) {
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
    } else {
        check_fence(run, clock, earlier, later, &finding);
    }
}

/* A later one of the same instruction stands for it, or one that wrote over it. */
static bool is_replaced(const swp_ptx_clock *clock, const swp_ptx_access *earlier,
                        const swp_ptx_access *later)
{
    /* Whoever waits for the later one has waited for the earlier one of the same thread, too. */
    if (earlier->insn == later->insn && earlier->chain == later->chain &&
        earlier->component == later->component && earlier->component == earlier->chain &&
        earlier->low == later->low && earlier->high == later->high && earlier->unsure &&
        later->unsure)
        return true;
    if (earlier->low < later->low || earlier->high > later->high || later->unsure)
        return false;
    if (later->is_atomic && !earlier->is_atomic)
        return false;
    /* Of two that are alike the first one may be the later one. */
    if (earlier->writes && clock->at[earlier->component] < earlier->value)
        return false;
    return later->writes || (earlier->insn == later->insn && earlier->chain == later->chain &&
                             earlier->component == later->component && !earlier->writes);
}

/* Behind a finding what one thread does again and again is not kept again and again: who is past the later one is past both. */
static bool is_repeated(const swp_ptx_run *run, const swp_ptx_access *earlier,
                        const swp_ptx_access *later)
{
    return run->goes_on && run->found.count && earlier->insn == later->insn &&
           earlier->chain == later->chain && earlier->component == later->component &&
           earlier->low >= later->low && earlier->high <= later->high &&
           earlier->unsure >= later->unsure && earlier->guessed >= later->guessed;
}

static void keep(swp_ptx_accesses *bucket, size_t at, size_t *kept)
{
    if (*kept < at)
        bucket->items[*kept] = bucket->items[at];
    ++*kept;
}

/* Compares an access with those of a bucket, and takes those out that it replaces. */
static void meet(swp_ptx_run *run, const swp_ptx_clock *clock, swp_ptx_accesses *bucket,
                 const swp_ptx_access *access)
{
    size_t kept = 0;
    for (size_t i = 0; i < bucket->count; i++) {
        const swp_ptx_access *other = &bucket->items[i];
        if (other->low >= access->high || other->high <= access->low) {
            keep(bucket, i, &kept);
            continue;
        }
        /* What one instruction does of several threads is not in order, and not asked to be. */
        const bool together = other->insn == access->insn &&
                              other->chain / 2 == access->chain / 2 && !access->is_async;
        if (!together)
            compare(run, clock, other, access);
        if ((together && other->chain != access->chain) ||
            !(is_replaced(clock, other, access) || is_repeated(run, other, access)))
            keep(bucket, i, &kept);
    }
    bucket->count = kept;
}

/* Whether nothing that is to come may come before it, nor copies that have been issued. */
static bool is_over(const swp_ptx_run *run, const swp_ptx_access *access)
{
    bool over =
        swp_ptx_is_past(run, access->component, access->value) && swp_ptx_is_covered(run, access);
    for (int m = 0; m < run->mbarrier_count && over; m++)
        for (size_t i = 0; i < run->mbarriers[m].copies.count && over; i++)
            over = run->mbarriers[m].copies.items[i].issue->at[access->component] >= access->value;
    return over;
}

/* Reads that nobody can overtake any more are asked for nothing; of writes it is asked how far they reach. */
static void forget_reads(const swp_ptx_run *run, swp_ptx_accesses *bucket)
{
    size_t kept = 0;
    for (size_t i = 0; i < bucket->count; i++)
        if (bucket->items[i].writes || !is_over(run, &bucket->items[i]))
            keep(bucket, i, &kept);
    bucket->count = kept;
}

static swp_status add_access(const swp_ptx_run *run, swp_ptx_accesses *bucket,
                             const swp_ptx_access *access)
{
    if (bucket->count >= FULL_BUCKET && bucket->count % FULL_BUCKET == 0)
        forget_reads(run, bucket);
    return SWP_PUSH(run->ctx, bucket, *access);
}

/* What mbarrier operations do to it is theirs. */
static void check_mbarriers(swp_ptx_run *run, const swp_ptx_access *access)
{
    const swp_ptx_kind kind = run->module->insns.items[access->insn].kind;
    if (!access->writes || (kind >= SWP_PTX_INIT && kind <= SWP_PTX_WAIT))
        return;
    for (int i = 0; i < run->mbarrier_count; i++) {
        const swp_ptx_mbarrier *mbarrier = &run->mbarriers[i];
        if (mbarrier->address >= 0 && access->low < mbarrier->address + SWP_PTX_MBARRIER_BYTES &&
            mbarrier->address < access->high)
            report(run,
                   (swp_ptx_finding){
                       .kind = SWP_OVERWRITTEN,
                       .at = access->insn,
                       .other = mbarrier->insn,
                       .low = mbarrier->address,
                       .high = mbarrier->address + SWP_PTX_MBARRIER_BYTES,
                       .detail = "an mbarrier that is in use lies where this writes",
                       .hint = "mbarrier.inval before its bytes are used for anything else",
                       .unsure = access->unsure},
                   access->guessed);
    }
}

/* No launch has arguments with which that happens; where none are given, the kernel is wrong or misread. */
static void leave_shared(swp_ptx_run *run, int insn)
{
    bool given = false;
    for (int i = 0; i < run->arguments->count; i++)
        given |= run->arguments->items[i].given;
    if (!given)
        swp_ptx_report_unknown(run, insn, "it reaches beyond the shared memory of a work group",
                               "compare its address and bytes with what the kernel allocates");
    else if (run->outcome == SWP_PTX_GOES_ON)
        run->outcome = SWP_PTX_DISCARDED;
}

/* What the launch allocates besides, where that is stated. */
static void check_allocated(swp_ptx_run *run, const swp_ptx_access *access)
{
    const swp_audit_launch *launch = run->arguments->launch;
    const int64_t own = access->high - access->low / SWP_PTX_MOST_SHARED * SWP_PTX_MOST_SHARED;
    if (launch && launch->has_shared && own > run->module->dynamic + launch->shared)
        swp_ptx_report_unknown(run, access->insn,
                               "it reaches beyond the shared memory of the launch that is stated",
                               "give the launch as much as the kernel uses, and state that");
}

/* Compares an access piece by piece with what is on the buckets of one kind, and adds it there or not. */
static swp_status meet_shelves(swp_ptx_run *run, const swp_ptx_clock *clock,
                               const swp_ptx_access *access, bool is_long, bool adds)
{
    const int64_t bytes = is_long ? SWP_PTX_LONG_SHELF_BYTES : SWP_PTX_BUCKET_BYTES;
    swp_ptx_accesses *buckets =
        is_long ? &run->buckets[(size_t)SWP_PTX_BUCKETS * (size_t)run->cluster] : run->buckets;
    swp_ptx_access piece = *access;
    while (piece.low < access->high) {
        const int64_t number = piece.low / bytes;
        const int64_t end = (number + 1) * bytes;
        piece.high = end < access->high ? end : access->high;
        meet(run, clock, &buckets[number], &piece);
        if (adds)
            SWP_TRY(add_access(run, &buckets[number], &piece));
        piece.low = piece.high;
    }
    return SWP_OK;
}

swp_status swp_ptx_access_shared(swp_ptx_run *run, const swp_ptx_clock *clock,
                                 swp_ptx_access access)
{
    const bool is_long = access.high - access.low > LEAST_LONG;
    const bool crosses =
        run->cluster > 1 && swp_ptx_owner(access.low) != swp_ptx_owner(access.high - 1);
    if (access.low < 0 || access.high > swp_ptx_shared_end(run) || crosses) {
        leave_shared(run, access.insn);
        return SWP_OK;
    }
    check_mbarriers(run, &access);
    check_allocated(run, &access);
    /* Where no tensor copy brings anything it is not asked. */
    if (!access.writes && !access.unsure && run->equations->sizes.count)
        swp_ptx_note_read(run, access.insn, access.low, access.high);
    if (access.writes) {
        swp_ptx_note_written(run, access.low, access.high);
        swp_ptx_forget_bytes(run, access.low, access.high);
    }
    run->fence = (swp_ptx_finding){0};
    SWP_TRY(meet_shelves(run, clock, &access, true, is_long));
    SWP_TRY(meet_shelves(run, clock, &access, false, !is_long));
    if (run->fence.detail)
        swp_ptx_report(run, run->fence);
    return SWP_OK;
}
