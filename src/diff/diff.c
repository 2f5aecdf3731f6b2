/* SPDX-License-Identifier: Apache-2.0 */
/* Aligns two schedules, then tries each difference by itself: added to A, and taken out of B. */
#include "swp/diff.h"

#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"
#include "diff/align.h"
#include "diff/effect.h"
#include "diff/settings.h"
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "swp/fields.h"

#include <string.h>

/* The table of an alignment grows with the product of both lengths. */
enum { MOST_ENTRIES = 8192 };

/* Holds what the search for effects needs. */
typedef struct work {
    swp_context *ctx;
    const swp_simulate_options *options;
    swp_diff *diff;
    swp_diff_cost_list costs;
    swp_diff_objects objects;
    bool same_loop;
    swp_diff_choice choice;
    swp_diff_measure a;
    swp_diff_measure b;
    swp_limits limits;
    swp_budget budget;
    size_t measured;
} work;

static swp_status check_length(swp_context *ctx, const swp_entry_list *entries, swp_phase phase)
{
    if (entries->count <= MOST_ENTRIES)
        return SWP_OK;
    return swp_error(ctx, SWP_E0740, SWP_NOWHERE, "compare shorter schedules",
                     "a %s of %zu entries; at most %d can be aligned", swp_phase_name(phase),
                     entries->count, MOST_ENTRIES);
}

/* Aligns a phase of a role of two schedules, in the scratch memory. */
static swp_status align_lists(work *w, swp_context *scratch, const swp_diff_role *role,
                              const swp_schedule *a, const swp_schedule *b, swp_phase phase,
                              swp_diff_phase *rows)
{
    swp_diff_words words;
    const swp_diff_lists lists = {a, b, swp_diff_list(a, role->a, phase),
                                  swp_diff_list(b, role->b, phase)};
    SWP_TRY(check_length(w->ctx, lists.in_a, phase));
    SWP_TRY(check_length(w->ctx, lists.in_b, phase));
    SWP_TRY(swp_diff_read_words(scratch, &lists, &w->costs, &w->objects, &words));
    return swp_diff_align(scratch, &words, rows);
}

static swp_status align(work *w, swp_diff_role *role, swp_phase phase)
{
    swp_context scratch;
    swp_diff_phase rows = {0};
    SWP_TRY(swp_scope_open(w->ctx, &scratch));
    swp_status status =
        align_lists(w, &scratch, role, w->diff->a.schedule, w->diff->b.schedule, phase, &rows);
    swp_diff_row *kept = NULL;
    if (status == SWP_OK)
        status = SWP_TAKE(w->ctx, rows.count, &kept);
    if (status == SWP_OK && rows.count > 0)
        memcpy(kept, rows.items, rows.count * sizeof *rows.items);
    swp_scope_close(&scratch);
    if (status != SWP_OK)
        return status;
    swp_diff_phase *out = &role->phases[phase];
    *out = rows;
    out->items = kept;
    out->capacity = rows.count;
    return SWP_OK;
}

static swp_status count_in_form(work *w, const swp_diff_role *role, int form, size_t *differences)
{
    const swp_schedule a = swp_schedule_form(w->diff->a.schedule, form);
    const swp_schedule b = swp_schedule_form(w->diff->b.schedule, form);
    swp_context scratch;
    swp_diff_phase rows = {0};
    SWP_TRY(swp_scope_open(w->ctx, &scratch));
    const swp_status status = align_lists(w, &scratch, role, &a, &b, SWP_EPILOGUE, &rows);
    swp_scope_close(&scratch);
    *differences += rows.differences;
    return status;
}

/* Compares the lists that only some numbers of tiles run, over all roles. */
static swp_status compare_form(work *w, int form)
{
    swp_diff_form found = {form, 0};
    for (size_t i = 0; i < w->diff->role_count; i++)
        SWP_TRY(count_in_form(w, &w->diff->roles[i], form, &found.differences));
    return found.differences > 0 ? SWP_PUSH(w->ctx, &w->diff->forms, found) : SWP_OK;
}

/* Form 0 is left out, since its epilogue is aligned as a phase. */
static swp_status compare_forms(work *w)
{
    const swp_schedule *a = w->diff->a.schedule;
    const swp_schedule *b = w->diff->b.schedule;
    const int forms = swp_schedule_forms(a);
    if (a->loop.tiles_per_pass != b->loop.tiles_per_pass ||
        a->loop.min_tiles != b->loop.min_tiles || swp_schedule_forms(b) != forms)
        return SWP_OK;
    for (int form = 1; form < forms; form++)
        SWP_TRY(compare_form(w, form));
    return SWP_OK;
}

static bool is_work(const swp_schedule *schedule, int stream, swp_phase phase, int entry)
{
    const swp_entry_list *entries = swp_diff_list(schedule, stream, phase);
    return entry >= 0 && swp_ir_is_work(&entries->items[entry].op);
}

/* Counts data ops. */
typedef struct tally {
    size_t common;
    size_t of_a;
    size_t of_b;
} tally;

static void add_common(const swp_diff *diff, const swp_diff_role *role, swp_phase phase, tally *sum)
{
    for (size_t i = 0; i < role->phases[phase].count; i++) {
        const swp_diff_row *row = &role->phases[phase].items[i];
        if (row->difference == SWP_DIFF_LEFT)
            continue;
        const bool in_a = is_work(diff->a.schedule, role->a, phase, row->a);
        const bool in_b = is_work(diff->b.schedule, role->b, phase, row->b);
        sum->of_a += in_a;
        sum->of_b += in_b;
        sum->common += in_a && in_b;
    }
}

/* Counts data ops alone, since waits and barriers are alike everywhere. */
static bool have_little_in_common(const swp_diff *diff)
{
    tally sum = {0};
    for (size_t i = 0; i < diff->role_count; i++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
            add_common(diff, &diff->roles[i], phase, &sum);
    return 2 * sum.common < (sum.of_a > sum.of_b ? sum.of_a : sum.of_b);
}

static bool is_alike(const swp_diff *diff)
{
    size_t count = diff->settings.count + diff->forms.count;
    for (size_t i = 0; i < diff->role_count; i++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
            count += diff->roles[i].phases[phase].differences;
    return count == 0;
}

static void choose(work *w, size_t first, size_t count, bool from_b)
{
    for (size_t i = 0; i < count; i++)
        w->choice.from_b[first + i] = from_b;
}

/* Finds the effect of so many differences, taken from B into A or from A into B. */
static swp_status find_effect(work *w, size_t first, size_t count, bool into_b,
                              const swp_diff_effect **out)
{
    swp_diff_measure measure;
    swp_diff_effect *effect = NULL;
    if (!swp_budget_poll(&w->budget)) {
        w->diff->stopped = true;
        return SWP_OK;
    }
    w->choice.varies_b = into_b;
    choose(w, 0, w->choice.count, into_b);
    choose(w, first, count, !into_b);
    SWP_TRY(swp_diff_measure_choice(w->ctx, &w->choice, w->options, &measure));
    w->measured++;
    SWP_TRY(SWP_TAKE(w->ctx, 1, &effect));
    SWP_TRY(swp_diff_find_effect(w->ctx, into_b ? &w->b : &w->a, &measure, effect));
    *out = effect;
    return SWP_OK;
}

static swp_status find_effects(work *w, size_t first, size_t count, const swp_diff_effect **with,
                               const swp_diff_effect **without)
{
    SWP_TRY(find_effect(w, first, count, false, with));
    return find_effect(w, first, count, true, without);
}

static swp_status find_effects_of_settings(work *w)
{
    for (size_t i = 0; i < w->diff->settings.count; i++) {
        swp_diff_setting *setting = &w->diff->settings.items[i];
        const swp_field *field = swp_field_find(setting->path);
        /* No judge reads the other fields, which made the phases. A setting that is no field is a cost. */
        if (!field || field->section == SWP_SECTION_MACHINE)
            SWP_TRY(find_effects(w, i, 1, &setting->with, &setting->without));
    }
    return SWP_OK;
}

static swp_status find_effects_of_rows(work *w, size_t role, swp_phase phase)
{
    swp_diff_phase *rows = &w->diff->roles[role].phases[phase];
    const size_t first = swp_diff_first_row(w->diff, role, phase);
    for (size_t i = 0; i < rows->count; i++) {
        swp_diff_row *row = &rows->items[i];
        if (row->difference != SWP_DIFF_ALIKE && row->difference != SWP_DIFF_LEFT)
            SWP_TRY(find_effects(w, first + i, 1, &row->with, &row->without));
    }
    return rows->differences > 0 ? find_effects(w, first, rows->count, &rows->with, &rows->without)
                                 : SWP_OK;
}

static swp_status find_all_effects(work *w)
{
    const swp_diff *diff = w->diff;
    if (diff->alike || diff->little_in_common || !w->same_loop)
        return SWP_OK;
    /* The judges report no progress, since that line speaks of makespans. */
    w->limits = w->ctx->limits;
    w->limits.progress = NULL;
    w->budget = swp_budget_start(w->ctx, 0);
    w->budget.limits = &w->limits;
    SWP_TRY(swp_diff_choice_new(w->ctx, diff, &w->costs, &w->objects, &w->choice));
    SWP_TRY(find_effects_of_settings(w));
    for (size_t role = 0; role < diff->role_count; role++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
            SWP_TRY(find_effects_of_rows(w, role, phase));
    if (!diff->stopped)
        return SWP_OK;
    return swp_warn(w->ctx, SWP_W0401, SWP_NOWHERE, "allow more time or work",
                    "trying each difference alone was stopped after %zu proof%s", w->measured,
                    w->measured == 1 ? "" : "s");
}

swp_status swp_diff_schedules(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                              const swp_simulate_options *options, swp_diff *out)
{
    SWP_REQUIRE(ctx, ctx && a && b && out);
    work w = {.ctx = ctx, .options = options, .diff = out};
    *out = (swp_diff){.a.schedule = a, .b.schedule = b};
    SWP_TRY(swp_schedule_check_loop(ctx, a));
    SWP_TRY(swp_schedule_check_loop(ctx, b));
    SWP_TRY(swp_diff_find_settings(ctx, a, b, &out->settings, &w.costs, &w.objects, &w.same_loop));
    SWP_TRY(swp_diff_match_roles(ctx, out));
    for (size_t i = 0; i < out->role_count; i++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
            SWP_TRY(align(&w, &out->roles[i], phase));
    SWP_TRY(compare_forms(&w));
    out->alike = is_alike(out);
    out->little_in_common = have_little_in_common(out);
    SWP_TRY(swp_diff_measure_side(ctx, out, false, options, &w.a));
    SWP_TRY(swp_diff_measure_side(ctx, out, true, options, &w.b));
    out->a = w.a.side;
    out->b = w.b.side;
    SWP_TRY(swp_diff_find_effect(ctx, &w.a, &w.b, &out->effect));
    return find_all_effects(&w);
}
