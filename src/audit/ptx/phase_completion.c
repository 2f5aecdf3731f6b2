/* SPDX-License-Identifier: Apache-2.0 */
/* How a phase of an mbarrier completes: what its copies write, and what has to be before or behind. */
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"

#include <string.h>

/* What a copy writes: first what is certain of it, then what is a guess. */
static swp_status write_copied(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier,
                               const swp_ptx_copy *copy)
{
    swp_ptx_access access = {.low = copy->to,
                             .high = copy->to + copy->certain,
                             .writes = true,
                             .is_async = !copy->is_ordinary,
                             .is_atomic = copy->is_atomic,
                             .component = swp_ptx_phase_component(run, mbarrier),
                             .value = mbarrier->phase + 1,
                             .chain = copy->chain,
                             .event = copy->event,
                             .insn = copy->insn};
    SWP_TRY(swp_ptx_access_shared(run, copy->issue, access));
    if (copy->certain == copy->bytes || run->outcome != SWP_PTX_GOES_ON)
        return SWP_OK;
    access.low = access.high;
    access.high = copy->to + copy->bytes;
    access.guessed = true;
    return swp_ptx_access_shared(run, copy->issue, access);
}

static swp_status complete_copies(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_copies *copies = &mbarrier->copies;
    if (!copies->count)
        return SWP_OK;
    SWP_TRY(swp_ptx_note_byte_copies(run, mbarrier));
    SWP_TRY(swp_ptx_size_boxes(run, mbarrier));
    for (size_t i = 0; i < copies->count && run->outcome == SWP_PTX_GOES_ON; i++) {
        const swp_ptx_copy *copy = &copies->items[i];
        swp_ptx_join(&mbarrier->arrived, copy->issue);
        SWP_TRY(write_copied(run, mbarrier, copy));
    }
    copies->count = 0;
    return SWP_OK;
}

swp_ptx_facts swp_ptx_facts_of_phase(const swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_facts facts = {.of = SWP_PTX_PHASE_FACTS,
                           .count = mbarrier->count,
                           .came = mbarrier->count - mbarrier->pending,
                           .bytes = mbarrier->expected};
    for (size_t i = 0; i < mbarrier->copies.count && facts.brought >= 0; i++) {
        const int64_t bytes = mbarrier->copies.items[i].bytes;
        facts.brought = bytes < 0 ? -1 : facts.brought + bytes;
    }
    return facts;
}

/* Whether the other threads of the warp that waited as well have gone on to what completes the next phase. */
static bool is_left_by_its_warp(const swp_ptx_mbarrier *mbarrier, int chain)
{
    const int other = chain ^ 1;
    return mbarrier->wait_phase[other] == mbarrier->phase && mbarrier->wait_event[other] > 0 &&
           swp_ptx_executed(mbarrier->arrived.at, other) >= mbarrier->wait_event[other];
}

/* By who is late: thread 0, the others, and others that only wait. */
static const char *const waits_of_warp[] = {
    "thread 0 of a warp may still be in this wait when the next phase is complete, which other "
    "threads of the warp go on to: its parity then says `not yet` to it, and it waits for ever, "
    "here or at its last wait",
    "threads 1 to 31 of a warp may still be in this wait when the next phase is complete, which "
    "thread 0 of the warp goes on to: its parity then says `not yet` to them, and they wait for "
    "ever, here or at their last wait",
    "threads 1 to 31 of a warp may still be in this wait when the next phase is complete, which "
    "thread 0 of the warp goes on to: its parity then says `not yet` to them, and they wait for "
    "ever, here or at their last wait; they have only waited since the last barrier, so that no "
    "number depends on them, but the work group does not end"};

static bool has_others_busy(const swp_ptx_run *run, int chain)
{
    return (run->warps[chain / 2].busy & ~UINT32_C(1)) != 0;
}

static void report_waiter(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, int chain)
{
    swp_ptx_finding finding = {.kind = SWP_PHASE_ALIAS,
                               .at = mbarrier->wait_insn[chain],
                               .other = mbarrier->insn,
                               .of_at = swp_ptx_threads_of(chain),
                               .detail = "the next phase may be complete before this wait has "
                                         "returned, if these threads are late by one phase: its "
                                         "parity then says `not yet`, and they wait for ever, "
                                         "here or at their last wait",
                               .hint = "let who waits arrive before the phase after may begin"};
    if (is_left_by_its_warp(mbarrier, chain)) {
        finding.detail = waits_of_warp[chain % 2 ? 1 + !has_others_busy(run, chain) : 0];
        finding.hint = "__syncwarp() (bar.warp.sync) behind the wait, so that no thread of the "
                       "warp goes on while others are in it; or let one thread alone wait";
    }
    swp_ptx_report(run, finding);
}

/* Who waited for the phase before must be back from it: its parity comes to say something else. */
static void check_waiters(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    for (int chain = 0; chain < 2 * run->warp_count; chain++)
        if (mbarrier->wait_phase[chain] == mbarrier->phase && mbarrier->wait_event[chain] > 0 &&
            swp_ptx_executed(mbarrier->arrived.at, chain) < mbarrier->wait_event[chain])
            report_waiter(run, mbarrier, chain);
}

/* Who tells of bytes has to do so before some arrival: else all may arrive, and the phase be complete, before. */
static void check_expects(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    for (int chain = 0; chain < 2 * run->warp_count; chain++)
        if (mbarrier->arrived.at[chain] < mbarrier->expect_event[chain])
            swp_ptx_report(run,
                           (swp_ptx_finding){
                               .kind = SWP_ARRIVALS,
                               .at = mbarrier->expect_insn,
                               .other = mbarrier->insn,
                               .detail = "all arrivals may come before these bytes are expected: "
                                         "the phase is then complete without them",
                               .hint = "let the thread that expects bytes arrive behind that, or "
                                       "mbarrier.arrive.expect_tx"});
}

swp_status swp_ptx_complete_phase(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
    check_expects(run, mbarrier);
    mbarrier->completed_alone = mbarrier->copies.count == 0 && mbarrier->expected == 0;
    SWP_TRY(complete_copies(run, mbarrier));
    if (run->outcome != SWP_PTX_GOES_ON)
        return SWP_OK;
    check_waiters(run, mbarrier);
    mbarrier->completed = mbarrier->arrived;
    mbarrier->completed.at[swp_ptx_phase_component(run, mbarrier)] = ++mbarrier->phase;
    memcpy(mbarrier->completed_split, mbarrier->split, sizeof mbarrier->split);
    memset(mbarrier->split, 0, sizeof mbarrier->split);
    mbarrier->arrived = (swp_ptx_clock){0};
    mbarrier->pending = mbarrier->count;
    mbarrier->expected = 0;
    mbarrier->expect_insn = -1;
    mbarrier->computed = false;
    mbarrier->bytes_of = 0;
    memset(mbarrier->expect_event, 0, sizeof mbarrier->expect_event);
    return SWP_OK;
}

swp_status swp_ptx_complete_copies(swp_ptx_run *run, bool known, bool *any)
{
    *any = false;
    known = swp_ptx_lands_known_only(run, known);
    const bool alone = !known && run->cluster > 1;
    const swp_ptx_mbarrier *first = alone ? swp_ptx_first_to_land(run) : NULL;
    for (int i = 0; i < run->mbarrier_count && run->outcome == SWP_PTX_GOES_ON; i++) {
        swp_ptx_mbarrier *mbarrier = &run->mbarriers[i];
        if (!swp_ptx_may_land(mbarrier) || (alone && mbarrier != first))
            continue;
        bool lands = true;
        if (known)
            SWP_TRY(swp_ptx_has_all_copies(run, mbarrier, &lands));
        if (!lands)
            continue;
        *any = true;
        SWP_TRY(swp_ptx_complete_phase(run, mbarrier));
    }
    return SWP_OK;
}
