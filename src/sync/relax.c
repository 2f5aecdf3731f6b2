/* SPDX-License-Identifier: Apache-2.0 */
/* What a proof asks for only grows as synchronisation goes, so runs of entries are bisected. */
#include "sync/relax.h"

#include "base/context.h"
#include "ir/effects.h"
#include "ir/entry.h"
#include "ir/implied_barriers.h"
#include "ir/schedule.h"
#include "swp/verify.h"
#include "verify/roles_prove.h"

#include <limits.h>

enum { ALL_FORMS = -1 };

/* The later entry of a hazard in a list; -1: it is not in the list. */
static int end_of_hazard(const swp_hazard *hazard, swp_phase list)
{
    if (hazard->at.phase != list)
        return hazard->at.phase > list ? INT_MAX : -1;
    const bool other_is_later =
        hazard->has_other && hazard->other.phase == list && hazard->other.entry > hazard->at.entry;
    return other_is_later ? hazard->other.entry : hazard->at.entry;
}

/* Where in a list the first hazard ends; -1: it is not known. */
static int first_end(const swp_hazard_list *hazards, swp_phase list)
{
    int first = hazards->count > 0 ? INT_MAX : -1;
    for (size_t i = 0; i < hazards->count; i++) {
        const int end = end_of_hazard(&hazards->items[i], list);
        first = end < first ? end : first;
    }
    return first;
}

/*
 * Whether the schedule is safe; if not, at which entry of a list the first hazard ends. The proof needs much memory and keeps
 * none of it, so each has an arena of its own.
 */
static swp_status find_hazard(swp_context *ctx, const swp_schedule *schedule, swp_phase list,
                              bool *safe, int *at)
{
    swp_context scratch;
    swp_verdict verdict = {.safe = true};
    swp_status status = SWP_OK;
    SWP_TRY(swp_scope_open(ctx, &scratch));
    if (schedule->dataflow)
        status = swp_verify_roles_until_unsafe(&scratch, schedule, ALL_FORMS, SWP_PROOF_ASKED_FOR,
                                               NULL, &verdict);
    else
        for (int i = 0; i < swp_schedule_forms(schedule) && verdict.safe && status == SWP_OK; i++)
            status = swp_verify_form(&scratch, schedule, i, &verdict);
    *safe = verdict.safe;
    *at = first_end(&verdict.hazards, list);
    swp_scope_close(&scratch);
    return status;
}

static swp_status is_safe(swp_context *ctx, const swp_schedule *schedule, bool *safe)
{
    int at = 0;
    return find_hazard(ctx, schedule, SWP_PROLOGUE, safe, &at);
}

/* A phase, and the entries of it that may go. */
typedef struct thinner {
    swp_context *ctx;
    swp_schedule *schedule;
    swp_budget *budget;
    swp_phase which;
    swp_entry_list *phase;
    swp_entry_list all; /* the phase before anything went */
    size_t *candidates; /* indices into `all` */
    size_t count;
    bool *gone;     /* of `all` */
    size_t *chosen; /* of a hazard that so many stand before: which one came back last */
} thinner;

/* The phase without what is gone. */
static void rebuild(thinner *t)
{
    t->phase->count = 0;
    for (size_t i = 0; i < t->all.count; i++)
        if (!t->gone[i]) {
            t->phase->items[t->phase->count] = t->all.items[i];
            t->phase->items[t->phase->count].time_slot = (int)t->phase->count;
            t->phase->count++;
        }
}

static void set_gone(thinner *t, size_t first, size_t end, bool gone)
{
    for (size_t i = first; i < end; i++)
        t->gone[t->candidates[i]] = gone;
}

/* How many candidates stand before an entry of the phase without what is gone. */
static size_t candidates_before(const thinner *t, int entry)
{
    size_t before = 0;
    for (size_t i = 0; i < t->all.count && (t->gone[i] || entry-- > 0); i++)
        before += before < t->count && t->candidates[before] == i;
    return before;
}

/*
 * Whether all that is gone can go; no where the budget has ended. If not, how many candidates stand before the first hazard;
 * 0: none does, or that is not known.
 */
static swp_status can_go(thinner *t, bool *can, size_t *before)
{
    int hazard = -1;
    *can = false;
    *before = 0;
    if (!swp_budget_poll(t->budget))
        return SWP_OK;
    rebuild(t);
    SWP_TRY(find_hazard(t->ctx, t->schedule, t->which, can, &hazard));
    *before = candidates_before(t, hazard);
    return SWP_OK;
}

/* From candidate `first` on, the end of the longest run that can go. */
static swp_status find_run(thinner *t, size_t first, size_t *end)
{
    size_t good = first;
    size_t bad = t->count + 1;
    for (size_t step = 1; good + 1 < bad;) {
        bool can = false;
        size_t before = 0;
        size_t middle = good + (bad - good) / 2;
        if (bad > t->count) /* nothing has failed yet */
            middle = step < t->count - good ? good + step : t->count;
        set_gone(t, first, middle, true);
        SWP_TRY(can_go(t, &can, &before));
        set_gone(t, first, middle, false);
        if (can)
            good = middle;
        else
            bad = middle;
        step *= 2;
    }
    *end = good;
    return SWP_OK;
}

/* Earlier entries go first, so that what is left stands as late as possible. */
static swp_status thin_out_by_runs(thinner *t)
{
    for (size_t first = 0; first < t->count && !t->budget->stopped;) {
        size_t end = first;
        SWP_TRY(find_run(t, first, &end));
        set_gone(t, first, end, true);
        first = end + 1;
    }
    return SWP_OK;
}

/*
 * Which candidate comes back for a hazard that so many stand before: the last one, or the one before it where that is back
 * and does not help. No where there is no other.
 */
static bool choose_back(const thinner *t, size_t before, size_t *back)
{
    size_t *chosen = &t->chosen[before];
    if (*chosen == before || !t->gone[t->candidates[*chosen]]) {
        if (*chosen == 0 || !t->gone[t->candidates[*chosen - 1]])
            return false;
        --*chosen;
    }
    *back = *chosen;
    return true;
}

/*
 * The same with fewer proofs, most of which end early: all go, and for the first hazard one comes back. What stands later
 * depends on it and goes again. Gives up where one candidate is not enough.
 */
static swp_status thin_out_by_hazards(thinner *t, bool *is_done)
{
    const size_t most_proofs = 3 * t->count + 1;
    *is_done = false;
    set_gone(t, 0, t->count, true);
    for (size_t i = 0; i < most_proofs; i++) {
        size_t before = 0;
        size_t back = 0;
        SWP_TRY(can_go(t, is_done, &before));
        if (*is_done || !choose_back(t, before, &back))
            break;
        set_gone(t, back + 1, t->count, true);
        set_gone(t, back, back + 1, false);
    }
    return SWP_OK;
}

static swp_status thin_out(thinner *t)
{
    bool is_done = false;
    /* With a lag what one group needs stands elsewhere in the list of the other. */
    if (!swp_ir_lags(&t->schedule->machine))
        SWP_TRY(thin_out_by_hazards(t, &is_done));
    if (!is_done) {
        set_gone(t, 0, t->count, false);
        SWP_TRY(thin_out_by_runs(t));
    }
    rebuild(t);
    return SWP_OK;
}

/* The entries of a kind that the proof lets go. */
static swp_status drop(swp_context *ctx, swp_schedule *schedule, swp_entry_list *phase,
                       bool (*kind)(const swp_op *op), swp_budget *budget)
{
    const bool is_prologue = phase == &schedule->streams[0].prologue;
    thinner t = {.ctx = ctx,
                 .schedule = schedule,
                 .budget = budget,
                 .which = is_prologue ? SWP_PROLOGUE : SWP_EPILOGUE,
                 .phase = phase};
    SWP_TRY(SWP_TAKE(ctx, phase->count, &t.gone));
    SWP_TRY(SWP_TAKE(ctx, phase->count, &t.candidates));
    for (size_t i = 0; i < phase->count; i++) {
        SWP_TRY(SWP_PUSH(ctx, &t.all, phase->items[i]));
        if (kind(&phase->items[i].op))
            t.candidates[t.count++] = i;
    }
    SWP_TRY(SWP_TAKE(ctx, t.count + 1, &t.chosen));
    for (size_t i = 0; i <= t.count; i++)
        t.chosen[i] = i;
    return thin_out(&t);
}

/* Whether the wait is for anything without a largest count. */
static bool is_unlimited(const swp_schedule *schedule, const swp_op *wait)
{
    const swp_wait_kind kind = swp_ir_wait_kind(wait);
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
        for (size_t i = 0; i < entries->count; i++) {
            const swp_sync_object object = swp_ir_object_of(schedule, &entries->items[i].op);
            if (object != SWP_NO_OBJECT && swp_ir_sync_object_row(object)->wait == kind &&
                swp_ir_sync_largest(&schedule->machine, object) == 0)
                return true;
        }
    }
    return false;
}

/* Whether the schedule is safe with this count. */
static swp_status is_safe_with(swp_context *ctx, const swp_schedule *schedule, swp_op *wait,
                               int count, bool *safe)
{
    const int given = wait->wait_value;
    wait->wait_value = count;
    const swp_status status = is_safe(ctx, schedule, safe);
    wait->wait_value = given;
    return status;
}

/*
 * The largest count that keeps the proof: a weaker wait is never safer. Most waits are as weak as they can be, so counts
 * above the given one are tried first, then steps double, then the gap is bisected. A counter alone is never above its
 * largest count.
 */
static swp_status raise_wait(swp_context *ctx, swp_schedule *schedule, swp_op *wait,
                             swp_budget *budget)
{
    static const int most = 1 << 29;
    const int largest = swp_ir_most_in_flight(&schedule->machine, swp_ir_wait_kind(wait));
    int end = is_unlimited(schedule, wait) ? most : largest + 1;
    for (int step = 1; end - wait->wait_value > 1 && swp_budget_poll(budget);) {
        const int half = (end - wait->wait_value) / 2;
        const int count = wait->wait_value + (step < half ? step : half);
        bool safe = false;
        SWP_TRY(is_safe_with(ctx, schedule, wait, count, &safe));
        if (safe)
            wait->wait_value = count;
        else
            end = count;
        step = safe && step < half ? 2 * step : half;
    }
    return SWP_OK;
}

static swp_status raise_waits(swp_context *ctx, swp_schedule *schedule, swp_entry_list *phase,
                              swp_budget *budget)
{
    for (size_t i = 0; i < phase->count && !budget->stopped; i++)
        if (swp_ir_is_wait(&phase->items[i].op))
            SWP_TRY(raise_wait(ctx, schedule, &phase->items[i].op, budget));
    return SWP_OK;
}

static swp_status relax_phase(swp_context *ctx, swp_schedule *schedule, swp_entry_list *phase,
                              swp_budget *budget)
{
    SWP_TRY(drop(ctx, schedule, phase, swp_ir_is_barrier, budget));
    SWP_TRY(drop(ctx, schedule, phase, swp_ir_is_wait, budget));
    return raise_waits(ctx, schedule, phase, budget);
}

swp_entry_list *swp_sync_end_of_form(swp_schedule *schedule, size_t form)
{
    swp_stream *stream = &schedule->streams[0];
    const size_t remainders = 1 + stream->tails.epilogue_count;
    if (form == 0)
        return &stream->epilogue;
    return form < remainders ? &stream->tails.epilogues[form - 1]
                             : &stream->tails.straight[form - remainders];
}

/* No other form has the end of this one. */
static swp_status relax_end(swp_context *ctx, swp_schedule *schedule, int form, swp_budget *budget)
{
    swp_schedule one = swp_schedule_form(schedule, form);
    SWP_TRY(relax_phase(ctx, &one, &one.streams[0].epilogue, budget));
    *swp_sync_end_of_form(schedule, (size_t)form) = one.streams[0].epilogue;
    return SWP_OK;
}

static swp_status relax_prologue(swp_context *ctx, swp_schedule *schedule, swp_budget *budget)
{
    const swp_schedule *listed = NULL;
    SWP_TRY(swp_ir_list_loop_barrier(ctx, schedule, &listed));
    swp_schedule one = *listed;
    one.streams[0].tails.straight_count = 0;
    SWP_TRY(relax_phase(ctx, &one, &one.streams[0].prologue, budget));
    swp_ir_hide_barriers(&one);
    schedule->streams[0].prologue = one.streams[0].prologue;
    schedule->drops_loop_barrier = one.drops_loop_barrier;
    return SWP_OK;
}

/* Straight lists depend on no other list. They are for the least numbers of tiles, so they come last. */
swp_status swp_sync_relax(swp_context *ctx, swp_schedule *schedule, swp_budget *budget)
{
    const int remainders = 1 + (int)schedule->streams[0].tails.epilogue_count;
    /* Where a counter wraps, a wait that makes room on it may leave some accesses. */
    if (schedule->machine.counter_full == SWP_COUNTER_WRAPS)
        SWP_TRY(raise_waits(ctx, schedule, &schedule->streams[0].kernel, budget));
    for (int form = 0; form < remainders; form++)
        SWP_TRY(relax_end(ctx, schedule, form, budget));
    SWP_TRY(relax_prologue(ctx, schedule, budget));
    for (int form = remainders; form < swp_schedule_forms(schedule); form++)
        SWP_TRY(relax_end(ctx, schedule, form, budget));
    return SWP_OK;
}

static bool has(const swp_entry_list *phase, bool (*kind)(const swp_op *op))
{
    for (size_t i = 0; i < phase->count; i++)
        if (kind(&phase->items[i].op))
            return true;
    return false;
}

static bool is_sync(const swp_op *op)
{
    return swp_ir_is_wait(op) || swp_ir_is_barrier(op);
}

bool swp_sync_can_relax(const swp_schedule *schedule)
{
    if (schedule->machine.counter_full == SWP_COUNTER_WRAPS &&
        has(&schedule->streams[0].kernel, swp_ir_is_wait))
        return true;
    if (swp_ir_implies_loop_barrier(schedule))
        return true;
    for (int form = 0; form < swp_schedule_forms(schedule); form++) {
        const swp_schedule one = swp_schedule_form(schedule, form);
        if (has(&one.streams[0].prologue, is_sync) || has(&one.streams[0].epilogue, is_sync))
            return true;
    }
    return false;
}
