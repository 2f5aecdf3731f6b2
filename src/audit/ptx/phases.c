/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mbarriers of a run of a kernel: arrivals, expected bytes, waits by parity, and the copies that a phase completes with
 * (PTX ISA 9.0, "Parallel Synchronization and Communication Instructions: mbarrier").
 */
#include "audit/ptx/run.h"

#include <stdlib.h>

enum {
    LEAST_COPY = 16, /* bytes: all copies are multiples of it */
    MOST_ARRIVALS = (1 << 20) - 1
};

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

static swp_status initialise(const swp_ptx_turn *turn)
{
    swp_ptx_run *run = turn->run;
    const swp_ptx_operand *at = swp_ptx_operand_of(run->module, turn->insn, 0);
    const swp_ptx_operand *of = swp_ptx_operand_of(run->module, turn->insn, 1);
    uint64_t address = 0;
    uint64_t count = 0;
    int i = 0;
    if (!at || !of || !swp_ptx_same_number(turn, at, &address) ||
        !swp_ptx_same_number(turn, of, &count))
        return SWP_OK;
    address += (uint64_t)(at->atom == SWP_PTX_REGISTER ? at->value : 0);
    while (i < run->mbarrier_count && run->mbarriers[i].address != (int64_t)(address & UINT32_MAX))
        i++;
    if (i == SWP_PTX_MOST_MBARRIERS || i < run->mbarrier_count) {
        swp_ptx_doubt(run, turn->number,
                      "more than 128 mbarriers, or one that is initialised twice",
                      "initialise each mbarrier once");
        return SWP_OK;
    }
    run->mbarrier_count++;
    const int strand = swp_ptx_strand(turn->warp, turn->lanes & 1 ? 0 : 1);
    run->mbarriers[i] = (swp_ptx_mbarrier){.address = (int64_t)(address & UINT32_MAX),
                                           .count = (int)(count & MOST_ARRIVALS),
                                           .pending = (int)(count & MOST_ARRIVALS),
                                           .expect_insn = -1,
                                           .insn = turn->number,
                                           .strand = strand,
                                           .event = swp_ptx_tick(run, strand)};
    return SWP_OK;
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

static int compare_places(const void *a, const void *b)
{
    const int64_t first = ((const swp_ptx_copy *)a)->to;
    const int64_t second = ((const swp_ptx_copy *)b)->to;
    return (first > second) - (first < second);
}

/* How far a box may reach: to the next place that copies of the kernel are known to write. */
static int64_t room_of(const swp_ptx_run *run, const swp_ptx_copy *copy)
{
    int64_t end = INT64_MAX;
    for (size_t i = 0; i < run->places->count; i++)
        if (run->places->items[i] > copy->to && run->places->items[i] < end)
            end = run->places->items[i];
    return end - copy->to;
}

typedef struct boxes {
    int64_t count;
    int64_t bytes; /* of all of them */
    bool same;     /* all have one map */
} boxes;

static boxes boxes_of(const swp_ptx_mbarrier *mbarrier)
{
    const swp_ptx_copies *copies = &mbarrier->copies;
    boxes b = {.bytes = mbarrier->expected, .same = true};
    for (size_t i = 0; i < copies->count; i++) {
        b.bytes -= copies->items[i].bytes > 0 ? copies->items[i].bytes : 0;
        b.count += copies->items[i].bytes < 0;
        b.same &= copies->items[i].map == copies->items[0].map;
    }
    return b;
}

static void share_equally(swp_ptx_copies *copies, const boxes *b)
{
    for (size_t i = 0; i < copies->count; i++)
        if (copies->items[i].bytes < 0)
            copies->items[i].bytes = b->bytes / b->count;
}

/* Each box but the last one fills its room; false: they cannot. */
static bool fill_rooms(const swp_ptx_run *run, swp_ptx_copies *copies, const boxes *b)
{
    int64_t left = b->bytes;
    swp_ptx_copy *last = NULL;
    for (size_t i = 0; i < copies->count; i++) {
        if (copies->items[i].bytes >= 0)
            continue;
        left -= last ? room_of(run, last) : 0;
        last = &copies->items[i];
    }
    if (!last || left < LEAST_COPY || left > room_of(run, last))
        return false;
    for (size_t i = 0; i < copies->count; i++)
        if (copies->items[i].bytes < 0)
            copies->items[i].bytes =
                &copies->items[i] == last ? left : room_of(run, &copies->items[i]);
    return true;
}

/* So little that it is in nobody's way. */
static void make_least(swp_ptx_copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        copies->items[i].bytes = LEAST_COPY;
}

static bool fit_equally(const swp_ptx_run *run, const swp_ptx_copies *copies, const boxes *b)
{
    bool fits = b->bytes % (LEAST_COPY * b->count) == 0;
    for (size_t i = 0; i < copies->count; i++)
        fits &=
            copies->items[i].bytes >= 0 || b->bytes / b->count <= room_of(run, &copies->items[i]);
    return fits;
}

/*
 * The size of a box is in its tensor map. So boxes of one map share the bytes equally; else each fills its room, and the
 * last one has what is left, or where that cannot be all share equally.
 */
static void size_copies(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_copies *copies = &mbarrier->copies;
    const boxes b = boxes_of(mbarrier);
    const int last = copies->items[copies->count - 1].insn;
    qsort(copies->items, copies->count, sizeof *copies->items, compare_places);
    if (run->scouts)
        make_least(copies);
    else if (b.count == 0 ? b.bytes != 0
                          : b.bytes < LEAST_COPY * b.count || b.bytes % LEAST_COPY ||
                                (b.same && b.bytes % (LEAST_COPY * b.count)))
        swp_ptx_tell(run,
                     (swp_ptx_finding){
                         .kind = SWP_ARRIVALS,
                         .at = mbarrier->expect_insn,
                         .other = last,
                         .detail = "the copies of a phase cannot bring the bytes that it expects",
                         .hint = "expect what the copies bring, in multiples of 16 bytes"});
    else if (b.count && (b.same || b.count == 1))
        share_equally(copies, &b);
    else if (b.count && !fill_rooms(run, copies, &b)) {
        if (fit_equally(run, copies, &b))
            share_equally(copies, &b);
        else
            swp_ptx_doubt(run, mbarrier->expect_insn,
                          "how many bytes each of the copies of a phase brings cannot be told",
                          "let each copy have an mbarrier, or a phase, of its own");
    }
}

static int compare_maps(const void *a, const void *b)
{
    const uint64_t first = *(const uint64_t *)a;
    const uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/* Whether all of one's copies are the other's, too. */
static bool is_part(const swp_ptx_sum *part, const swp_ptx_sum *whole)
{
    size_t found = 0;
    for (size_t i = 0; i < whole->count && found < part->count; i++)
        found += whole->maps[i] == part->maps[found];
    return found == part->count;
}

/* The same copies bring the same bytes each time, and fewer of them fewer bytes. */
static bool contradicts(const swp_ptx_sum *a, const swp_ptx_sum *b)
{
    if (a->count > b->count)
        return contradicts(b, a);
    if (!is_part(a, b))
        return false;
    return a->count == b->count ? a->bytes != b->bytes : a->bytes >= b->bytes;
}

static swp_status check_sum(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_sums *sums = run->sums;
    const swp_ptx_copies *copies = &mbarrier->copies;
    swp_ptx_sum sum = {
        .count = copies->count, .bytes = mbarrier->expected, .insn = mbarrier->expect_insn};
    SWP_TRY(SWP_TAKE(run->outer, copies->count, &sum.maps));
    for (size_t i = 0; i < copies->count; i++)
        sum.maps[i] = copies->items[i].map;
    qsort(sum.maps, sum.count, sizeof *sum.maps, compare_maps);
    for (size_t i = 0; i < sums->count; i++) {
        if (contradicts(&sums->items[i], &sum))
            swp_ptx_tell(run, (swp_ptx_finding){
                                  .kind = SWP_ARRIVALS,
                                  .at = sum.insn,
                                  .other = sums->items[i].insn,
                                  .detail = "the copies of these two phases cannot both bring the "
                                            "bytes that are expected of them",
                                  .hint = "expect what the boxes of the tensor maps hold"});
        if (sums->items[i].count == sum.count && is_part(&sums->items[i], &sum))
            return SWP_OK;
    }
    return SWP_PUSH(run->outer, sums, sum);
}

static swp_status land_copies(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_copies *copies = &mbarrier->copies;
    if (!copies->count)
        return SWP_OK;
    SWP_TRY(check_sum(run, mbarrier));
    size_copies(run, mbarrier);
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

static swp_status complete(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
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
    return SWP_OK;
}

swp_status swp_ptx_land(swp_ptx_run *run, bool *any)
{
    *any = false;
    for (int i = 0; i < run->mbarrier_count && run->outcome == SWP_PTX_GOES_ON; i++) {
        swp_ptx_mbarrier *mbarrier = &run->mbarriers[i];
        if (mbarrier->pending > 0 || !mbarrier->expected || !mbarrier->copies.count)
            continue;
        *any = true;
        SWP_TRY(complete(run, mbarrier));
    }
    return SWP_OK;
}

/* --- operations --- */

static int threads_in(uint32_t lanes)
{
    int count = 0;
    for (; lanes; lanes &= lanes - 1)
        count++;
    return count;
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
    for (int which = 0; which < 2; which++) {
        const int strand = swp_ptx_strand(turn->warp, which);
        if (!(swp_ptx_strands_of(turn->lanes) >> which & 1))
            continue;
        swp_ptx_check_turn(turn, mbarrier, strand);
        (void)swp_ptx_tick(run, strand);
        if (arrives)
            swp_ptx_join(&mbarrier->arrived, &run->clocks[strand]);
    }
    if (expects) {
        mbarrier->expected += (int64_t)(number & UINT32_MAX) * threads_in(turn->lanes);
        mbarrier->expect_insn = turn->number;
    }
    if (arrives)
        mbarrier->pending -=
            (expects ? 1 : (int)(number & MOST_ARRIVALS)) * threads_in(turn->lanes);
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

/* Whether a wait that fails does nothing but wait again. */
static bool spins(const swp_ptx_module *module, int wait, int predicate)
{
    enum { MOST_INSTRUCTIONS = 16 };
    int at = wait + 1;
    for (int i = 0; i < MOST_INSTRUCTIONS && at != wait; i++) {
        const swp_ptx_insn *insn = &module->insns.items[at];
        if (insn->kind == SWP_PTX_BRANCH) {
            if (insn->guard >= 0 && insn->guard != predicate)
                return false;
            at = insn->guard < 0 || insn->guard_negated ? insn->target : at + 1;
        } else if (insn->kind == SWP_PTX_NOTHING) {
            at++;
        } else {
            return false;
        }
    }
    return at == wait;
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

static void wait(const swp_ptx_turn *turn, bool *waits)
{
    swp_ptx_run *run = turn->run;
    swp_ptx_mbarrier *mbarrier = mbarrier_of(turn, 1);
    const swp_ptx_operand *operand = swp_ptx_operand_of(run->module, turn->insn, 2);
    const swp_ptx_operand *result = swp_ptx_operand_of(run->module, turn->insn, 0);
    uint64_t parity = 0;
    if (!mbarrier || !operand || !result || !swp_ptx_same_number(turn, operand, &parity))
        return;
    /* A test that is not repeated until it holds waits for nothing. */
    if (result->atom != SWP_PTX_REGISTER || !spins(run->module, turn->number, result->reg)) {
        if (result->atom == SWP_PTX_REGISTER)
            swp_ptx_write(turn, result->reg, swp_ptx_unknown(SWP_PTX_DATA));
        return;
    }
    *waits = ((uint64_t)mbarrier->phase & 1) == (parity & 1);
    if (*waits)
        return;
    for (int which = 0; which < 2; which++)
        if (swp_ptx_strands_of(turn->lanes) >> which & 1)
            pass(turn, mbarrier, swp_ptx_strand(turn->warp, which));
    swp_ptx_write(turn, result->reg, swp_ptx_number(1));
}

swp_status swp_ptx_execute_mbarrier(const swp_ptx_turn *turn, bool *waits)
{
    if (turn->insn->kind == SWP_PTX_INIT)
        return initialise(turn);
    if (turn->insn->kind != SWP_PTX_WAIT)
        return arrive(turn);
    wait(turn, waits);
    return SWP_OK;
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
        if (!swp_ptx_has(turn->insn->name, "mbarrier_init"))
            for (int known = 0; known < SWP_PTX_MOST_STRANDS; known++)
                if (at[known] > at[SWP_PTX_CLOCK_FENCED + known])
                    at[SWP_PTX_CLOCK_FENCED + known] = at[known];
        for (int i = 0; i < run->mbarrier_count; i++)
            run->mbarriers[i].fenced |= run->mbarriers[i].strand == strand;
    }
}
