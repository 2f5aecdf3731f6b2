/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares a timeline for drawing: names, colours, and the rows of ops in flight on their unit. */
#include "emit/draw/figure.h"

#include "base/names.h"
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/schedule.h"

#include <inttypes.h>
#include <string.h>

static const swp_op *op_of(const swp_figure *f, const swp_timeline_event *event)
{
    const swp_stream *stream = &f->schedule->streams[f->timeline.groups[event->group].stream];
    return &swp_stream_phase(stream, event->at.phase)->items[event->at.entry].op;
}

const char *swp_emit_figure_name(const swp_figure *f, const swp_timeline_event *event)
{
    return event->at.entry < 0 ? "barrier"
                               : swp_schedule_op_name(f->schedule, op_of(f, event)->tag);
}

bool swp_emit_figure_is_sync(const swp_figure *f, const swp_timeline_event *event)
{
    return event->at.entry < 0 || !swp_ir_is_work(op_of(f, event));
}

swp_status swp_emit_figure_group(swp_context *ctx, const swp_figure *f, int group, char **out)
{
    const swp_group_load *of = &f->timeline.groups[group];
    return swp_format(ctx, out, "%s %d", of->role ? of->role : "group", of->instance);
}

void swp_emit_figure_pass(swp_text *text, const swp_figure *f, int pass)
{
    if (pass < 0)
        swp_text_format(text, "prologue");
    else if (pass >= f->timeline.passes)
        swp_text_format(text, "epilogue");
    else
        swp_text_format(text, "pass %d", pass);
}

void swp_emit_figure_slot(swp_text *text, const swp_timeline_slot *slot)
{
    swp_text_format(text, "%s[%d]", slot->value, slot->number);
    if (slot->subtile >= 0)
        swp_text_format(text, " sub %d", slot->subtile);
}

enum { MOST_HOLDERS = 6 };

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/*
 * Lists the names on the critical chain, each once: of ops, or of what only orders them. It stops
 * at one more than there is room for.
 */
static size_t name_holders(const swp_figure *f, bool of_sync, const char *names[MOST_HOLDERS + 1])
{
    const swp_timeline *t = &f->timeline;
    size_t count = 0;
    for (size_t i = 0; i < t->events.count && count <= MOST_HOLDERS; i++) {
        const swp_timeline_event *event = &t->events.items[i];
        const char *name = swp_emit_figure_name(f, event);
        if (event->is_critical && swp_emit_figure_is_sync(f, event) == of_sync &&
            !is_among(names, count, name))
            names[count++] = name;
    }
    return count;
}

/* Names what is outlined. If the chain has no op, its waits are named. */
static void add_holder(swp_text *text, const swp_figure *f)
{
    const char *names[MOST_HOLDERS + 1];
    size_t count = name_holders(f, false, names);
    if (count == 0)
        count = name_holders(f, true, names);
    for (size_t i = 0; i < count && i < MOST_HOLDERS; i++)
        swp_text_format(text, "%s%s", i > 0 ? ", " : ", held by what is outlined: ", names[i]);
    if (count > MOST_HOLDERS)
        swp_text_format(text, " and others");
}

static void add_interval(swp_text *text, const swp_figure *f)
{
    const swp_timeline *t = &f->timeline;
    const int tiles = f->schedule->loop.tiles_per_pass;
    const int64_t cycles = t->steady_until - t->steady_from;
    swp_text_format(text, "%" PRId64 " cycle%s ", cycles, swp_plural(cycles));
    if (t->steady_passes == 1)
        swp_text_format(text, "a pass");
    else
        swp_text_format(text, "in %d passes", t->steady_passes);
    swp_text_format(text, ", %d %s%s a pass", tiles, swp_ir_tile_name(f->schedule),
                    swp_plural(tiles));
    if (t->full_unit >= 0)
        swp_text_format(text, ", held by %s, which is never idle", t->units[t->full_unit].name);
    else
        add_holder(text, f);
}

void swp_emit_figure_summary(swp_text *text, const swp_figure *f)
{
    if (f->timeline.is_steady)
        add_interval(text, f);
    else if (f->timeline.is_cut)
        swp_text_format(text, "It waits for ever: the run ends where nobody goes on");
    else
        swp_text_format(text, "No steady state within these passes");
}

/* --- Passes --- */

static int lead_of(const swp_timeline *t)
{
    for (size_t i = 0; i < t->events.count; i++)
        if (t->events.items[i].at.phase == SWP_KERNEL)
            return t->events.items[i].group;
    return 0;
}

size_t swp_emit_figure_next_pass(const swp_figure *f, const swp_timeline_event *after)
{
    const swp_timeline *t = &f->timeline;
    const int lead = after ? after->group : lead_of(t);
    size_t i = after ? (size_t)(after - t->events.items) : 0;
    while (i < t->events.count &&
           (t->events.items[i].group != lead || (after && t->events.items[i].pass == after->pass)))
        i++;
    return i;
}

/* --- Colours --- */

enum { ORANGE, BLUE, GREEN, PURPLE, YELLOW, SKY };

/* The hue of each kind, by its number. */
static const int hue_of_kind[] = {ORANGE,          YELLOW,           GREEN, BLUE,
                                  SWP_FIGURE_SYNC, SWP_FIGURE_FENCE, PURPLE};

static int colour_of_sync(const swp_op *op)
{
    const bool is_hint =
        op->role == SWP_FENCE || op->tag == SWP_TAG_FENCE_ASYNC || op->tag == SWP_TAG_MATRIX_FENCE;
    return is_hint ? SWP_FIGURE_FENCE : SWP_FIGURE_SYNC;
}

int swp_emit_figure_colour(const swp_figure *f, const swp_timeline_event *event)
{
    if (event->at.entry < 0)
        return SWP_FIGURE_SYNC;
    const swp_op *op = op_of(f, event);
    if (!swp_ir_is_work(op))
        return colour_of_sync(op);
    if (!f->schedule->dataflow)
        return op->role < (int)SWP_COUNT_OF(hue_of_kind) ? hue_of_kind[op->role] : SKY;
    const int use = f->use_of[event - f->timeline.events.items];
    return use < 0 ? SKY : f->timeline.uses.items[use].unit % SWP_FIGURE_HUES;
}

/* A colour stands for a kind of op or, with a dataflow, for the op's unit. */
static const char *meaning_of(const swp_figure *f, const swp_timeline_event *event)
{
    const int use = f->use_of[event - f->timeline.events.items];
    if (event->at.entry < 0 || !swp_ir_is_work(op_of(f, event)))
        return swp_emit_figure_colour(f, event) == SWP_FIGURE_FENCE ? "fence or hint"
                                                                    : "synchronisation";
    if (!f->schedule->dataflow)
        return swp_role_name(op_of(f, event)->role);
    return use < 0 ? "no unit" : f->timeline.units[f->timeline.uses.items[use].unit].name;
}

static void name_colours(swp_figure *f)
{
    for (size_t i = 0; i < f->timeline.events.count; i++) {
        const swp_timeline_event *event = &f->timeline.events.items[i];
        swp_figure_colour *colour = &f->colours[swp_emit_figure_colour(f, event)];
        colour->meaning = colour->is_used ? colour->meaning : meaning_of(f, event);
        colour->is_used = true;
    }
}

/* --- Rows --- */

int64_t swp_emit_figure_use_ends(const swp_figure *f, const swp_timeline_use *use)
{
    const int64_t finished = f->timeline.events.items[use->event].finished;
    return finished > use->until ? finished : use->until;
}

int swp_emit_figure_rows(const swp_figure *f, int unit)
{
    int rows = 0;
    for (size_t i = 0; i < f->timeline.uses.count; i++)
        if (f->timeline.uses.items[i].unit == unit && f->row_of[i] >= rows)
            rows = f->row_of[i] + 1;
    return rows;
}

/* Holds when each row of a unit is free again. */
typedef struct free_rows {
    int64_t *items;
    size_t count;
    size_t capacity;
} free_rows;

static swp_status give_row(swp_context *ctx, const swp_figure *f, int use, free_rows *rows)
{
    const swp_timeline_use *of = &f->timeline.uses.items[use];
    const int64_t until = swp_emit_figure_use_ends(f, of);
    size_t row = 0;
    while (row < rows->count && rows->items[row] > of->from)
        row++;
    f->row_of[use] = (int)row;
    if (row == rows->count)
        return SWP_PUSH(ctx, rows, until);
    rows->items[row] = until;
    return SWP_OK;
}

/* Gives each use the first row that is free; grants of a unit come in order. */
static swp_status give_rows(swp_context *ctx, swp_figure *f)
{
    const swp_timeline *t = &f->timeline;
    free_rows *rows = NULL;
    SWP_TRY(SWP_TAKE(ctx, t->unit_count, &rows));
    SWP_TRY(SWP_TAKE(ctx, t->uses.count, &f->row_of));
    SWP_TRY(SWP_TAKE(ctx, t->events.count, &f->use_of));
    for (size_t i = 0; i < t->events.count; i++)
        f->use_of[i] = -1;
    for (size_t i = 0; i < t->uses.count; i++) {
        const swp_timeline_use *use = &t->uses.items[i];
        SWP_TRY(give_row(ctx, f, (int)i, &rows[use->unit]));
        if (f->use_of[use->event] < 0)
            f->use_of[use->event] = (int)i;
    }
    return SWP_OK;
}

swp_status swp_emit_figure(swp_context *ctx, const swp_schedule *schedule, int tiles,
                           swp_figure *out)
{
    const swp_timeline_options options = {.tiles = tiles};
    *out = (swp_figure){.schedule = schedule, .hazard_event = -1, .hazard_other = -1};
    SWP_TRY(swp_timeline_record(ctx, schedule, &options, &out->timeline));
    SWP_TRY(give_rows(ctx, out));
    name_colours(out);
    return SWP_OK;
}
