/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the proof anew of an edited schedule: of the run that showed a hazard first, as most edits fail there. */
#include "verify/trial.h"

#include "base/diag.h"
#include "ir/entry.h"
#include "ir/schedule.h"
#include "verify/roles_prove.h"

#include <string.h>

/* --- Hazards before and after --- */

/* Iterations of the run, or of the output tile in whose lists the hazard is. */
static int n_of(const swp_hazard *hazard)
{
    if (!hazard->tiles)
        return hazard->smallest_n;
    return hazard->tile < hazard->tile_count ? hazard->tiles[hazard->tile] : 0;
}

int swp_verify_hazard_form(const swp_schedule *schedule, const swp_hazard *hazard)
{
    return swp_ir_form_at(schedule, hazard->at.phase, n_of(hazard));
}

/* One edit, and what is edited. */
typedef struct trial {
    swp_trials *all;
    swp_context *scratch;
    const swp_hazard *hazard;
    const swp_edit *edit;
    swp_edited edited;
    swp_acceptances accepted; /* of the edited schedule */
} trial;

static bool is_in_edited_list(const trial *t, const swp_hazard *found)
{
    return t->edited.origins && found->stream == t->edit->stream &&
           found->at.phase == t->edit->at.phase &&
           (found->at.phase != SWP_EPILOGUE ||
            swp_verify_hazard_form(t->all->schedule, found) == t->edit->form);
}

/* The entry of the unedited schedule; its list's length for the end; -1 for one that was inserted. */
static int old_entry(const trial *t, const swp_hazard *found)
{
    if (found->at.entry < 0 || !is_in_edited_list(t, found))
        return found->at.entry;
    const size_t count =
        swp_verify_edit_list(&t->edited.schedule, t->edit->stream, t->edit->form, t->edit->at.phase)
            ->count;
    return (size_t)found->at.entry < count ? t->edited.origins[found->at.entry]
                                           : (int)t->edited.old_count;
}

static bool is_at(const swp_schedule *schedule, const swp_hazard *known, const swp_hazard *found,
                  int entry)
{
    return known->kind == found->kind && known->stream == found->stream &&
           known->at.phase == found->at.phase && known->at.entry == entry &&
           swp_verify_hazard_form(schedule, known) == swp_verify_hazard_form(schedule, found);
}

enum { KEY_LENGTH = 5 };

static void list_key(const swp_schedule *schedule, const swp_hazard *hazard, int entry,
                     int key[KEY_LENGTH])
{
    const int list[KEY_LENGTH] = {(int)hazard->kind, hazard->stream, (int)hazard->at.phase, entry,
                                  swp_verify_hazard_form(schedule, hazard)};
    memcpy(key, list, sizeof list);
}

/* NULL: it was not told. */
static const swp_hazard *find_known(const swp_trials *all, const swp_hazard *found, int entry)
{
    int key[KEY_LENGTH];
    list_key(all->schedule, found, entry, key);
    const int number = swp_key_index_find(&all->known, key, sizeof key);
    return number < 0 ? NULL : &all->verdict->hazards.items[number];
}

swp_status swp_verify_trials_begin(swp_context *ctx, const swp_schedule *schedule,
                                   const swp_verdict *verdict, swp_trials *out)
{
    *out = (swp_trials){.ctx = ctx,
                        .schedule = schedule,
                        .verdict = verdict,
                        .ends_at_first = !swp_verify_tells_all(schedule)};
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *hazard = &verdict->hazards.items[i];
        int key[KEY_LENGTH];
        int number = 0;
        list_key(schedule, hazard, hazard->at.entry, key);
        SWP_TRY(swp_key_index_number(ctx, &out->known, key, sizeof key, (int)i, &number));
    }
    return SWP_OK;
}

/* --- What an edit comes to --- */

/* What only adds order, or sets the lag right, breaks nothing: what shows then was hidden behind the hazard. */
static bool only_orders(const swp_edit *edit)
{
    return edit->kind == SWP_EDIT_LAG_INDEX || edit->kind == SWP_EDIT_LAG_END ||
           (edit->op_count > 0 && edit->ops[0].role == SWP_SYNC);
}

static bool inserts_order(const swp_edit *edit)
{
    return edit->kind == SWP_EDIT_INSERT && edit->ops[0].role == SWP_SYNC;
}

/* Whether the hazard may have been hidden: the first kind of a run with warp roles ends its judgement. */
static bool is_behind(const trial *t, const swp_hazard *found)
{
    return swp_verify_role_place_of(found->kind) > swp_verify_role_place_of(t->hazard->kind) &&
           inserts_order(t->edit);
}

/* Hazards that nobody accepts. */
static size_t count_open(const trial *t, const swp_verdict *after)
{
    size_t count = 0;
    for (size_t i = 0; i < after->hazards.count; i++) {
        const swp_hazard *found = &after->hazards.items[i];
        count += !swp_verify_is_accepted(&t->accepted, found->kind, found->role, found->at);
    }
    return count;
}

/* The best that an edit can come to after which these hazards are there. */
static swp_trial_outcome look_at(const trial *t, const swp_verdict *after)
{
    const swp_trials *all = t->all;
    bool all_known = true;
    bool all_behind = true;
    for (size_t i = 0; i < after->hazards.count; i++) {
        const swp_hazard *found = &after->hazards.items[i];
        const int entry = old_entry(t, found);
        const swp_hazard *known = find_known(all, found, entry);
        if (is_at(all->schedule, t->hazard, found, entry))
            return SWP_STAYS;
        /* One of a smaller run may hide what that run showed. */
        if (known && (!all->ends_at_first || found->smallest_n >= known->smallest_n))
            continue;
        all_known = false;
        all_behind = all_behind && all->ends_at_first && is_behind(t, found);
    }
    const bool fewer = after->hazards.count < all->verdict->hazards.count;
    const bool orders = !all->ends_at_first && (fewer || only_orders(t->edit));
    if (count_open(t, after) == 0)
        return SWP_CURES;
    return all_known ? SWP_REPAIRS : all_behind || orders ? SWP_UNCOVERS : SWP_STAYS;
}

/* --- Proofs --- */

/* What has no meaning, or comes to no end, repairs nothing. */
static swp_status judge(trial *t, swp_status status, const swp_verdict *verdict,
                        swp_trial_outcome *best)
{
    t->all->work += verdict->work;
    if (status == SWP_INVALID) {
        *best = SWP_STAYS;
        return SWP_OK;
    }
    SWP_TRY(status);
    t->all->left = verdict->hazards.count;
    const swp_trial_outcome outcome = look_at(t, verdict);
    *best = outcome < *best ? outcome : *best;
    return SWP_OK;
}

static bool is_still_there(const trial *t, const swp_verdict *after)
{
    for (size_t i = 0; i < after->hazards.count; i++) {
        const swp_hazard *found = &after->hazards.items[i];
        if (is_at(t->all->schedule, t->hazard, found, old_entry(t, found)))
            return true;
    }
    return false;
}

/* Whether the form that has the hazard still has it; all forms take longer. */
static swp_status try_form(trial *t, swp_trial_outcome *best)
{
    swp_verdict verdict = {0};
    const int form = swp_verify_hazard_form(t->all->schedule, t->hazard);
    const swp_status status = swp_verify_form(t->scratch, &t->edited.schedule, form, &verdict);
    t->all->work += verdict.work;
    if (status == SWP_INVALID || is_still_there(t, &verdict))
        *best = SWP_STAYS;
    else if (count_open(t, &verdict) > 0)
        *best = SWP_REPAIRS;
    return status == SWP_INVALID ? SWP_OK : status;
}

/* Where an accepted hazard is now. Those of an entry that has gone are accepted nowhere. */
static bool find_new_entry(const trial *t, const swp_hazard *hazard, int *entry)
{
    *entry = hazard->at.entry;
    if (!is_in_edited_list(t, hazard))
        return true;
    const size_t count =
        swp_verify_edit_list(&t->edited.schedule, t->edit->stream, t->edit->form, t->edit->at.phase)
            ->count;
    for (*entry = 0; (size_t)*entry < count; (*entry)++)
        if (t->edited.origins[*entry] == hazard->at.entry)
            return true;
    return hazard->at.entry == (int)t->edited.old_count;
}

static swp_status list_accepted(trial *t)
{
    const swp_hazard_list *hazards = &t->all->verdict->hazards;
    swp_acceptance *items = NULL;
    if (t->all->verdict->accepted == 0)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(t->scratch, hazards->count, &items));
    for (size_t i = 0; i < hazards->count; i++) {
        const swp_hazard *hazard = &hazards->items[i];
        int entry = 0;
        if (hazard->accepted && find_new_entry(t, hazard, &entry))
            items[t->accepted.count++] =
                (swp_acceptance){hazard->kind, {hazard->at.phase, entry}, hazard->role};
    }
    t->accepted.items = items;
    return SWP_OK;
}

static swp_status try_flat(trial *t, swp_trial_outcome known, swp_trial_outcome *best)
{
    swp_verdict verdict = {0};
    *best = SWP_CURES;
    SWP_TRY(list_accepted(t));
    if (swp_schedule_forms(&t->edited.schedule) > 1)
        SWP_TRY(try_form(t, best));
    if (*best <= known)
        return SWP_OK;
    const swp_status status = swp_verify(t->scratch, &t->edited.schedule, NULL, 0, &verdict);
    return judge(t, status, &verdict, best);
}

/* An edit whose proof takes more than such a part of all work is left. */
enum { PROOFS = 4 };

static swp_status ask_roles(trial *t, swp_role_extent extent, swp_trial_outcome *best)
{
    swp_verdict verdict = {0};
    const swp_trials *all = t->all;
    const swp_role_part part = {
        .extent = extent, .shown = t->hazard, .most_steps = all->most_work / PROOFS};
    return judge(t,
                 swp_verify_roles_ask(t->scratch, &t->edited.schedule, part, t->accepted, &verdict),
                 &verdict, best);
}

/*
 * The run that showed the hazard first, then the others up to one that is unsafe, then all of them. What still goes wrong in that run
 * may hide what the edit has broken.
 */
static swp_status try_roles(trial *t, swp_trial_outcome known, swp_trial_outcome *best)
{
    *best = SWP_CURES;
    SWP_TRY(list_accepted(t));
    SWP_TRY(ask_roles(t, SWP_ONE_RUN, best));
    if (*best == SWP_REPAIRS && !inserts_order(t->edit))
        *best = SWP_STAYS;
    if (*best <= known)
        return SWP_OK;
    SWP_TRY(ask_roles(t, SWP_SOME_HAZARD, best));
    if (*best <= known || *best == SWP_CURES)
        return SWP_OK;
    return ask_roles(t, SWP_ALL_HAZARDS, best);
}

/* A trial lists the schedule anew before it is proven. */
static uint64_t length_of(const swp_schedule *schedule)
{
    uint64_t length = 0;
    for (size_t s = 0; s < schedule->stream_count; s++) {
        const swp_stream *stream = &schedule->streams[s];
        length += stream->prologue.count + stream->kernel.count + stream->epilogue.count;
    }
    return length;
}

swp_status swp_verify_try(swp_trials *trials, const swp_hazard *hazard, const swp_edit *edit,
                          swp_trial_outcome known, swp_trial_outcome *out)
{
    trial t = {.all = trials, .hazard = hazard, .edit = edit};
    swp_trial_outcome best = SWP_STAYS;
    trials->count++;
    trials->work += length_of(trials->schedule);
    t.scratch = swp_context_within(trials->ctx);
    if (!t.scratch)
        return swp_out_of_memory(trials->ctx);
    swp_status status = swp_verify_edit_apply(t.scratch, trials->schedule, edit, &t.edited);
    if (status == SWP_OK)
        status = trials->ends_at_first ? try_roles(&t, known, &best) : try_flat(&t, known, &best);
    swp_context_free(t.scratch);
    *out = best;
    return swp_pass_on(trials->ctx, status);
}
