/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mbarriers of a run of a kernel: arrivals, expected bytes, waits by parity, and the copies that a phase completes with
 * (PTX ISA 9.0, "Parallel Synchronization and Communication Instructions: mbarrier").
 */
#include "audit/ptx/contents.h"
#include "audit/ptx/order.h"

#include <string.h>

enum { MOST_ARRIVALS = (1 << 20) - 1 };

static int number_of(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    return (int)(mbarrier - run->mbarriers);
}

static int known_phases(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, int strand)
{
    return run->clocks[strand].at[SWP_PTX_CLOCK_PHASES + number_of(run, mbarrier)];
}

swp_ptx_mbarrier *swp_ptx_mbarrier_at(const swp_ptx_turn *turn, uint64_t address)
{
    for (int i = 0; i < turn->run->mbarrier_count; i++)
        if (turn->run->mbarriers[i].address == (int64_t)(address & UINT32_MAX))
            return &turn->run->mbarriers[i];
    swp_ptx_doubt(turn->run, turn->number, "no mbarrier has been initialised at this address",
                  "initialise it with mbarrier.init before");
    return NULL;
}

static swp_ptx_mbarrier *mbarrier_of(const swp_ptx_turn *turn, int group)
{
    const swp_ptx_operand *operand = swp_ptx_operand_of(turn->run->module, turn->insn, group);
    uint64_t address = 0;
    if (!operand || !swp_ptx_same_number(turn, operand, &address))
        return NULL;
    if (operand->atom == SWP_PTX_REGISTER)
        address += (uint64_t)operand->value;
    return swp_ptx_mbarrier_at(turn, address);
}

/* What is done to an mbarrier is an access to its bytes: others may not write them at the same time. */
static swp_status access_bytes(const swp_ptx_turn *turn, int64_t address, bool writes)
{
    for (int which = 0; which < 2; which++) {
        const int strand = swp_ptx_strand(turn->warp, which);
        if (!(swp_ptx_strands_of(turn->lanes) >> which & 1))
            continue;
        const int event = swp_ptx_tick(turn->run, strand);
        SWP_TRY(swp_ptx_access_shared(turn->run, &turn->run->clocks[strand],
                                      (swp_ptx_access){.low = address,
                                                       .high = address + SWP_PTX_MBARRIER_BYTES,
                                                       .writes = writes,
                                                       .component = strand,
                                                       .value = event,
                                                       .strand = strand,
                                                       .event = event,
                                                       .insn = turn->number}));
    }
    return SWP_OK;
}

/* Whether an mbarrier is invalid, and all know what it has ever completed: another one may go on counting from there. */
static bool is_spent(const swp_ptx_run *run, int i)
{
    const swp_ptx_mbarrier *mbarrier = &run->mbarriers[i];
    return mbarrier->address < 0 && !mbarrier->copies.count &&
           swp_ptx_is_past(run, SWP_PTX_CLOCK_PHASES + i, mbarrier->phase);
}

/* A number for a new mbarrier, and the phase that it begins with: an even one, which none before it had. */
static int take_number(const swp_ptx_run *run, int *phase)
{
    int i = 0;
    while (i < run->mbarrier_count && !is_spent(run, i))
        i++;
    *phase = i < run->mbarrier_count ? run->mbarriers[i].phase : 0;
    *phase += *phase & 1;
    return i;
}

static swp_status initialise(const swp_ptx_turn *turn)
{
    swp_ptx_run *run = turn->run;
    const swp_ptx_operand *at = swp_ptx_operand_of(run->module, turn->insn, 0);
    const swp_ptx_operand *of = swp_ptx_operand_of(run->module, turn->insn, 1);
    uint64_t address = 0;
    uint64_t count = 0;
    int phase = 0;
    bool again = false;
    if (!at || !of || !swp_ptx_same_number(turn, at, &address) ||
        !swp_ptx_same_number(turn, of, &count))
        return SWP_OK;
    address += (uint64_t)(at->atom == SWP_PTX_REGISTER ? at->value : 0);
    for (int k = 0; k < run->mbarrier_count; k++)
        again |= run->mbarriers[k].address == (int64_t)(address & UINT32_MAX);
    const int i = take_number(run, &phase);
    if (again || i == SWP_PTX_MOST_MBARRIERS) {
        swp_ptx_doubt(run, turn->number,
                      "more than 128 mbarriers, or one that is initialised twice",
                      "initialise each mbarrier once");
        return SWP_OK;
    }
    if (address % SWP_PTX_MBARRIER_BYTES) {
        swp_ptx_doubt(run, turn->number, "the address of an mbarrier is no multiple of 8",
                      "align it to 8 bytes");
        return SWP_OK;
    }
    SWP_TRY(access_bytes(turn, (int64_t)(address & UINT32_MAX), true));
    run->mbarrier_count += i == run->mbarrier_count;
    const int strand = swp_ptx_strand(turn->warp, turn->lanes & 1 ? 0 : 1);
    for (int which = 0; which < 2; which++)
        if (swp_ptx_strands_of(turn->lanes) >> which & 1)
            run->clocks[swp_ptx_strand(turn->warp, which)].at[SWP_PTX_CLOCK_PHASES + i] = phase;
    run->mbarriers[i] = (swp_ptx_mbarrier){.address = (int64_t)(address & UINT32_MAX),
                                           .count = (int)(count & MOST_ARRIVALS),
                                           .pending = (int)(count & MOST_ARRIVALS),
                                           .phase = phase,
                                           .expect_insn = -1,
                                           .insn = turn->number,
                                           .strand = strand,
                                           .event = swp_ptx_tick(run, strand)};
    return SWP_OK;
}

static swp_status invalidate(const swp_ptx_turn *turn)
{
    swp_ptx_mbarrier *mbarrier = mbarrier_of(turn, 0);
    if (!mbarrier)
        return SWP_OK;
    if (mbarrier->copies.count)
        swp_ptx_tell(turn->run,
                     (swp_ptx_finding){.kind = SWP_ARRIVALS,
                                       .at = turn->number,
                                       .other = mbarrier->copies.items[0].insn,
                                       .detail = "a copy that is to arrive here may be in flight",
                                       .hint = "wait for the phase before mbarrier.inval"});
    const int64_t address = mbarrier->address;
    mbarrier->address = -1;
    return access_bytes(turn, address, true);
}

void swp_ptx_check_turn(const swp_ptx_turn *turn, const swp_ptx_mbarrier *mbarrier, int strand)
{
    swp_ptx_run *run = turn->run;
    swp_ptx_finding finding = {.kind = SWP_ARRIVALS, .at = turn->number, .other = mbarrier->insn};
    if (run->clocks[strand].at[mbarrier->strand] < mbarrier->event) {
        finding.detail = "nothing orders it behind the initialisation of its mbarrier";
        finding.hint = "a barrier of all threads behind mbarrier.init";
        swp_ptx_tell(run, finding);
    } else if (known_phases(run, mbarrier, strand) < mbarrier->phase) {
        finding.detail = "it may come before the phase before its own is complete, and would then "
                         "count in that one";
        finding.hint = "let it come after a wait that shows that phase to be complete";
        swp_ptx_tell(run, finding);
    }
}

/* --- completion --- */

static swp_status land_copies(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_copies *copies = &mbarrier->copies;
    if (!copies->count)
        return SWP_OK;
    SWP_TRY(swp_ptx_size_boxes(run, mbarrier));
    for (size_t i = 0; i < copies->count && run->outcome == SWP_PTX_GOES_ON; i++) {
        const swp_ptx_copy *copy = &copies->items[i];
        swp_ptx_join(&mbarrier->arrived, copy->issue);
        SWP_TRY(swp_ptx_access_shared(
            run, copy->issue,
            (swp_ptx_access){.low = copy->to,
                             .high = copy->to + copy->bytes,
                             .writes = true,
                             .is_async = true,
                             .component = SWP_PTX_CLOCK_PHASES + number_of(run, mbarrier),
                             .value = mbarrier->phase + 1,
                             .strand = copy->strand,
                             .event = copy->event,
                             .insn = copy->insn}));
    }
    copies->count = 0;
    return SWP_OK;
}

/* Who waited for the phase before must be back from it: its parity comes to say something else. */
static void check_waiters(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    for (int strand = 0; strand < 2 * run->warp_count; strand++)
        if (mbarrier->waited_phase[strand] == mbarrier->phase && mbarrier->waited[strand] > 0 &&
            mbarrier->arrived.at[strand] < mbarrier->waited[strand])
            swp_ptx_tell(run, (swp_ptx_finding){
                                  .kind = SWP_PHASE_ALIAS,
                                  .at = mbarrier->waited_insn[strand],
                                  .other = mbarrier->insn,
                                  .detail = "the next phase may be complete before this wait has "
                                            "returned: its parity then says `not yet`",
                                  .hint = "let who waits arrive before the phase after may begin"});
}

/* Who tells of bytes has to do so before some arrival: else all may arrive, and the phase be complete, before. */
static void check_told(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    for (int strand = 0; strand < 2 * run->warp_count; strand++)
        if (mbarrier->arrived.at[strand] < mbarrier->told[strand])
            swp_ptx_tell(run,
                         (swp_ptx_finding){
                             .kind = SWP_ARRIVALS,
                             .at = mbarrier->expect_insn,
                             .other = mbarrier->insn,
                             .detail = "all arrivals may come before these bytes are expected: "
                                       "the phase is then complete without them",
                             .hint = "let the thread that expects bytes arrive behind that, or "
                                     "mbarrier.arrive.expect_tx"});
}

static swp_status complete(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
    check_told(run, mbarrier);
    SWP_TRY(land_copies(run, mbarrier));
    if (run->outcome != SWP_PTX_GOES_ON)
        return SWP_OK;
    check_waiters(run, mbarrier);
    mbarrier->completed = mbarrier->arrived;
    mbarrier->completed.at[SWP_PTX_CLOCK_PHASES + number_of(run, mbarrier)] = ++mbarrier->phase;
    mbarrier->arrived = (swp_ptx_clock){0};
    mbarrier->pending = mbarrier->count;
    mbarrier->expected = 0;
    mbarrier->expect_insn = -1;
    memset(mbarrier->told, 0, sizeof mbarrier->told);
    return SWP_OK;
}

swp_status swp_ptx_land(swp_ptx_run *run, bool known, bool *any)
{
    *any = false;
    for (int i = 0; i < run->mbarrier_count && run->outcome == SWP_PTX_GOES_ON; i++) {
        swp_ptx_mbarrier *mbarrier = &run->mbarriers[i];
        if (mbarrier->pending > 0 || !mbarrier->expected || !mbarrier->copies.count)
            continue;
        bool lands = true;
        if (known)
            SWP_TRY(swp_ptx_has_all_copies(run, mbarrier, &lands));
        if (!lands)
            continue;
        *any = true;
        SWP_TRY(complete(run, mbarrier));
    }
    return SWP_OK;
}

/* --- operations --- */

/* Where a register is named, it says which phase this arrival is of. */
static void give_token(const swp_ptx_turn *turn, const swp_ptx_mbarrier *mbarrier)
{
    const swp_ptx_operand *to = swp_ptx_operand_of(turn->run->module, turn->insn, 0);
    if (turn->insn->has_results && to && to->atom == SWP_PTX_REGISTER)
        swp_ptx_write(
            turn, to->reg,
            swp_ptx_number(swp_ptx_token(number_of(turn->run, mbarrier), mbarrier->phase)));
}

static swp_status arrive(const swp_ptx_turn *turn)
{
    swp_ptx_run *run = turn->run;
    const bool expects = turn->insn->kind != SWP_PTX_ARRIVE;
    const bool arrives = turn->insn->kind != SWP_PTX_EXPECT;
    swp_ptx_mbarrier *mbarrier = mbarrier_of(turn, arrives ? 1 : 0);
    const swp_ptx_operand *operand = swp_ptx_operand_of(run->module, turn->insn, arrives ? 2 : 1);
    uint64_t number = 1;
    if (!mbarrier || (operand && !swp_ptx_same_number(turn, operand, &number)))
        return SWP_OK;
    if (!expects && (number == 0 || number > MOST_ARRIVALS)) {
        swp_ptx_doubt(run, turn->number, "an arrival counts for 1 to 1048575",
                      "arrive as often as the phase counts");
        return SWP_OK;
    }
    for (int which = 0; which < 2; which++) {
        const int strand = swp_ptx_strand(turn->warp, which);
        if (!(swp_ptx_strands_of(turn->lanes) >> which & 1))
            continue;
        swp_ptx_check_turn(turn, mbarrier, strand);
        const int event = swp_ptx_tick(run, strand);
        if (arrives)
            swp_ptx_join(&mbarrier->arrived, &run->clocks[strand]);
        else
            mbarrier->told[strand] = event;
    }
    SWP_TRY(access_bytes(turn, mbarrier->address, false));
    give_token(turn, mbarrier);
    if (expects) {
        mbarrier->expected += (int64_t)(number & UINT32_MAX) * swp_ptx_count_lanes(turn->lanes);
        mbarrier->expect_insn = turn->number;
    }
    if (arrives)
        mbarrier->pending -= (expects ? 1 : (int)number) * swp_ptx_count_lanes(turn->lanes);
    if (mbarrier->pending < 0)
        swp_ptx_tell(run, (swp_ptx_finding){
                              .kind = SWP_ARRIVALS,
                              .at = turn->number,
                              .other = mbarrier->insn,
                              .detail = "more threads arrive in a phase than its mbarrier counts",
                              .hint = "initialise it with the number of arrivals"});
    if (mbarrier->pending == 0 && !mbarrier->expected && !mbarrier->copies.count)
        return complete(run, mbarrier);
    return SWP_OK;
}

static void pass(const swp_ptx_turn *turn, swp_ptx_mbarrier *mbarrier, int strand)
{
    swp_ptx_run *run = turn->run;
    if (run->clocks[strand].at[mbarrier->strand] < mbarrier->event)
        swp_ptx_check_turn(turn, mbarrier, strand);
    if (known_phases(run, mbarrier, strand) < mbarrier->phase - 1)
        swp_ptx_tell(
            run, (swp_ptx_finding){.kind = SWP_PHASE_ALIAS,
                                   .at = turn->number,
                                   .other = mbarrier->insn,
                                   .detail = "the phase before the one that this waits for may be "
                                             "incomplete: its parity then says `done` too early",
                                   .hint = "flip the parity each time that the ring comes round"});
    swp_ptx_join(&run->clocks[strand], &mbarrier->completed);
    mbarrier->waited[strand] = swp_ptx_tick(run, strand);
    mbarrier->waited_phase[strand] = mbarrier->phase;
    mbarrier->waited_insn[strand] = turn->number;
}

/* Of the phase that is waited for, which a token names by itself; false: it is none of this mbarrier's. */
static bool read_parity(const swp_ptx_turn *turn, const swp_ptx_mbarrier *mbarrier,
                        const swp_ptx_operand *operand, uint64_t *parity)
{
    if (!swp_ptx_same_number(turn, operand, parity))
        return false;
    if (swp_ptx_has(turn->insn->name, "parity"))
        return true;
    const uint64_t first = swp_ptx_token(number_of(turn->run, mbarrier), 0);
    if (*parity >> 32 == first >> 32)
        return true;
    swp_ptx_doubt(turn->run, turn->number, "it is not known which phase this waits for",
                  "give it what mbarrier.arrive on the same mbarrier has returned");
    return false;
}

static swp_status wait(const swp_ptx_turn *turn, bool *waits)
{
    swp_ptx_run *run = turn->run;
    swp_ptx_mbarrier *mbarrier = mbarrier_of(turn, 1);
    const swp_ptx_operand *operand = swp_ptx_operand_of(run->module, turn->insn, 2);
    const swp_ptx_operand *result = swp_ptx_operand_of(run->module, turn->insn, 0);
    uint64_t parity = 0;
    if (!mbarrier || !operand || !result || !read_parity(turn, mbarrier, operand, &parity))
        return SWP_OK;
    /* A test that is not repeated until it holds waits for nothing. */
    if (result->atom != SWP_PTX_REGISTER ||
        !swp_ptx_spins(run->module, turn->number, result->reg)) {
        if (result->atom == SWP_PTX_REGISTER)
            swp_ptx_write(turn, result->reg, swp_ptx_unknown(SWP_PTX_DATA));
        return SWP_OK;
    }
    *waits = ((uint64_t)mbarrier->phase & 1) == (parity & 1);
    if (*waits)
        return SWP_OK;
    for (int which = 0; which < 2; which++)
        if (swp_ptx_strands_of(turn->lanes) >> which & 1)
            pass(turn, mbarrier, swp_ptx_strand(turn->warp, which));
    swp_ptx_write(turn, result->reg, swp_ptx_number(1));
    return access_bytes(turn, mbarrier->address, false);
}

swp_status swp_ptx_execute_mbarrier(const swp_ptx_turn *turn, bool *waits)
{
    if (turn->insn->kind == SWP_PTX_INIT)
        return initialise(turn);
    if (turn->insn->kind == SWP_PTX_INVALIDATE)
        return invalidate(turn);
    return turn->insn->kind == SWP_PTX_WAIT ? wait(turn, waits) : arrive(turn);
}

static void cover(int *at, int known, int fenced)
{
    for (int strand = 0; strand < SWP_PTX_MOST_STRANDS; strand++)
        if (at[known + strand] > at[fenced + strand])
            at[fenced + strand] = at[known + strand];
}

void swp_ptx_execute_fence(const swp_ptx_turn *turn)
{
    swp_ptx_run *run = turn->run;
    for (int which = 0; which < 2; which++) {
        const int strand = swp_ptx_strand(turn->warp, which);
        int *at = run->clocks[strand].at;
        if (!(swp_ptx_strands_of(turn->lanes) >> which & 1))
            continue;
        /* Wherever it stands on the way from the store to who needs it (Lustig et al. 2022). */
        if (!swp_ptx_has(turn->insn->name, "mbarrier_init")) {
            cover(at, 0, SWP_PTX_CLOCK_FENCED);
            cover(at, SWP_PTX_CLOCK_COPIES, SWP_PTX_CLOCK_FENCED_COPIES);
        }
        for (int i = 0; i < run->mbarrier_count; i++)
            run->mbarriers[i].fenced |= run->mbarriers[i].strand == strand;
    }
}
