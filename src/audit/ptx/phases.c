/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mbarriers of a run of a kernel: arrivals, expected bytes, and waits by parity (PTX ISA 9.0, "Parallel Synchronization and
 * Communication Instructions: mbarrier").
 */
#include "audit/ptx/cluster.h"
#include "audit/ptx/order.h"

enum { MOST_ARRIVALS = (1 << 20) - 1 };

static int number_of(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    return (int)(mbarrier - run->mbarriers);
}

static int known_phases(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, int chain)
{
    return run->clocks[chain].at[swp_ptx_phase_component(run, mbarrier)];
}

swp_ptx_mbarrier *swp_ptx_mbarrier_at(const swp_ptx_step *step, uint64_t address, bool *waits)
{
    swp_ptx_run *run = step->run;
    const int64_t place = swp_ptx_place(run, address);
    const bool is_own = swp_ptx_is_own(run, step->warp, place);
    if (!is_own && !swp_ptx_names_cluster(step))
        return NULL;
    for (int i = 0; i < run->mbarrier_count && (is_own || waits); i++)
        if (run->mbarriers[i].address == place)
            return &run->mbarriers[i];
    if (is_own)
        swp_ptx_report_unknown(run, step->number,
                               "no mbarrier has been initialised at this address",
                               "initialise it with mbarrier.init before");
    else if (!waits)
        swp_ptx_report_unknown(run, step->number,
                               "this is done to an mbarrier of another work group, which only "
                               "arrivals and copies can name",
                               "let each work group wait at mbarriers of its own");
    else
        *waits = true;
    return NULL;
}

static swp_ptx_mbarrier *mbarrier_of(const swp_ptx_step *step, int group, bool *waits)
{
    const swp_ptx_operand *operand = swp_ptx_operand_of(step->run->module, step->insn, group);
    uint64_t address = 0;
    if (!operand || !swp_ptx_uniform_number(step, operand, &address))
        return NULL;
    if (operand->atom == SWP_PTX_REGISTER)
        address += (uint64_t)operand->value;
    return swp_ptx_mbarrier_at(step, address, waits);
}

/* What is done to an mbarrier is an access to its bytes: others may not write them at the same time. */
static swp_status access_bytes(const swp_ptx_step *step, int64_t address, bool writes)
{
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        if (!(swp_ptx_chains_of(step->lanes) >> which & 1))
            continue;
        const int event = swp_ptx_tick(step->run, chain);
        SWP_TRY(swp_ptx_access_shared(step->run, &step->run->clocks[chain],
                                      (swp_ptx_access){.low = address,
                                                       .high = address + SWP_PTX_MBARRIER_BYTES,
                                                       .writes = writes,
                                                       .component = chain,
                                                       .value = event,
                                                       .chain = chain,
                                                       .event = event,
                                                       .insn = step->number}));
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
    while (i < run->mbarrier_count && (run->cluster > 1 || !is_spent(run, i)))
        i++;
    *phase = i < run->mbarrier_count ? run->mbarriers[i].phase : 0;
    *phase += *phase & 1;
    return i;
}

static swp_status initialise(const swp_ptx_step *step)
{
    swp_ptx_run *run = step->run;
    const swp_ptx_operand *at = swp_ptx_operand_of(run->module, step->insn, 0);
    const swp_ptx_operand *of = swp_ptx_operand_of(run->module, step->insn, 1);
    uint64_t address = 0;
    uint64_t count = 0;
    int phase = 0;
    bool again = false;
    if (!at || !of || !swp_ptx_uniform_number(step, at, &address) ||
        !swp_ptx_uniform_number(step, of, &count))
        return SWP_OK;
    address += (uint64_t)(at->atom == SWP_PTX_REGISTER ? at->value : 0);
    const int64_t place = swp_ptx_place(run, address);
    if (!swp_ptx_check_own(step, place))
        return SWP_OK;
    for (int k = 0; k < run->mbarrier_count; k++)
        again |= run->mbarriers[k].address == place;
    const int i = take_number(run, &phase);
    if (again || i == SWP_PTX_MOST_MBARRIERS) {
        swp_ptx_report_unknown(run, step->number,
                               "more than 128 mbarriers, or one that is initialised twice",
                               "initialise each mbarrier once");
        return SWP_OK;
    }
    if (address % SWP_PTX_MBARRIER_BYTES) {
        swp_ptx_report_unknown(run, step->number, "the address of an mbarrier is no multiple of 8",
                               "align it to 8 bytes");
        return SWP_OK;
    }
    SWP_TRY(access_bytes(step, place, true));
    run->mbarrier_count += i == run->mbarrier_count;
    const int chain = swp_ptx_chain(step->warp, step->lanes & 1 ? 0 : 1);
    for (int which = 0; which < 2; which++)
        if (swp_ptx_chains_of(step->lanes) >> which & 1)
            run->clocks[swp_ptx_chain(step->warp, which)].at[SWP_PTX_CLOCK_PHASES + i] = phase;
    run->mbarriers[i] = (swp_ptx_mbarrier){.address = place,
                                           .count = (int)(count & MOST_ARRIVALS),
                                           .pending = (int)(count & MOST_ARRIVALS),
                                           .phase = phase,
                                           .expect_insn = -1,
                                           .insn = step->number,
                                           .chain = chain,
                                           .event = swp_ptx_tick(run, chain)};
    return SWP_OK;
}

static swp_status invalidate(const swp_ptx_step *step)
{
    swp_ptx_mbarrier *mbarrier = mbarrier_of(step, 0, NULL);
    if (!mbarrier)
        return SWP_OK;
    if (mbarrier->copies.count)
        swp_ptx_report(step->run,
                       (swp_ptx_finding){.kind = SWP_ARRIVALS,
                                         .at = step->number,
                                         .other = mbarrier->copies.items[0].insn,
                                         .detail = "a copy that is to arrive here may be in flight",
                                         .hint = "wait for the phase before mbarrier.inval"});
    const int64_t address = mbarrier->address;
    mbarrier->address = -1;
    return access_bytes(step, address, true);
}

/* Whether all arrivals that completed the phase before come before what the chain does next: then nobody need wait for it. */
static bool follows_arrivals(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, int chain)
{
    const int *at = run->clocks[chain].at;
    if (!mbarrier->completed_alone || known_phases(run, mbarrier, chain) < mbarrier->phase - 1)
        return false;
    for (int other = 0; other < SWP_PTX_MOST_CHAINS; other++)
        if (at[other] < mbarrier->completed.at[other])
            return false;
    return true;
}

/* Whether a thread that has waited for the phase has met this one since. */
static bool is_met(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, int chain)
{
    const int *at = run->clocks[chain].at;
    bool met = false;
    for (int other = 0; other < 2 * run->warp_count; other++)
        met |= mbarrier->wait_event[other] > 0 && mbarrier->wait_phase[other] == mbarrier->phase &&
               swp_ptx_executed(at, other) >= mbarrier->wait_event[other];
    return met;
}

/*
 * Whether each arrival of the phase before that may be missing is one of a warp that arrives at several mbarriers at once: what
 * it did before is done, and another thread of it has arrived elsewhere. Then it matters not in which phase either counts.
 */
static bool is_in_place_of_twin(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, int chain)
{
    const int *at = run->clocks[chain].at;
    bool is = mbarrier->completed_alone;
    for (int other = 0; other < 2 * run->warp_count && is; other++) {
        const swp_ptx_split split = mbarrier->completed_split[other];
        if (at[other] < mbarrier->completed.at[other])
            is = split.from && swp_ptx_executed(at, other) >= split.from - 1 &&
                 at[other ^ 1] >= split.twin;
    }
    return is;
}

void swp_ptx_check_phase_order(const swp_ptx_step *step, const swp_ptx_mbarrier *mbarrier,
                               int chain)
{
    swp_ptx_run *run = step->run;
    swp_ptx_finding finding = {.kind = SWP_ARRIVALS, .at = step->number, .other = mbarrier->insn};
    if (!swp_ptx_knows_init(&run->clocks[chain], mbarrier)) {
        finding.detail = "nothing orders it behind the initialisation of its mbarrier";
        finding.hint =
            "a barrier of all threads behind mbarrier.init: in a cluster its own, behind "
            "fence.mbarrier_init where it is relaxed";
        swp_ptx_report(run, finding);
    } else if (known_phases(run, mbarrier, chain) < mbarrier->phase) {
        const bool follows = follows_arrivals(run, mbarrier, chain);
        if (follows && !run->has_cta_scope) {
            run->clocks[chain].at[swp_ptx_phase_component(run, mbarrier)] = mbarrier->phase;
            return;
        }
        const bool twin = is_in_place_of_twin(run, mbarrier, chain);
        finding.unsure = follows || twin || is_met(run, mbarrier, chain);
        finding.detail =
            twin ? "it may come before the phase before its own is complete, and would then count "
                   "in that one, in place of a thread whose warp has arrived at another mbarrier "
                   "by the same instruction; all that was to come before is done, so that does "
                   "no harm but by the text"
                 : "it may come before the phase before its own is complete, and would then "
                   "count in that one";
        finding.hint = "let it come after a wait that shows that phase to be complete";
        swp_ptx_report(run, finding);
    }
}

/* Where a register is named, it says which phase this arrival is of. */
static void give_token(const swp_ptx_step *step, const swp_ptx_mbarrier *mbarrier)
{
    const swp_ptx_operand *to = swp_ptx_operand_of(step->run->module, step->insn, 0);
    if (step->insn->has_results && to && to->atom == SWP_PTX_REGISTER)
        swp_ptx_write(step, to->reg,
                      swp_ptx_token(number_of(step->run, mbarrier), mbarrier->phase));
}

static swp_status end_arrival(const swp_ptx_step *step, swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_run *run = step->run;
    if (mbarrier->pending < 0)
        swp_ptx_report(run, (swp_ptx_finding){
                                .kind = SWP_ARRIVALS,
                                .at = step->number,
                                .other = mbarrier->insn,
                                .detail = "more threads arrive in a phase than its mbarrier counts",
                                .hint = "initialise it with the number of arrivals",
                                .facts = swp_ptx_facts_of_phase(mbarrier),
                                .ends = true});
    if (mbarrier->pending == 0 && !mbarrier->expected && !mbarrier->copies.count)
        return swp_ptx_complete_phase(run, mbarrier);
    return SWP_OK;
}

static swp_status arrive(const swp_ptx_step *step, bool *waits)
{
    swp_ptx_run *run = step->run;
    const bool expects = step->insn->kind != SWP_PTX_ARRIVE;
    const bool arrives = step->insn->kind != SWP_PTX_EXPECT;
    swp_ptx_mbarrier *mbarrier = mbarrier_of(step, arrives ? 1 : 0, waits);
    const swp_ptx_operand *operand = swp_ptx_operand_of(run->module, step->insn, arrives ? 2 : 1);
    uint64_t number = 1;
    bool own = true;
    int argument = -1;
    if (expects && operand)
        SWP_TRY(swp_ptx_find_byte_argument(run, operand, &argument));
    if (!mbarrier || (operand && !swp_ptx_uniform_number(step, operand, &number)))
        return SWP_OK;
    if (!expects && (number == 0 || number > MOST_ARRIVALS)) {
        swp_ptx_report_unknown(run, step->number, "an arrival counts for 1 to 1048575",
                               "arrive as often as the phase counts");
        return SWP_OK;
    }
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        if (!(swp_ptx_chains_of(step->lanes) >> which & 1))
            continue;
        swp_ptx_check_phase_order(step, mbarrier, chain);
        const int event = swp_ptx_tick(run, chain);
        if (run->cluster > 1)
            SWP_TRY(swp_ptx_note_signal(step, number_of(run, mbarrier), chain));
        if (arrives)
            swp_ptx_join(&mbarrier->arrived, &run->clocks[chain]);
        mbarrier->split[chain] = run->splits[which];
        if (!arrives)
            mbarrier->expect_event[chain] = event;
    }
    SWP_TRY(access_bytes(step, mbarrier->address, false));
    give_token(step, mbarrier);
    if (expects) {
        mbarrier->expected += (int64_t)(number & UINT32_MAX) * swp_ptx_count_lanes(step->lanes);
        mbarrier->expect_insn = step->number;
        if (operand)
            SWP_TRY(swp_ptx_has_constant_sources(run, operand, &own));
        mbarrier->computed |= !own;
        mbarrier->bytes_of = argument + 1;
    }
    if (arrives)
        mbarrier->pending -= (expects ? 1 : (int)number) * swp_ptx_count_lanes(step->lanes);
    return end_arrival(step, mbarrier);
}

/* What the copies of a thread so far, and nothing else that it has accessed, comes before. */
static void join_copies(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier, int chain)
{
    swp_ptx_clock *to = &mbarrier->arrived;
    const swp_ptx_clock *from = &run->clocks[chain];
    const int group = ++run->warps[chain / 2].copy_groups[chain % 2];
    for (int other = 0; other < SWP_PTX_MOST_CHAINS; other++) {
        const int at = swp_ptx_executed(from->at, other);
        if (at > to->at[SWP_PTX_CLOCK_MET + other])
            to->at[SWP_PTX_CLOCK_MET + other] = at;
    }
    for (int i = SWP_PTX_CLOCK_PHASES; i < SWP_PTX_CLOCK_LENGTH; i++)
        if (from->at[i] > to->at[i])
            to->at[i] = from->at[i];
    if (group > to->at[SWP_PTX_CLOCK_COPIES + chain])
        to->at[SWP_PTX_CLOCK_COPIES + chain] = group;
}

/*
 * cp.async triggers an arrival when all copies of the thread so far are done. But with .noinc that counts as one more for the phase
 * as well, so that it changes nothing in how many arrivals are pending (PTX ISA 9.0, "cp.async.mbarrier.arrive").
 */
static swp_status arrive_by_copies(const swp_ptx_step *step, bool *waits)
{
    swp_ptx_run *run = step->run;
    swp_ptx_mbarrier *mbarrier = mbarrier_of(step, 0, waits);
    const bool counts = swp_ptx_has(step->insn->name, "noinc");
    if (!mbarrier)
        return SWP_OK;
    run->has_copy_arrivals = true;
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        if (!(swp_ptx_chains_of(step->lanes) >> which & 1))
            continue;
        swp_ptx_check_phase_order(step, mbarrier, chain);
        const int event = swp_ptx_tick(run, chain);
        join_copies(run, mbarrier, chain);
        if (!counts) {
            mbarrier->expect_event[chain] = event;
            mbarrier->expect_insn = step->number;
        }
    }
    SWP_TRY(access_bytes(step, mbarrier->address, false));
    if (counts)
        mbarrier->pending -= swp_ptx_count_lanes(step->lanes);
    return end_arrival(step, mbarrier);
}

static void pass(const swp_ptx_step *step, swp_ptx_mbarrier *mbarrier, int chain)
{
    swp_ptx_run *run = step->run;
    if (!swp_ptx_knows_init(&run->clocks[chain], mbarrier))
        swp_ptx_check_phase_order(step, mbarrier, chain);
    if (known_phases(run, mbarrier, chain) < mbarrier->phase - 1 && !is_met(run, mbarrier, chain))
        swp_ptx_report(
            run, (swp_ptx_finding){.kind = SWP_PHASE_ALIAS,
                                   .at = step->number,
                                   .other = mbarrier->insn,
                                   .detail = "the phase before the one that this waits for may be "
                                             "incomplete: its parity then says `done` too early",
                                   .hint = "flip the parity each time that the ring comes round"});
    if (!swp_ptx_tests_agree(run, step->number, chain, number_of(run, mbarrier),
                             mbarrier->phase - 1))
        swp_ptx_report_unknown(run, step->number,
                               "a test that has succeeded leaves this wait out, and it may be one "
                               "of another phase",
                               "test the phase that is waited for next");
    swp_ptx_join(&run->clocks[chain], &mbarrier->completed);
    mbarrier->wait_event[chain] = swp_ptx_tick(run, chain);
    mbarrier->wait_phase[chain] = mbarrier->phase;
    mbarrier->wait_insn[chain] = step->number;
}

/* The phase of this mbarrier that the tokens of all lanes name; false: they do not. */
static bool read_token(const swp_ptx_step *step, const swp_ptx_mbarrier *mbarrier,
                       const swp_ptx_operand *operand, uint64_t *phase)
{
    const swp_ptx_value value = swp_ptx_read_held(step, operand);
    if (!swp_ptx_known(&value) || (step->lanes & ~value.tokens) != 0 ||
        swp_ptx_lanes_alike(&value, step->lanes) != step->lanes)
        return false;
    const uint64_t token = swp_ptx_lane(&value, swp_ptx_first_lane(step->lanes));
    *phase = (uint64_t)swp_ptx_phase_of(token);
    return swp_ptx_mbarrier_of(token) == number_of(step->run, mbarrier);
}

/* Of the phase that is waited for, which a token names by itself; false: it is none of this mbarrier's. */
static bool read_parity(const swp_ptx_step *step, const swp_ptx_mbarrier *mbarrier,
                        const swp_ptx_operand *operand, uint64_t *parity)
{
    if (swp_ptx_has(step->insn->name, "parity"))
        return swp_ptx_uniform_number(step, operand, parity);
    if (read_token(step, mbarrier, operand, parity))
        return true;
    swp_ptx_report_unknown(step->run, step->number, "it is not known which phase this waits for",
                           "give it what mbarrier.arrive on the same mbarrier has returned");
    return false;
}

/* It fails here: the thread then waits for the phase that it has tested, by what it knows. */
static swp_status test(const swp_ptx_step *step, const swp_ptx_mbarrier *mbarrier, int reg,
                       int parity)
{
    swp_ptx_run *run = step->run;
    for (int which = 0; which < 2; which++) {
        const int chain = swp_ptx_chain(step->warp, which);
        if (!(swp_ptx_chains_of(step->lanes) >> which & 1))
            continue;
        if (!swp_ptx_knows_init(&run->clocks[chain], mbarrier))
            swp_ptx_check_phase_order(step, mbarrier, chain);
        const int known = known_phases(run, mbarrier, chain);
        swp_ptx_note_test(step, which, number_of(run, mbarrier), known - ((known & 1) != parity));
    }
    swp_ptx_write(step, reg, swp_ptx_number(0));
    return access_bytes(step, mbarrier->address, false);
}

static swp_status wait(const swp_ptx_step *step, bool *waits)
{
    swp_ptx_run *run = step->run;
    swp_ptx_mbarrier *mbarrier = mbarrier_of(step, 1, NULL);
    const swp_ptx_operand *operand = swp_ptx_operand_of(run->module, step->insn, 2);
    const swp_ptx_operand *result = swp_ptx_operand_of(run->module, step->insn, 0);
    uint64_t parity = 0;
    if (!mbarrier || !operand || !result || !read_parity(step, mbarrier, operand, &parity))
        return SWP_OK;
    if (swp_ptx_test_register(run->kernel, step->number) && result->atom == SWP_PTX_REGISTER &&
        !swp_ptx_spins(run->module, step->number, result->reg))
        return test(step, mbarrier, result->reg, (int)(parity & 1));
    /* A test that is not repeated until it holds waits for nothing. */
    if (result->atom != SWP_PTX_REGISTER ||
        !swp_ptx_spins(run->module, step->number, result->reg)) {
        if (result->atom == SWP_PTX_REGISTER)
            swp_ptx_write(step, result->reg, swp_ptx_unknown(SWP_PTX_DATA));
        return SWP_OK;
    }
    *waits = ((uint64_t)mbarrier->phase & 1) == (parity & 1);
    if (*waits) {
        run->warps[step->warp].waits_for = number_of(run, mbarrier) + 1;
        return SWP_OK;
    }
    for (int which = 0; which < 2; which++)
        if (swp_ptx_chains_of(step->lanes) >> which & 1)
            pass(step, mbarrier, swp_ptx_chain(step->warp, which));
    if (run->cluster > 1)
        swp_ptx_note_wait(step, number_of(run, mbarrier));
    swp_ptx_end_spin(step, result->reg);
    swp_ptx_write(step, result->reg, swp_ptx_number(1));
    return access_bytes(step, mbarrier->address, false);
}

swp_status swp_ptx_execute_mbarrier(const swp_ptx_step *step, bool *waits)
{
    if (step->insn->kind == SWP_PTX_INIT)
        return initialise(step);
    if (step->insn->kind == SWP_PTX_INVALIDATE)
        return invalidate(step);
    if (step->insn->kind == SWP_PTX_COPY_ARRIVE)
        return arrive_by_copies(step, waits);
    return step->insn->kind == SWP_PTX_WAIT ? wait(step, waits)
                                            : swp_ptx_arrive_each(step, arrive, waits);
}
