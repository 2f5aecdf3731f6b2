/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a timeline as events of Chrome's trace format (Google, "Trace Event Format"), which
 * Perfetto's viewer reads. Each group has a thread, and so has each op that a unit has in flight at
 * a time. A slice within a slice shows what holds an entry, and an arrow what it waits for. One
 * cycle is one microsecond.
 */
#include "emit/draw/perfetto.h"

#include "base/require.h"
#include "ir/schedule.h"

#include <inttypes.h>

/* Processes of the trace. */
enum { GROUPS = 1, UNITS, SLOTS };

/* Threads of a process count from 1. */
enum { FIRST_THREAD = 1 };

typedef struct trace {
    swp_text *text;
    const swp_figure *figure;
    int *first_row; /* by unit: the thread of its first row */
    int threads;    /* of units */
    int64_t arrows;
    bool any;
} trace;

static void begin(trace *t, const char *phase, int process, int thread)
{
    if (t->any)
        swp_text_format(t->text, ",\n");
    swp_text_format(t->text, "{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d", phase, process, thread);
    t->any = true;
}

/* --- Names --- */

static void add_name(trace *t, const char *what, int process, int thread, const char *name)
{
    begin(t, "M", process, thread);
    swp_text_format(t->text, ",\"name\":\"%s\",\"args\":{\"name\":\"%s\"}}", what, name);
}

static void add_order(trace *t, const char *what, int process, int thread, int order)
{
    begin(t, "M", process, thread);
    swp_text_format(t->text, ",\"name\":\"%s\",\"args\":{\"sort_index\":%d}}", what, order);
}

static void add_process(trace *t, int process, const char *name)
{
    add_name(t, "process_name", process, 0, name);
    add_order(t, "process_sort_index", process, 0, process);
}

static void add_thread(trace *t, int process, int thread, const char *name)
{
    add_name(t, "thread_name", process, thread, name);
    add_order(t, "thread_sort_index", process, thread, thread);
}

static swp_status add_unit_threads(trace *t)
{
    const swp_timeline *timeline = &t->figure->timeline;
    char *name = NULL;
    t->threads = FIRST_THREAD;
    SWP_TRY(SWP_TAKE(t->text->ctx, timeline->unit_count, &t->first_row));
    for (size_t u = 0; u < timeline->unit_count; u++) {
        const int rows = swp_emit_figure_rows(t->figure, (int)u);
        t->first_row[u] = t->threads;
        for (int row = 0; row < rows; row++) {
            SWP_TRY(swp_format(t->text->ctx, &name, rows == 1 ? "%s" : "%s, %d",
                               timeline->units[u].name, row));
            add_thread(t, UNITS, t->threads++, name);
        }
    }
    return SWP_OK;
}

static swp_status add_names(trace *t)
{
    const swp_timeline *timeline = &t->figure->timeline;
    char *name = NULL;
    add_process(t, GROUPS, timeline->groups[0].role ? "roles" : "warp groups");
    for (size_t g = 0; g < timeline->group_count; g++) {
        SWP_TRY(swp_emit_figure_group(t->text->ctx, t->figure, (int)g, &name));
        add_thread(t, GROUPS, FIRST_THREAD + (int)g, name);
    }
    add_process(t, UNITS, "units");
    SWP_TRY(add_unit_threads(t));
    add_process(t, SLOTS, "slots in shared memory");
    for (size_t s = 0; s < timeline->slots.count && timeline->slots.items[s].is_shared; s++) {
        swp_text slot = {.ctx = t->text->ctx};
        swp_emit_figure_slot(&slot, &timeline->slots.items[s]);
        SWP_TRY(swp_text_end(&slot, &name, NULL));
        add_thread(t, SLOTS, FIRST_THREAD + (int)s, name);
    }
    return SWP_OK;
}

/* --- Slices --- */

static void begin_slice(trace *t, int process, int thread, int64_t from, int64_t until,
                        const char *category)
{
    begin(t, "X", process, thread);
    swp_text_format(t->text, ",\"ts\":%" PRId64 ",\"dur\":%" PRId64 ",\"cat\":\"%s\"", from,
                    until - from, category);
}

static void add_pass(trace *t, const swp_timeline_event *event)
{
    swp_text_format(t->text, ",\"args\":{\"pass\":\"");
    swp_emit_figure_pass(t->text, t->figure, event->pass);
    swp_text_format(t->text, "\",\"entry\":%d", event->at.entry);
    if (event->has_tile)
        swp_text_format(t->text, ",\"%s\":%d", swp_ir_tile_name(t->figure->schedule), event->tile);
    swp_text_format(t->text, "}}");
}

/* A slice lasts from when its group reaches the entry until the group goes on. */
static void add_event(trace *t, const swp_timeline_event *event)
{
    begin_slice(t, GROUPS, FIRST_THREAD + event->group, event->ready, event->left,
                event->is_stuck                             ? "stuck"
                : swp_emit_figure_is_sync(t->figure, event) ? "synchronisation"
                                                            : "op");
    swp_text_format(t->text, ",\"name\":\"%s\"", swp_emit_figure_name(t->figure, event));
    add_pass(t, event);
}

static void add_stall(trace *t, const swp_timeline_stall *stall)
{
    const swp_timeline_event *event = &t->figure->timeline.events.items[stall->event];
    begin_slice(t, GROUPS, FIRST_THREAD + event->group, stall->from, stall->until, "stall");
    swp_text_format(t->text, ",\"name\":\"held: %s\",\"args\":{\"reason\":\"%s\"",
                    swp_stall_name(stall->cause), swp_stall_meaning(stall->cause));
    if (stall->object)
        swp_text_format(t->text, ",\"object\":\"%s\"", stall->object);
    swp_text_format(t->text, ",\"critical\":%s}}", stall->is_critical ? "true" : "false");
}

/* A use is in flight, and within that it keeps the unit for some cycles. */
static void add_use(trace *t, size_t index)
{
    const swp_timeline_use *use = &t->figure->timeline.uses.items[index];
    const swp_timeline_event *event = &t->figure->timeline.events.items[use->event];
    const int thread = t->first_row[use->unit] + t->figure->row_of[index];
    begin_slice(t, UNITS, thread, use->from, swp_emit_figure_use_ends(t->figure, use), "in flight");
    swp_text_format(t->text, ",\"name\":\"%s\"", swp_emit_figure_name(t->figure, event));
    add_pass(t, event);
    if (use->until == use->from)
        return;
    begin_slice(t, UNITS, thread, use->from, use->until, "busy");
    swp_text_format(t->text, ",\"name\":\"keeps the unit\",\"args\":{\"amount\":%" PRId64 "}}",
                    use->amount);
}

/*
 * Only in a safe schedule does a tile in a slot surely end before the next one begins, so the slice
 * is cut there.
 */
static void add_life(trace *t, const swp_timeline_life *life, int64_t next)
{
    const char *tile = swp_ir_tile_name(t->figure->schedule);
    const int64_t until = life->until < next ? life->until : next;
    if (!t->figure->timeline.slots.items[life->slot].is_shared)
        return;
    begin_slice(t, SLOTS, FIRST_THREAD + life->slot, life->from, until, "held");
    swp_text_format(
        t->text, ",\"name\":\"%s %d\",\"args\":{\"made\":%" PRId64 ",\"read until\":%" PRId64 "}}",
        tile, life->tile, life->made, life->until);
}

static void add_lives(trace *t)
{
    const swp_timeline_lives *lives = &t->figure->timeline.lives;
    for (size_t i = 0; i < lives->count; i++) {
        int64_t next = INT64_MAX;
        for (size_t k = i + 1; k < lives->count && next == INT64_MAX; k++)
            if (lives->items[k].slot == lives->items[i].slot)
                next = lives->items[k].from;
        add_life(t, &lives->items[i], next);
    }
}

/* --- Arrows --- */

/* The arrow ends where the slice around it does. */
static void add_end_of_arrow(trace *t, const char *phase, int process, int thread, int64_t at)
{
    begin(t, phase, process, thread);
    swp_text_format(t->text,
                    ",\"bp\":\"e\",\"ts\":%" PRId64 ",\"id\":%" PRId64
                    ",\"name\":\"waits for\",\"cat\":\"dependence\"}",
                    at, t->arrows);
}

/* The arrow leads from the entry that ends a stall, on its unit if it has one, to the stall. */
static void add_arrow(trace *t, const swp_timeline_stall *stall)
{
    const swp_timeline *timeline = &t->figure->timeline;
    if (stall->other < 0)
        return;
    const swp_timeline_event *event = &timeline->events.items[stall->event];
    const swp_timeline_event *other = &timeline->events.items[stall->other];
    const int use = t->figure->use_of[stall->other];
    t->arrows++;
    if (use >= 0)
        add_end_of_arrow(t, "s", UNITS,
                         t->first_row[timeline->uses.items[use].unit] + t->figure->row_of[use],
                         timeline->uses.items[use].from);
    else
        add_end_of_arrow(t, "s", GROUPS, FIRST_THREAD + other->group, other->ready);
    add_end_of_arrow(t, "f", GROUPS, FIRST_THREAD + event->group, stall->until);
}

/* --- All of it --- */

static swp_status add_events(trace *t)
{
    const swp_timeline *timeline = &t->figure->timeline;
    SWP_TRY(add_names(t));
    for (size_t i = 0; i < timeline->events.count; i++)
        add_event(t, &timeline->events.items[i]);
    for (size_t i = 0; i < timeline->stalls.count; i++)
        add_stall(t, &timeline->stalls.items[i]);
    for (size_t i = 0; i < timeline->uses.count; i++)
        add_use(t, i);
    add_lives(t);
    for (size_t i = 0; i < timeline->stalls.count; i++)
        add_arrow(t, &timeline->stalls.items[i]);
    return t->text->status;
}

static swp_status write(swp_context *ctx, const swp_figure *figure, char **out, size_t *length)
{
    swp_text text = {.ctx = ctx, .escape = SWP_ESCAPE_JSON};
    trace t = {.text = &text, .figure = figure};
    const char *target = figure->schedule->target;
    swp_text_format(&text,
                    "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"schedule\":\"%s\","
                    "\"target\":\"%s\",\"unit\":\"one cycle is one microsecond\","
                    "\"summary\":\"",
                    swp_schedule_title(figure->schedule), target ? target : "");
    swp_emit_figure_summary(&text, figure);
    swp_text_format(&text, "\"},\n\"traceEvents\":[\n");
    SWP_TRY(add_events(&t));
    swp_text_format(&text, "\n]}\n");
    return swp_text_end(&text, out, length);
}

swp_status swp_emit_perfetto(swp_context *ctx, const swp_schedule *schedule, char **text,
                             size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && text);
    swp_figure figure;
    SWP_TRY(swp_emit_figure(ctx, schedule, 0, &figure));
    return write(ctx, &figure, text, length);
}
