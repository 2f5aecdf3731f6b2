/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks of a run's chains, and the accesses to shared memory that are known, each of which the later ones are compared with. */
#include "audit/ptx/order.h"

#include "audit/ptx/cluster.h"
#include "audit/ptx/contents.h"

enum {
    LEAST_LONG = 512, /* bytes of an access that is not cut */
    FULL_BUCKET = 16  /* accesses that are worth a look for what can go */
};

unsigned swp_ptx_chains_of(uint32_t lanes)
{
    return (lanes & 1u) | (lanes >> 1 ? 2u : 0u);
}

/* Without a branch, so that compilers make vectors of it: an audit joins clocks more often than it does anything else. */
void swp_ptx_join(swp_ptx_clock *restrict to, const swp_ptx_clock *restrict from)
{
    for (int i = 0; i < SWP_PTX_CLOCK_LENGTH; i++)
        to->at[i] = from->at[i] > to->at[i] ? from->at[i] : to->at[i];
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

/* Operations on an mbarrier that leave it in use: whatever may not overtake the last one of a thread may not overtake those before. */
static bool are_uses(const swp_ptx_run *run, const swp_ptx_access *a, const swp_ptx_access *b)
{
    const swp_ptx_insn *insns = run->module->insns.items;
    return !a->writes && !b->writes && insns[a->insn].kind >= SWP_PTX_ARRIVE &&
           insns[a->insn].kind <= SWP_PTX_WAIT && insns[b->insn].kind >= SWP_PTX_ARRIVE &&
           insns[b->insn].kind <= SWP_PTX_WAIT;
}

/* Reads of groups, which complete in turn: whoever has waited for the later one has waited for the earlier one of the thread, too. */
static bool are_reads_in_turn(const swp_ptx_access *earlier, const swp_ptx_access *later)
{
    return earlier->is_async && later->is_async && !earlier->writes && !later->writes &&
           earlier->value <= later->value && earlier->of_rows == later->of_rows &&
           earlier->unsure == later->unsure && earlier->guessed == later->guessed;
}

/* A later one of the same instruction stands for it, or one that wrote over it. */
static bool is_replaced(const swp_ptx_run *run, const swp_ptx_clock *clock,
                        const swp_ptx_access *earlier, const swp_ptx_access *later)
{
    /* Whoever waits for the later one has waited for the earlier one of the same thread, too. */
    const bool in_turn = earlier->component == earlier->chain ||
                         earlier->component == SWP_PTX_CLOCK_COPIES + earlier->chain;
    if (earlier->insn == later->insn && earlier->chain == later->chain &&
        earlier->component == later->component && in_turn && earlier->low == later->low &&
        earlier->high == later->high && earlier->unsure && later->unsure)
        return true;
    if (earlier->low < later->low || earlier->high > later->high || later->unsure)
        return false;
    if (later->is_atomic && !earlier->is_atomic)
        return false;
    /* Of two that are alike the first one may be the later one. */
    if (earlier->writes && clock->at[earlier->component] < earlier->value)
        return false;
    return later->writes || ((earlier->insn == later->insn || are_uses(run, earlier, later) ||
                              are_reads_in_turn(earlier, later)) &&
                             earlier->chain == later->chain &&
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

/* The bytes of one access come piece by piece, and lane by lane. */
static void compare(swp_ptx_run *run, const swp_ptx_clock *clock, swp_ptx_access *earlier,
                    const swp_ptx_access *later)
{
    if ((earlier->passed_chain == later->chain && earlier->passed_event == later->event) ||
        !swp_ptx_compare(run, clock, earlier, later))
        return;
    earlier->passed_chain = later->chain;
    earlier->passed_event = later->event;
}

/* Compares an access with those of a bucket, and takes those out that it replaces. */
static void meet(swp_ptx_run *run, const swp_ptx_clock *clock, swp_ptx_accesses *bucket,
                 const swp_ptx_access *access)
{
    size_t kept = 0;
    for (size_t i = 0; i < bucket->count; i++) {
        swp_ptx_access *other = &bucket->items[i];
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
            !(is_replaced(run, clock, other, access) || is_repeated(run, other, access)))
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
            swp_ptx_report_by_guess(
                run,
                (swp_ptx_finding){.kind = SWP_OVERWRITTEN,
                                  .at = access->insn,
                                  .other = mbarrier->insn,
                                  .low = mbarrier->address,
                                  .high = mbarrier->address + SWP_PTX_MBARRIER_BYTES,
                                  .detail = "an mbarrier that is in use lies where this writes",
                                  .hint =
                                      "mbarrier.inval before its bytes are used for anything else",
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
        const int64_t number = is_long ? piece.low / SWP_PTX_LONG_SHELF_BYTES
                                       : piece.low / SWP_PTX_BUCKET_BYTES; /* by constants */
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
