/* SPDX-License-Identifier: Apache-2.0 */
/* Shows two schedules side by side: what differs besides entries, the phases row by row, the figures. */
#include "swp/diff.h"

#include "base/require.h"
#include "emit/text/diff_effect.h"
#include "emit/text/loop_bound.h"
#include "emit/text/row.h"
#include "ir/roles.h"
#include "ir/schedule.h"

#include <stdio.h>

/* A longer stretch of alike rows is folded, except for the rows beside a difference. */
enum { MOST_ALIKE = 3, NUMBER_SIZE = 16 };

#define INDENT "             "

typedef struct diff_sheet {
    swp_text text;
    const swp_diff *diff;
    const swp_diff_role *role; /* whose rows are shown */
    swp_row_style style;
} diff_sheet;

static void add_title(diff_sheet *s, char letter, const swp_diff_side *side)
{
    const swp_schedule *schedule = side->schedule;
    swp_text_format(&s->text, "%c: %s%s%s\n", letter, swp_schedule_title(schedule),
                    schedule->target[0] ? " for " : "", schedule->target);
    if (side->unjudged)
        swp_text_format(&s->text, "   not judged: %s\n", side->unjudged);
    if (side->unsimulated)
        swp_text_format(&s->text, "   not simulated: %s\n", side->unsimulated);
}

/* Writes what a difference of a phase does. A difference of no phase concerns all of them. */
static void add_effects(diff_sheet *s, const swp_phase *phase, const swp_diff_effect *with,
                        const swp_diff_effect *without)
{
    const swp_effect_style in_a = {
        .lead = INDENT "A with it: ", .whole = !phase, .phase = phase ? *phase : SWP_KERNEL};
    swp_effect_style out_of_b = in_a;
    out_of_b.lead = INDENT "B without it: ";
    out_of_b.by_b = true;
    if (with)
        (void)swp_emit_diff_effect_add(&s->text, &in_a, with);
    if (without)
        (void)swp_emit_diff_effect_add(&s->text, &out_of_b, without);
}

static void add_settings(diff_sheet *s)
{
    const swp_diff_setting_list *settings = &s->diff->settings;
    size_t width = 0;
    for (size_t i = 0; i < settings->count; i++) {
        const size_t own = swp_emit_row_width(settings->items[i].path);
        width = own > width ? own : width;
    }
    if (settings->count > 0)
        swp_text_format(&s->text, "\nA | B\n");
    for (size_t i = 0; i < settings->count; i++) {
        const swp_diff_setting *setting = &settings->items[i];
        const int gap = (int)(width - swp_emit_row_width(setting->path));
        swp_text_format(&s->text, "  %s%*s  %s | %s\n", setting->path, gap, "", setting->a,
                        setting->b);
        add_effects(s, NULL, setting->with, setting->without);
    }
}

static void format_number(int entry, char out[NUMBER_SIZE])
{
    out[0] = '\0';
    if (entry >= 0)
        (void)snprintf(out, NUMBER_SIZE, "%d", entry);
}

/* Writes a line with the entry of A or of B, and the numbers that it has. */
static void add_line(diff_sheet *s, swp_phase phase, char mark, int a, int b, bool of_b)
{
    const swp_schedule *schedule = of_b ? s->diff->b.schedule : s->diff->a.schedule;
    const int stream = of_b ? s->role->b : s->role->a;
    const swp_entry *entry =
        &swp_stream_phase(&schedule->streams[stream], phase)->items[of_b ? b : a];
    char number_a[NUMBER_SIZE];
    char number_b[NUMBER_SIZE];
    format_number(a, number_a);
    format_number(b, number_b);
    swp_emit_row_suit(&s->style, schedule);
    swp_text_format(&s->text, " %c%5s%5s  ", mark, number_a, number_b);
    swp_emit_row_add_op(&s->text, &s->style, entry, swp_schedule_op_name(schedule, entry->op.tag));
    swp_text_add(&s->text, "\n", 1);
}

static void add_row(diff_sheet *s, swp_phase phase, const swp_diff_row *row)
{
    switch (row->difference) {
    case SWP_DIFF_CHANGED:
        add_line(s, phase, '~', row->a, -1, false);
        add_line(s, phase, '~', -1, row->b, true);
        break;
    case SWP_DIFF_REMOVED:
        add_line(s, phase, '-', row->a, -1, false);
        break;
    case SWP_DIFF_ADDED:
        add_line(s, phase, '+', -1, row->b, true);
        break;
    case SWP_DIFF_LEFT:
        add_line(s, phase, '<', row->a, row->b, false);
        break;
    case SWP_DIFF_MOVED:
        add_line(s, phase, '>', row->a, row->b, true);
        break;
    case SWP_DIFF_ALIKE:
    case SWP_DIFFERENCE_COUNT:
        add_line(s, phase, ' ', row->a, row->b, true);
        break;
    }
    add_effects(s, &phase, row->with, row->without);
}

/* Writes the alike rows from `first` to before `end`. */
static void add_alike(diff_sheet *s, swp_phase phase, size_t first, size_t end)
{
    const swp_diff_phase *rows = &s->role->phases[phase];
    const bool keeps_first = first > 0;
    const bool keeps_last = end < rows->count;
    const size_t folded = end - first - keeps_first - keeps_last;
    if (end - first <= MOST_ALIKE) {
        for (size_t i = first; i < end; i++)
            add_row(s, phase, &rows->items[i]);
        return;
    }
    if (keeps_first)
        add_row(s, phase, &rows->items[first]);
    swp_text_format(&s->text, INDENT "... %zu entries alike\n", folded);
    if (keeps_last)
        add_row(s, phase, &rows->items[end - 1]);
}

static void add_rows(diff_sheet *s, swp_phase phase)
{
    const swp_diff_phase *rows = &s->role->phases[phase];
    for (size_t i = 0; i < rows->count;) {
        size_t end = i;
        while (end < rows->count && rows->items[end].difference == SWP_DIFF_ALIKE)
            end++;
        if (end > i)
            add_alike(s, phase, i, end);
        if (end < rows->count)
            add_row(s, phase, &rows->items[end++]);
        i = end;
    }
}

/* Writes what all differences of a phase do together. */
static void add_phase_effects(diff_sheet *s, swp_phase phase)
{
    const swp_diff_phase *rows = &s->role->phases[phase];
    char lead[64];
    if (rows->differences < 2)
        return;
    (void)snprintf(lead, sizeof lead, "  A with B's %s: ", swp_phase_name(phase));
    const swp_effect_style in_a = {.lead = lead, .whole = true};
    if (rows->with)
        (void)swp_emit_diff_effect_add(&s->text, &in_a, rows->with);
    (void)snprintf(lead, sizeof lead, "  B with A's %s: ", swp_phase_name(phase));
    const swp_effect_style in_b = {.lead = lead, .by_b = true, .whole = true};
    if (rows->without)
        (void)swp_emit_diff_effect_add(&s->text, &in_b, rows->without);
}

/* Counts the entries of a phase. A schedule without the role has none. */
static size_t count_entries(const swp_schedule *schedule, int stream, swp_phase phase)
{
    return stream < 0 ? 0 : swp_stream_phase(&schedule->streams[stream], phase)->count;
}

static void add_phase(diff_sheet *s, swp_phase phase)
{
    const size_t a = count_entries(s->diff->a.schedule, s->role->a, phase);
    const size_t b = count_entries(s->diff->b.schedule, s->role->b, phase);
    const size_t differences = s->role->phases[phase].differences;
    swp_text_format(&s->text, "\n%s%s%s, %zu | %zu entries, ", s->role->name ? s->role->name : "",
                    s->role->name ? " " : "", swp_phase_name(phase), a, b);
    if (differences == 0) {
        swp_text_format(&s->text, "alike\n");
        return;
    }
    swp_text_format(&s->text, "%zu difference%s\n", differences, differences == 1 ? "" : "s");
    add_rows(s, phase);
    add_phase_effects(s, phase);
}

/*
 * Lists that only some numbers of tiles run are merely counted, since they follow from the loop as
 * the others do.
 */
static void add_forms(diff_sheet *s)
{
    char name[SWP_LIST_NAME_SIZE];
    for (size_t i = 0; i < s->diff->forms.count; i++) {
        const swp_diff_form *form = &s->diff->forms.items[i];
        swp_text_format(&s->text, "\n%s, %zu difference%s\n",
                        swp_ir_list_name(s->diff->a.schedule, form->form, SWP_EPILOGUE, name),
                        form->differences, form->differences == 1 ? "" : "s");
    }
}

static size_t count_differences(const swp_diff *diff)
{
    size_t count = diff->forms.count;
    for (size_t i = 0; i < diff->role_count; i++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
            count += diff->roles[i].phases[phase].differences;
    return count;
}

/* Returns the last list that either schedule has; only output tiles have those after the epilogue. */
static swp_phase last_list(const swp_diff *diff)
{
    const swp_phase of_a = swp_ir_last_list(diff->a.schedule);
    const swp_phase of_b = swp_ir_last_list(diff->b.schedule);
    return of_a > of_b ? of_a : of_b;
}

static void add_phases(diff_sheet *s)
{
    const swp_diff *diff = s->diff;
    if (diff->little_in_common) {
        swp_text_format(&s->text,
                        "\nThe two have little in common: their entries are not listed.\n");
        return;
    }
    if (count_differences(diff) == 0) {
        swp_text_format(&s->text, "\nThe phases are alike.\n");
        return;
    }
    swp_text_format(&s->text, "\nColumns: entry of A, entry of B. Marks: - only in A, + only in B, "
                              "~ changed, < moved from here, > to here.\n");
    for (size_t i = 0; i < diff->role_count; i++) {
        s->role = &diff->roles[i];
        for (swp_phase phase = SWP_PROLOGUE; phase <= last_list(s->diff); phase++)
            add_phase(s, phase);
    }
    add_forms(s);
    if (diff->stopped)
        swp_text_format(&s->text, "\nStopped by a limit: not each difference was tried alone.\n");
}

/* Says why the interval of a loop is not less, unless the reason is the same for both. */
static void add_interval(diff_sheet *s, char letter, const swp_diff_side *side)
{
    if (!side->schedule->pipeline)
        return;
    swp_text_format(&s->text, "\n%c: ", letter);
    swp_emit_loop_interval(&s->text, side->schedule->pipeline);
}

static void add_closing_line(diff_sheet *s)
{
    swp_effect_style style = {.lead = "from A to B: ", .whole = true};
    if (s->diff->little_in_common)
        return;
    if (s->diff->a.schedule->loop.tiles_per_pass != s->diff->b.schedule->loop.tiles_per_pass)
        style.tile = swp_emit_diff_tile_name(s->diff);
    swp_text_format(&s->text, "\n");
    if (!swp_emit_diff_effect_add(&s->text, &style, &s->diff->effect))
        swp_text_format(&s->text, "from A to B: the same hazards and cycles\n");
}

/* Chooses columns that suit the entries of both. */
static swp_row_style style_of(const swp_diff *diff)
{
    swp_row_style style = swp_emit_row_style_of(diff->a.schedule);
    const swp_row_style other = swp_emit_row_style_of(diff->b.schedule);
    if (other.name_width > style.name_width)
        style.name_width = other.name_width;
    style.channels = style.channels || other.channels;
    return style;
}

swp_status swp_diff_text(swp_context *ctx, const swp_diff *diff, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && diff && text);
    diff_sheet s = {.text = {.ctx = ctx}, .diff = diff, .style = style_of(diff)};
    add_title(&s, 'A', &diff->a);
    add_title(&s, 'B', &diff->b);
    if (diff->alike) {
        swp_text_format(&s.text, "alike: phases, loop, machine, costs and settings\n");
        return swp_text_end(&s.text, text, length);
    }
    add_settings(&s);
    add_phases(&s);
    swp_text_format(&s.text, "\n");
    swp_emit_diff_figures_add(&s.text, diff);
    add_interval(&s, 'A', &diff->a);
    add_interval(&s, 'B', &diff->b);
    add_closing_line(&s);
    return swp_text_end(&s.text, text, length);
}
