/* SPDX-License-Identifier: Apache-2.0 */
/* Hints that the proof has tried: edits after which a hazard is gone and none has come. */
#include "base/budget.h"
#include "base/diag.h"
#include "base/key_index.h"
#include "base/require.h"
#include "base/text.h"
#include "ir/entry.h"
#include "ir/roles.h"
#include "verify/candidates.h"

#include <string.h>

/*
 * Proofs tried, and what they may look at, in all and for one hazard: so a schedule that is large, or
 * wrong all over, has its report all the same. A proof takes longer than its entries, so that without
 * this the hints would take the square of the schedule and more.
 */
enum { MOST_TRIALS = 6000, MOST_WORK = 100000000, MOST_WORK_EACH = MOST_WORK / 8 };

typedef struct repairer {
    swp_context *ctx;
    const swp_schedule *whole;
    const swp_verdict *verdict;
    swp_key_index known;   /* the verdict's hazards, by what is_at() compares */
    int trials;            /* left */
    uint64_t work;         /* of the trials so far */
    int form;              /* in which the hazard looked at is */
    swp_schedule schedule; /* that form */
} repairer;

/* A hazard of an epilogue is in that of its least N; prologue and kernel are those of all forms. */
static int form_of(const repairer *r, const swp_hazard *hazard)
{
    const int form =
        hazard->at.phase == SWP_EPILOGUE ? swp_schedule_form_of(r->whole, hazard->smallest_n) : 0;
    return form > 0 ? form : 0;
}

/* The entry of the unedited schedule; -1 for one that was inserted. */
static int old_entry(const repairer *r, const swp_edited *edited, const swp_hazard *found)
{
    const swp_entry_ref at = found->at;
    const size_t length = swp_schedule_phase(&edited->schedule, at.phase)->count;
    if (at.phase == SWP_EPILOGUE && form_of(r, found) != r->form)
        return at.entry;
    return (size_t)at.entry < length ? edited->origins[at.phase][at.entry]
                                     : (int)swp_schedule_phase(&r->schedule, at.phase)->count;
}

static bool is_at(const repairer *r, const swp_hazard *known, const swp_hazard *found, int entry)
{
    return known->kind == found->kind && known->at.phase == found->at.phase &&
           known->at.entry == entry && form_of(r, known) == form_of(r, found);
}

enum { KEY_LENGTH = 4 };

static void list_key(const repairer *r, const swp_hazard *hazard, int entry, int key[KEY_LENGTH])
{
    const int list[KEY_LENGTH] = {(int)hazard->kind, (int)hazard->at.phase, entry,
                                  form_of(r, hazard)};
    memcpy(key, list, sizeof list);
}

static bool knows(const repairer *r, const swp_hazard *found, int entry)
{
    int key[KEY_LENGTH];
    list_key(r, found, entry, key);
    return swp_key_index_find(&r->known, key, sizeof key) >= 0;
}

static swp_status note_known(repairer *r)
{
    for (size_t i = 0; i < r->verdict->hazards.count; i++) {
        const swp_hazard *hazard = &r->verdict->hazards.items[i];
        int key[KEY_LENGTH];
        int number = 0;
        list_key(r, hazard, hazard->at.entry, key);
        SWP_TRY(swp_key_index_number(r->ctx, &r->known, key, sizeof key, (int)i, &number));
    }
    return SWP_OK;
}

static swp_status copy_lists(swp_context *ctx, const swp_entry_list *from, size_t count,
                             swp_entry_list **out)
{
    SWP_TRY(SWP_TAKE(ctx, count, out));
    for (size_t i = 0; i < count; i++)
        (*out)[i] = from[i];
    return SWP_OK;
}

/* The whole schedule with the edited form in it. */
static swp_status join(const repairer *r, swp_context *ctx, const swp_schedule *edited,
                       swp_schedule *out)
{
    const swp_tails *tails = &r->whole->streams[0].tails;
    const swp_stream *from = &edited->streams[0];
    swp_stream *to = &out->streams[0];
    const int remainders = 1 + (int)tails->epilogue_count;
    *out = *r->whole;
    out->machine = edited->machine;
    if (r->form >= remainders) {
        SWP_TRY(copy_lists(ctx, tails->straight, tails->straight_count, &to->tails.straight));
        to->tails.straight[r->form - remainders] = from->epilogue;
        return SWP_OK;
    }
    to->prologue = from->prologue;
    to->kernel = from->kernel;
    if (r->form == 0) {
        to->epilogue = from->epilogue;
        return SWP_OK;
    }
    SWP_TRY(copy_lists(ctx, tails->epilogues, tails->epilogue_count, &to->tails.epilogues));
    to->tails.epilogues[r->form - 1] = from->epilogue;
    return SWP_OK;
}

typedef enum outcome {
    STAYS,
    UNCOVERS, /* it is gone, and another is there that was not told before */
    REPAIRS   /* it is gone, and no other has come */
} outcome;

/* What only adds order, or sets the lag right, breaks nothing: what shows then was hidden behind the hazard. */
static bool only_orders(const swp_edit *edit)
{
    return edit->kind >= SWP_EDIT_LAG_INDEX ||
           (edit->op_count > 0 && edit->ops[0].role == SWP_SYNC);
}

/* Whether the form that has the hazard still has it; all forms take longer. */
static swp_status look_in_form(repairer *r, swp_context *scratch, const swp_edited *edited,
                               const swp_schedule *joined, const swp_hazard *hazard, bool *stays)
{
    swp_verdict verdict = {0};
    const swp_status status = swp_verify_form(scratch, joined, r->form, &verdict);
    r->work += verdict.work;
    *stays = status == SWP_INVALID;
    for (size_t i = 0; i < verdict.hazards.count && !*stays; i++) {
        const swp_hazard *found = &verdict.hazards.items[i];
        *stays = is_at(r, hazard, found, old_entry(r, edited, found));
    }
    return status == SWP_INVALID ? SWP_OK : status;
}

/* A trial lists the schedule anew before it is proven. */
static size_t length_of(const repairer *r)
{
    const swp_stream *stream = &r->schedule.streams[0];
    return stream->prologue.count + stream->kernel.count + stream->epilogue.count;
}

static swp_status try_in(repairer *r, swp_context *scratch, const swp_hazard *hazard,
                         const swp_edit *edit, outcome *out)
{
    swp_edited edited;
    swp_verdict verdict = {0};
    swp_schedule joined;
    SWP_TRY(swp_verify_edit_apply(scratch, &r->schedule, edit, &edited));
    SWP_TRY(join(r, scratch, &edited.schedule, &joined));
    bool stays = false;
    if (swp_schedule_forms(&joined) > 1)
        SWP_TRY(look_in_form(r, scratch, &edited, &joined, hazard, &stays));
    if (stays)
        return SWP_OK;
    const swp_status status = swp_verify(scratch, &joined, NULL, 0, &verdict);
    r->work += verdict.work;
    if (status == SWP_INVALID)
        return SWP_OK;
    SWP_TRY(status);
    bool all_known = true;
    for (size_t i = 0; i < verdict.hazards.count; i++) {
        const swp_hazard *found = &verdict.hazards.items[i];
        const int entry = old_entry(r, &edited, found);
        if (is_at(r, hazard, found, entry))
            return SWP_OK;
        all_known = all_known && knows(r, found, entry);
    }
    const bool fewer = verdict.hazards.count < r->verdict->hazards.count;
    *out = all_known ? REPAIRS : fewer || only_orders(edit) ? UNCOVERS : STAYS;
    return SWP_OK;
}

static swp_status try_edit(repairer *r, const swp_hazard *hazard, const swp_edit *edit,
                           outcome *out)
{
    *out = STAYS;
    r->trials--;
    r->work += length_of(r);
    swp_context *scratch = swp_context_within(r->ctx);
    if (!scratch)
        return swp_out_of_memory(r->ctx);
    const swp_status status = try_in(r, scratch, hazard, edit, out);
    swp_context_free(scratch);
    return swp_pass_on(r->ctx, status);
}

/* A wait that retires more than it has to costs time. */
static swp_status relax(repairer *r, const swp_hazard *hazard, swp_edit *edit, outcome wanted)
{
    swp_op *op = &edit->ops[0];
    const swp_machine *machine = &r->schedule.machine;
    if (edit->op_count == 0 || !swp_ir_is_wait(op))
        return SWP_OK;
    int least = 0; /* does it */
    int most = swp_ir_most_in_flight(machine, swp_ir_wait_kind(op));
    while (most - least > 1) {
        outcome what = STAYS;
        op->wait_value = least + (most - least) / 2;
        SWP_TRY(try_edit(r, hazard, edit, &what));
        *(what >= wanted ? &least : &most) = op->wait_value;
    }
    op->wait_value = least;
    return SWP_OK;
}

static bool may_try(const repairer *r)
{
    return r->trials > 0 && r->work < MOST_WORK;
}

/* The best edit for a hazard, and what it comes to. */
typedef struct trial {
    swp_edit best;
    outcome what;
    size_t tried;
    bool all; /* that there are */
} trial;

/* The first edit that repairs, else the first that uncovers. */
static swp_status choose(repairer *r, const swp_hazard *hazard, const swp_edit_list *edits,
                         trial *t)
{
    const uint64_t end = r->work + MOST_WORK_EACH;
    for (; t->tried < edits->count && may_try(r) && r->work < end; t->tried++) {
        const swp_edit *edit = &edits->items[t->tried];
        outcome found = STAYS;
        SWP_TRY(try_edit(r, hazard, edit, &found));
        if (found <= t->what)
            continue;
        t->best = *edit;
        t->what = found;
        if (found == REPAIRS)
            break;
    }
    t->all = t->tried == edits->count && !swp_edits_full(edits);
    return t->what == STAYS ? SWP_OK : relax(r, hazard, &t->best, t->what);
}

/* What was found, in words. */
static swp_status tell(const repairer *r, swp_hazard *hazard, const trial *t)
{
    char *edit = NULL;
    char *hint = NULL;
    if (t->what != STAYS)
        SWP_TRY(swp_verify_edit_text(r->ctx, &r->schedule, &t->best, &edit));
    if (t->what == STAYS && t->all)
        SWP_TRY(swp_format(r->ctx, &hint, "no single edit was found that removes it: %s",
                           hazard->hint));
    else if (t->what == STAYS)
        SWP_TRY(swp_format(r->ctx, &hint, "none of the %zu likeliest edits removes it: %s",
                           t->tried, hazard->hint));
    else if (t->what == UNCOVERS)
        SWP_TRY(swp_format(r->ctx, &hint,
                           "%s; then verify again, as another hazard hides behind it", edit));
    hazard->hint = hint ? hint : edit;
    return SWP_OK;
}

/* The verdict itself is whole. */
static swp_status warn_of_stop(swp_context *ctx, size_t reported, size_t tried, size_t count)
{
    ctx->diags->count = reported;
    swp_give_grace(ctx);
    return swp_warn(
        ctx, SWP_W0401, SWP_NOWHERE, "allow more time",
        "the search for repairs was stopped at hazard %zu of %zu: the hints from there on "
        "are not tried",
        tried, count);
}

static swp_status repair(repairer *r, swp_hazard *hazard)
{
    swp_context listing;
    swp_edit_list edits = {0};
    trial t = {.what = STAYS};
    r->form = form_of(r, hazard);
    r->schedule = swp_schedule_form(r->whole, r->form);
    r->work += length_of(r);
    SWP_TRY(swp_scope_open(r->ctx, &listing));
    swp_status status = swp_verify_candidates_find(&listing, &r->schedule, hazard, &edits);
    if (status == SWP_OK)
        status = choose(r, hazard, &edits, &t);
    swp_scope_close(&listing);
    return status == SWP_OK ? tell(r, hazard, &t) : status;
}

static swp_status warn_of_rest(swp_context *ctx, size_t rest, size_t count)
{
    if (rest == 0)
        return SWP_OK;
    return swp_warn(ctx, SWP_W0704, SWP_NOWHERE, "mend what the other hints say, then verify again",
                    "no edit was looked for that removes the last %zu of %zu hazards: each that is "
                    "tried takes a proof of its own",
                    rest, count);
}

swp_status swp_verify_repairs(swp_context *ctx, const swp_schedule *schedule, swp_verdict *verdict)
{
    SWP_REQUIRE(ctx, ctx && schedule && verdict);
    repairer r = {.ctx = ctx, .whole = schedule, .verdict = verdict, .trials = MOST_TRIALS};
    const size_t reported = ctx->diags->count;
    if (swp_ir_has_roles(schedule)) /* their hints are general */
        return SWP_OK;
    swp_status status = note_known(&r);
    size_t i = 0;
    for (; i < verdict->hazards.count && may_try(&r) && status == SWP_OK; i++)
        status = repair(&r, &verdict->hazards.items[i]);
    if (status == SWP_STOPPED)
        return warn_of_stop(ctx, reported, i, verdict->hazards.count);
    SWP_TRY(status);
    return warn_of_rest(ctx, verdict->hazards.count - i, verdict->hazards.count);
}
