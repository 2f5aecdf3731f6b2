/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drops and weakens derived synchronisation of warp roles as long as the proof still holds: whole objects, then single
 * pieces of it in all lists, then single entries. What follows transitively goes so.
 */
#include "base/budget.h"
#include "base/diag.h"
#include "ir/entry.h"
#include "ir/schedule.h"
#include "sync/roles.h"
#include "verify/roles_prove.h"

#include <string.h>

typedef struct dropper {
    swp_roles *r;
    swp_budget budget;
    uint64_t looked; /* what proofs of pieces, then of single entries, have looked at… */
    uint64_t most;   /* …and may */
    swp_role_need_of_proof need;
    bool has_no_end; /* the last proof, in the time of the search */
    swp_role_form_work
        *works; /* of the proof of each form of the schedule; NULL: it has no forms of its own */
} dropper;

enum { ALL_FORMS = -1 };

/*
 * Beyond that single entries stay as they were derived: with lists for many remainders there are thousands. So do whole
 * objects and pieces, of which there are fewer: with output tiles a proof may have ten thousands of cuts.
 */
enum { MOST_LOOKED = 10000000, MOST_LOOKED_FOR_PIECES = 100000000 };

/* In memory of its own. What has no meaning is not safe. */
static swp_status prove(dropper *d, const swp_schedule *schedule, int form, bool *safe)
{
    swp_context *ctx = d->r->ctx;
    swp_verdict verdict = {0};
    swp_context *within = swp_context_within(ctx);
    if (!within)
        return swp_out_of_memory(ctx);
    const swp_status status =
        swp_verify_roles_until_unsafe(within, schedule, form, d->need, d->works, &verdict);
    *safe = status == SWP_OK && verdict.safe;
    d->looked += verdict.work;
    d->has_no_end = status == SWP_INVALID && swp_diags_end_with(within->diags, SWP_E0702);
    swp_context_free(within);
    return status == SWP_INVALID ? SWP_OK : swp_pass_on(ctx, status);
}

static swp_status is_safe(dropper *d, const swp_schedule *schedule, int form, bool *safe)
{
    *safe = false;
    return d->looked < d->most && swp_budget_poll(&d->budget) ? prove(d, schedule, form, safe)
                                                              : SWP_OK;
}

/* --- In all lists --- */

/* Whether the schedule without what is dropped is safe. */
static swp_status try_rest(dropper *d, bool *safe)
{
    swp_schedule schedule = *d->r->schedule;
    swp_roles trial = *d->r;
    swp_context *within = swp_context_within(d->r->ctx);
    if (!within)
        return swp_out_of_memory(d->r->ctx);
    trial.ctx = within;
    trial.schedule = &schedule;
    swp_status status = swp_sync_roles_write(&trial);
    if (status == SWP_OK)
        status = is_safe(d, &schedule, ALL_FORMS, safe);
    status = swp_pass_on(d->r->ctx, status);
    swp_context_free(within);
    return status;
}

/* Drops `*what` if the rest is safe. */
static swp_status try_without(dropper *d, bool *what)
{
    bool safe = false;
    if (*what || d->budget.stopped)
        return SWP_OK;
    *what = true;
    SWP_TRY(try_rest(d, &safe));
    *what = safe;
    return SWP_OK;
}

static void mark_object(dropper *d, int object, bool dropped)
{
    for (int role = 0; role < d->r->plan_count; role++) {
        swp_role_items *list = &d->r->plans[role].items;
        for (size_t i = 0; i < list->count; i++)
            if (list->items[i].object == object)
                list->items[i].dropped = dropped;
    }
}

/* Waits and arrivals together, where no copy completes there. */
static swp_status drop_objects(dropper *d)
{
    for (int object = 0; object < (int)d->r->objects.count; object++) {
        bool safe = false;
        bool is_copied_to = false;
        for (size_t i = 0; i < d->r->channels.count; i++)
            is_copied_to |=
                d->r->channels.items[i].copies && d->r->channels.items[i].full == object;
        if (is_copied_to || d->budget.stopped)
            continue;
        mark_object(d, object, true);
        SWP_TRY(try_rest(d, &safe));
        mark_object(d, object, safe);
    }
    return SWP_OK;
}

/* One thread in place of all of them. */
static swp_status weaken(dropper *d, swp_role_item *item)
{
    bool safe = false;
    if (item->dropped || item->tag != SWP_TAG_ARRIVE || item->by == SWP_ONE_THREAD ||
        d->budget.stopped)
        return SWP_OK;
    item->by = SWP_ONE_THREAD;
    SWP_TRY(try_rest(d, &safe));
    item->by = safe ? SWP_ONE_THREAD : SWP_ALL_THREADS;
    return SWP_OK;
}

/* To the own work group in place of all. */
static swp_status stay_at_home(dropper *d, swp_role_item *item)
{
    bool safe = false;
    if (item->dropped || item->to != SWP_TO_ALL || d->budget.stopped)
        return SWP_OK;
    item->to = SWP_TO_OWN;
    SWP_TRY(try_rest(d, &safe));
    item->to = safe ? SWP_TO_OWN : SWP_TO_ALL;
    return SWP_OK;
}

static swp_status drop_pieces(dropper *d, swp_role_plan *plan)
{
    for (size_t i = 0; i < plan->items.count; i++) {
        SWP_TRY(try_without(d, &plan->items.items[i].dropped));
        SWP_TRY(weaken(d, &plan->items.items[i]));
        SWP_TRY(stay_at_home(d, &plan->items.items[i]));
    }
    for (size_t i = 0; i < plan->needs.count; i++)
        SWP_TRY(try_without(d, &plan->needs.items[i].dropped));
    return SWP_OK;
}

/* --- In single lists --- */

static void number_from(swp_entry_list *list, size_t first)
{
    for (size_t i = first; i < list->count; i++)
        list->items[i].time_slot = (int)i;
}

/* Fences of registers stay, of which the proof needs fewer than ptxas (swp_sync_roles_fence). */
static bool may_go(const swp_op *op)
{
    return !swp_ir_is_work(op) && op->tag != SWP_TAG_MATRIX_FENCE;
}

/* A list that one form alone has is proven by the runs of that form: those of the others are as they were. */
static swp_status drop_entries(dropper *d, swp_entry_list *list, int form)
{
    for (size_t i = 0; i < list->count && !d->budget.stopped && d->looked < d->most;) {
        const swp_entry entry = list->items[i];
        const size_t behind = --list->count - i;
        bool safe = false;
        if (may_go(&entry.op)) {
            memmove(&list->items[i], &list->items[i + 1], behind * sizeof entry);
            SWP_TRY(is_safe(d, d->r->schedule, d->works ? form : ALL_FORMS, &safe));
            number_from(list, i);
            if (safe)
                continue;
            memmove(&list->items[i + 1], &list->items[i], behind * sizeof entry);
            list->items[i] = entry;
        }
        list->count++;
        number_from(list, i);
        i++;
    }
    return SWP_OK;
}

/* --- The meeting of the cluster at the end of a run --- */

/*
 * The list with which a run ends: the drain, or the epilogue, those of the remainders, the straight ones; NULL: there are no
 * more.
 */
static swp_entry_list *last_list(swp_stream *stream, size_t number, bool output_tiles)
{
    swp_tails *tails = &stream->tails;
    if (output_tiles)
        return number == 0 ? &stream->drain : NULL;
    if (number == 0)
        return &stream->epilogue;
    if (number <= tails->epilogue_count)
        return &tails->epilogues[number - 1];
    number -= tails->epilogue_count + 1;
    return number < tails->straight_count ? &tails->straight[number] : NULL;
}

/* The arrival and the wait of all roles together, where all arrivals are waited for besides. */
static swp_status drop_meetings(dropper *d)
{
    enum { OPERATIONS = 2 };
    swp_schedule *s = d->r->schedule;
    for (size_t list = 0; last_list(&s->streams[0], list, s->output_tiles) && !d->budget.stopped;
         list++) {
        bool safe = false;
        for (size_t i = 0; i < s->stream_count; i++)
            last_list(&s->streams[i], list, s->output_tiles)->count -= OPERATIONS;
        SWP_TRY(is_safe(d, s, ALL_FORMS, &safe));
        for (size_t i = 0; i < s->stream_count && !safe; i++)
            last_list(&s->streams[i], list, s->output_tiles)->count += OPERATIONS;
    }
    return SWP_OK;
}

static swp_status drop_entries_of(dropper *d, swp_stream *stream)
{
    swp_tails *tails = &stream->tails;
    int form = 0;
    SWP_TRY(drop_entries(d, &stream->kernel, ALL_FORMS));
    SWP_TRY(drop_entries(d, &stream->prologue, ALL_FORMS));
    SWP_TRY(drop_entries(d, &stream->epilogue, form++));
    SWP_TRY(drop_entries(d, &stream->begin, ALL_FORMS));
    SWP_TRY(drop_entries(d, &stream->end, ALL_FORMS));
    SWP_TRY(drop_entries(d, &stream->drain, ALL_FORMS));
    for (size_t i = 0; i < tails->epilogue_count; i++)
        SWP_TRY(drop_entries(d, &tails->epilogues[i], form++));
    for (size_t i = 0; i < tails->straight_count; i++)
        SWP_TRY(drop_entries(d, &tails->straight[i], form++));
    return SWP_OK;
}

/* Entries of single lists, once it is known what the proof follows of each form. */
static swp_status drop_all_entries(dropper *d)
{
    swp_schedule *schedule = d->r->schedule;
    bool safe = false;
    if (!schedule->output_tiles) {
        SWP_TRY(SWP_TAKE(d->r->ctx, (size_t)swp_schedule_forms(schedule), &d->works));
        SWP_TRY(prove(d, schedule, ALL_FORMS, &safe));
    }
    d->looked = 0;
    d->most = MOST_LOOKED;
    for (size_t i = 0; i < schedule->stream_count; i++)
        SWP_TRY(drop_entries_of(d, &schedule->streams[i]));
    return SWP_OK;
}

static swp_status warn_of_stop(dropper *d)
{
    swp_context *ctx = d->r->ctx;
    if (!d->budget.stopped)
        return SWP_OK;
    ctx->stopped = true;
    return swp_warn(ctx, SWP_W0401, SWP_NOWHERE, "allow more time or work for fewer waits",
                    "derived synchronisation was stopped after %llu proofs: it is safe, but may "
                    "wait more than it needs",
                    (unsigned long long)d->budget.work);
}

swp_status swp_sync_roles_refuse(const swp_roles *r)
{
    const swp_schedule *schedule = r->schedule;
    swp_verdict verdict = {0};
    SWP_TRY(swp_verify_roles_until_unsafe(r->ctx, schedule, ALL_FORMS, SWP_PROOF_NEEDED, NULL,
                                          &verdict));
    const swp_hazard *first = verdict.hazards.count > 0 ? &verdict.hazards.items[0] : NULL;
    if (!first)
        return swp_error(r->ctx, SWP_E0731, swp_ir_place_of_op(schedule, ""),
                         "please report this loop",
                         "derived synchronisation of warp roles is not safe");
    return swp_error(r->ctx, SWP_E0731, swp_ir_place_of_op(schedule, first->name),
                     "please report this loop",
                     "derived synchronisation of warp roles is not safe: %s at role %s, %s entry "
                     "%d (%s), %s",
                     swp_hazard_name(first->kind), first->role, swp_phase_name(first->at.phase),
                     first->at.entry, first->name, first->detail);
}

swp_status swp_sync_roles_prove(swp_roles *r, bool *safe)
{
    dropper d = {.r = r, .need = SWP_PROOF_NEEDED};
    SWP_TRY(prove(&d, r->schedule, ALL_FORMS, safe));
    if (!d.has_no_end || !r->output_tiles)
        return SWP_OK;
    return swp_error(r->ctx, SWP_E0702, swp_ir_place_of_op(r->schedule, ""),
                     "allow more time, or fewer slots",
                     "the proof of derived synchronisation has come to no end in the time of the "
                     "search");
}

swp_status swp_sync_roles_drop(swp_roles *r)
{
    dropper d = {.r = r,
                 .budget = swp_budget_start(r->ctx, 0),
                 .most = MOST_LOOKED_FOR_PIECES,
                 .need = SWP_PROOF_OF_LESS};
    SWP_TRY(drop_objects(&d));
    for (int role = 0; role < r->plan_count; role++)
        SWP_TRY(drop_pieces(&d, &r->plans[role]));
    SWP_TRY(swp_sync_roles_write(r));
    if (swp_sync_roles_meet_at_end(r))
        SWP_TRY(drop_meetings(&d));
    SWP_TRY(drop_all_entries(&d));
    return warn_of_stop(&d);
}
