/* SPDX-License-Identifier: Apache-2.0 */
/* What a proof asks for only grows as synchronisation goes, so runs of entries are bisected. */
#include "sync/relax.h"

#include "base/context.h"
#include "ir/effects.h"
#include "ir/entry.h"
#include "ir/implied_barriers.h"
#include "swp/verify.h"
#include "verify/roles_prove.h"

enum { ALL_FORMS = -1 };

/* The proof needs much memory and keeps none of it, so each has an arena of its own. */
static swp_status is_safe(swp_context *ctx, const swp_schedule *schedule, bool *safe)
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
    swp_scope_close(&scratch);
    *safe = verdict.safe;
    return status;
}

/* A phase, and the entries of it that may go. */
typedef struct thinner {
    swp_context *ctx;
    swp_schedule *schedule;
    swp_budget *budget;
    swp_entry_list *phase;
    swp_entry_list all; /* the phase before anything went */
    size_t *candidates; /* indices into `all` */
    size_t count;
    bool *gone; /* of `all` */
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

/* Whether candidates `first` to `end` - 1 can go as well; no where the budget has ended. */
static swp_status can_go(thinner *t, size_t first, size_t end, bool *can)
{
    *can = false;
    if (!swp_budget_poll(t->budget))
        return SWP_OK;
    set_gone(t, first, end, true);
    rebuild(t);
    SWP_TRY(is_safe(t->ctx, t->schedule, can));
    set_gone(t, first, end, false);
    return SWP_OK;
}

/* From candidate `first` on, the end of the longest run that can go. */
static swp_status find_run(thinner *t, size_t first, size_t *end)
{
    size_t good = first;
    size_t bad = t->count + 1;
    for (size_t step = 1; good + 1 < bad;) {
        bool can = false;
        size_t middle = good + (bad - good) / 2;
        if (bad > t->count) /* nothing has failed yet */
            middle = step < t->count - good ? good + step : t->count;
        SWP_TRY(can_go(t, first, middle, &can));
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
static swp_status thin_out(thinner *t)
{
    for (size_t first = 0; first < t->count && !t->budget->stopped;) {
        size_t end = first;
        SWP_TRY(find_run(t, first, &end));
        set_gone(t, first, end, true);
        first = end + 1;
    }
    rebuild(t);
    return SWP_OK;
}

/* The entries of a kind that the proof lets go. */
static swp_status drop(swp_context *ctx, swp_schedule *schedule, swp_entry_list *phase,
                       bool (*kind)(const swp_op *op), swp_budget *budget)
{
    thinner t = {.ctx = ctx, .schedule = schedule, .budget = budget, .phase = phase};
    SWP_TRY(SWP_TAKE(ctx, phase->count, &t.gone));
    SWP_TRY(SWP_TAKE(ctx, phase->count, &t.candidates));
    for (size_t i = 0; i < phase->count; i++) {
        SWP_TRY(SWP_PUSH(ctx, &t.all, phase->items[i]));
        if (kind(&phase->items[i].op))
            t.candidates[t.count++] = i;
    }
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

/* A count that is too large: of a counter alone any above its largest one is no larger than that. */
static swp_status find_unsafe(swp_context *ctx, const swp_schedule *schedule, swp_op *wait,
                              int *count, swp_budget *budget)
{
    static const int most = 1 << 29;
    const int safe_count = wait->wait_value;
    bool safe = is_unlimited(schedule, wait);
    *count = *count > safe_count ? *count : safe_count + 1;
    while (safe && *count < most && swp_budget_poll(budget)) {
        wait->wait_value = *count;
        SWP_TRY(is_safe(ctx, schedule, &safe));
        *count = safe ? 2 * *count : *count;
    }
    wait->wait_value = safe_count;
    return SWP_OK;
}

/* The largest count that keeps the proof, by bisection: a weaker wait is never safer. */
static swp_status raise_wait(swp_context *ctx, swp_schedule *schedule, swp_op *wait,
                             swp_budget *budget)
{
    const swp_machine *machine = &schedule->machine;
    int safe_count = wait->wait_value;
    int unsafe_count = swp_ir_most_in_flight(machine, swp_ir_wait_kind(wait)) + 1;
    SWP_TRY(find_unsafe(ctx, schedule, wait, &unsafe_count, budget));
    while (unsafe_count - safe_count > 1 && swp_budget_poll(budget)) {
        bool safe = false;
        wait->wait_value = safe_count + (unsafe_count - safe_count) / 2;
        SWP_TRY(is_safe(ctx, schedule, &safe));
        if (safe)
            safe_count = wait->wait_value;
        else
            unsafe_count = wait->wait_value;
    }
    wait->wait_value = safe_count;
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
