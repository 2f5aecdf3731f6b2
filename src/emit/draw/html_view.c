/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a run as the page reads it: rows of numbers, whose columns viewer/viewer.js names. */
#include "emit/draw/html.h"

#include "emit/text/row.h"
#include "ir/entry.h"
#include "ir/schedule.h"

#include <inttypes.h>

enum { IS_STUCK = 1, IS_CRITICAL = 2 };

static const char *comma(size_t index)
{
    return index > 0 ? "," : "";
}

static void add_event(swp_text *text, const swp_figure *f, size_t index)
{
    const swp_timeline_event *e = &f->timeline.events.items[index];
    swp_text_format(text, "%s[\"%s\",%d,%d,%d,%d,%d,", comma(index), swp_emit_figure_name(f, e),
                    swp_emit_figure_colour(f, e), (int)e->at.phase, e->at.entry, e->pass, e->group);
    if (e->has_tile)
        swp_text_format(text, "%d", e->tile);
    else
        swp_text_format(text, "null");
    swp_text_format(text, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%d]",
                    e->ready, e->issued, e->left, e->granted, e->finished,
                    (e->is_stuck ? IS_STUCK : 0) | (e->is_critical ? IS_CRITICAL : 0));
}

static void add_events(swp_text *text, const swp_figure *f)
{
    swp_text_format(text, ",\n\"events\":[");
    for (size_t i = 0; i < f->timeline.events.count; i++)
        add_event(text, f, i);
    swp_text_format(text, "]");
}

static void add_stalls(swp_text *text, const swp_timeline *t)
{
    swp_text_format(text, ",\n\"stalls\":[");
    for (size_t i = 0; i < t->stalls.count; i++) {
        const swp_timeline_stall *s = &t->stalls.items[i];
        swp_text_format(text, "%s[%d,%d,%" PRId64 ",%" PRId64 ",%d,\"%s\",%d]", comma(i), s->event,
                        (int)s->cause, s->from, s->until, s->other, s->object ? s->object : "",
                        s->is_critical);
    }
    swp_text_format(text, "]");
}

static void add_uses(swp_text *text, const swp_figure *f)
{
    swp_text_format(text, ",\n\"uses\":[");
    for (size_t i = 0; i < f->timeline.uses.count; i++) {
        const swp_timeline_use *u = &f->timeline.uses.items[i];
        swp_text_format(text, "%s[%d,%d,%d,%" PRId64 ",%" PRId64 ",%" PRId64 "]", comma(i),
                        u->event, u->unit, f->row_of[i], u->from, u->until,
                        swp_emit_figure_use_ends(f, u));
    }
    swp_text_format(text, "]");
}

static void add_flows(swp_text *text, const swp_timeline *t)
{
    swp_text_format(text, ",\n\"flows\":[");
    for (size_t i = 0; i < t->flows.count; i++)
        swp_text_format(text, "%s[%d,%d]", comma(i), t->flows.items[i].maker,
                        t->flows.items[i].reader);
    swp_text_format(text, "]");
}

/* Adds the slots of shared memory alone; they are numbered before all others. */
static void add_slots(swp_text *text, const swp_timeline *t)
{
    size_t count = 0;
    swp_text_format(text, ",\n\"slots\":[");
    for (size_t i = 0; i < t->slots.count && t->slots.items[i].is_shared; i++) {
        swp_text_format(text, "%s\"", comma(i));
        swp_emit_figure_slot(text, &t->slots.items[i]);
        swp_text_format(text, "\"");
    }
    swp_text_format(text, "],\n\"lives\":[");
    for (size_t i = 0; i < t->lives.count; i++) {
        const swp_timeline_life *l = &t->lives.items[i];
        if (t->slots.items[l->slot].is_shared)
            swp_text_format(text, "%s[%d,%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",%d]",
                            comma(count++), l->slot, l->tile, l->from, l->made, l->until, l->maker);
    }
    swp_text_format(text, "]");
}

static swp_status add_lanes(swp_text *text, const swp_figure *f)
{
    const swp_timeline *t = &f->timeline;
    swp_text_format(text, ",\n\"groups\":[");
    for (size_t i = 0; i < t->group_count; i++) {
        char *name = NULL;
        SWP_TRY(swp_emit_figure_group(text->ctx, f, (int)i, &name));
        swp_text_format(text, "%s\"%s\"", comma(i), name);
    }
    swp_text_format(text, "],\n\"units\":[");
    for (size_t i = 0; i < t->unit_count; i++)
        swp_text_format(text, "%s{\"name\":\"%s\",\"rows\":%d,\"full\":%s}", comma(i),
                        t->units[i].name, swp_emit_figure_rows(f, (int)i),
                        (int)i == t->full_unit ? "true" : "false");
    swp_text_format(text, "]");
    return SWP_OK;
}

static void add_list(swp_text *text, const swp_row_style *style, const swp_entry_list *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        swp_text_format(text, "%s\"", comma(i));
        swp_emit_row_add_op(text, style, &entries->items[i], "");
        swp_text_format(text, "\"");
    }
}

/* Adds what the text format says of each entry after its name; events share it. */
static void add_said(swp_text *text, const swp_figure *f)
{
    const swp_schedule *schedule = f->schedule;
    swp_row_style style = swp_emit_row_style_of(schedule);
    style.name_width = 0;
    swp_text_format(text, ",\n\"streams\":[");
    for (size_t i = 0; i < f->timeline.group_count; i++)
        swp_text_format(text, "%s%d", comma(i), f->timeline.groups[i].stream);
    swp_text_format(text, "],\n\"said\":[");
    for (size_t i = 0; i < schedule->stream_count; i++) {
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++) {
            swp_text_format(text, "%s", phase > SWP_PROLOGUE ? "],[" : i > 0 ? ",[[" : "[[");
            add_list(text, &style, swp_stream_phase(&schedule->streams[i], phase));
        }
        swp_text_format(text, "]]");
    }
    swp_text_format(text, "]");
}

/* Adds when the group whose passes are shown begins each pass. */
static void add_marks(swp_text *text, const swp_figure *f)
{
    size_t count = 0;
    swp_text_format(text, ",\n\"marks\":[");
    for (size_t i = swp_emit_figure_next_pass(f, NULL); i < f->timeline.events.count;) {
        const swp_timeline_event *event = &f->timeline.events.items[i];
        swp_text_format(text, "%s[%d,%" PRId64 "]", comma(count++), event->pass, event->ready);
        i = swp_emit_figure_next_pass(f, event);
    }
    swp_text_format(text, "]");
}

static void add_hazard(swp_text *text, const swp_figure *f)
{
    int64_t from = 0;
    int64_t until = 0;
    if (!f->hazard)
        return;
    swp_emit_figure_look(f, &from, &until);
    swp_text_format(text, ",\n\"hazard\":{\"events\":[%d,%d]},\"look\":[%" PRId64 ",%" PRId64 "]",
                    f->hazard_event, f->hazard_other, from, until);
}

swp_status swp_emit_html_view(swp_text *text, const swp_figure *f, const char *name)
{
    const swp_timeline *t = &f->timeline;
    swp_text_format(text, "{\"name\":\"%s\",\"tile\":\"%s\",\"passes\":%d,\"end\":%" PRId64, name,
                    swp_ir_tile_name(f->schedule), t->passes, t->end);
    if (t->is_steady)
        swp_text_format(text, ",\"steady\":[%" PRId64 ",%" PRId64 "]", t->steady_from,
                        t->steady_until);
    add_hazard(text, f);
    SWP_TRY(add_lanes(text, f));
    add_marks(text, f);
    add_said(text, f);
    add_events(text, f);
    add_stalls(text, t);
    add_uses(text, f);
    add_flows(text, t);
    add_slots(text, t);
    swp_text_format(text, "}");
    return text->status;
}
