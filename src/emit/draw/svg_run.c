/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the sections of a run: all of it, the interval with what holds it, its reservation table,
 * slots, the legend.
 */
#include "emit/draw/svg.h"

#include "ir/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- The whole run --- */

/* A name that the next one would cover is left out. */
static void add_passes(const swp_svg_panel *p)
{
    enum { ROOM = 64 };
    const swp_timeline *t = &p->figure->timeline;
    for (size_t i = swp_emit_figure_next_pass(p->figure, NULL); i < t->events.count;) {
        const swp_timeline_event *event = &t->events.items[i];
        const double x = swp_emit_svg_x(p, event->ready);
        i = swp_emit_figure_next_pass(p->figure, event);
        const double next =
            i < t->events.count ? swp_emit_svg_x(p, t->events.items[i].ready) : SWP_SVG_RIGHT;
        swp_text_format(p->text, "<path class=\"phase\" d=\"M%.1f %.1fV%.1f\"/>\n", x, p->top + 2,
                        p->y);
        if (next - x < ROOM)
            continue;
        swp_text_format(p->text, "<text class=\"dim\" x=\"%.1f\" y=\"%.1f\">", x + 3, p->top + 12);
        swp_emit_figure_pass(p->text, p->figure, event->pass);
        swp_text_format(p->text, "</text>\n");
    }
}

static void add_bracket(const swp_svg_panel *p)
{
    enum { LABEL_AT = 28, FROM = 36, TO = 31 };
    const swp_timeline *t = &p->figure->timeline;
    const double left = swp_emit_svg_x(p, t->steady_from) + 1;
    const double right = swp_emit_svg_x(p, t->steady_until) - 1;
    if (!t->is_steady)
        return;
    swp_text_format(p->text,
                    "<path class=\"bracket\" d=\"M%.1f %.1fV%.1fH%.1fV%.1f\"/>\n"
                    "<text class=\"mid\" x=\"%.1f\" y=\"%.1f\">%" PRId64 "</text>\n",
                    left, p->top + FROM, p->top + TO, right, p->top + FROM, (left + right) / 2,
                    p->top + LABEL_AT, t->steady_until - t->steady_from);
}

static swp_status add_run(swp_svg_panel *p)
{
    enum { PASSES = 40 };
    p->from = 0;
    p->until = p->run_cycles;
    p->is_labelled = false;
    swp_emit_svg_heading(p, "The run",
                         "groups issue, units work; hatched: something holds the group");
    const double above = p->y;
    p->y += PASSES;
    SWP_TRY(swp_emit_svg_groups(p));
    swp_emit_svg_units(p);
    p->top = above;
    add_passes(p);
    add_bracket(p);
    swp_emit_svg_axis(p);
    return SWP_OK;
}

/* --- One interval --- */

/* If the axis is longer than the interval, a line marks where the interval begins again. */
static void add_end(const swp_svg_panel *p)
{
    const int64_t until = p->figure->timeline.steady_until;
    if (until < p->until)
        swp_text_format(p->text, "<path class=\"phase end-of\" d=\"M%.1f %.1fV%.1f\"/>\n",
                        swp_emit_svg_x(p, until), p->top - 6, p->y);
}

static swp_status add_interval(swp_svg_panel *p)
{
    const swp_timeline *t = &p->figure->timeline;
    p->from = t->steady_from;
    p->until = t->steady_from + p->interval_cycles;
    p->is_labelled = true;
    swp_emit_svg_heading(p, "The interval that repeats",
                         "arrows: what a wait waits for; thick: what the cycles come from");
    SWP_TRY(swp_emit_svg_groups(p));
    swp_emit_svg_units(p);
    swp_emit_svg_arrows(p);
    add_end(p);
    swp_emit_svg_axis(p);
    return SWP_OK;
}

static swp_status add_reservations(swp_svg_panel *p)
{
    swp_emit_svg_heading(p, "Modulo reservation table", "units by cycles of the interval");
    SWP_TRY(swp_emit_svg_reservations(p));
    swp_emit_svg_axis(p);
    return SWP_OK;
}

static swp_status add_slots(swp_svg_panel *p)
{
    char *remark = NULL;
    bool any = false;
    for (size_t i = 0; i < p->figure->timeline.slots.count; i++)
        any = any || swp_emit_svg_shows_slot(p, i);
    if (!any)
        return SWP_OK;
    SWP_TRY(swp_format(p->text->ctx, &remark,
                       "the %s that each holds; pale: on its way; full: until it is read last",
                       swp_ir_tile_name(p->figure->schedule)));
    swp_emit_svg_heading(p, "Slots in shared memory", remark);
    SWP_TRY(swp_emit_svg_slots(p));
    swp_emit_svg_axis(p);
    return SWP_OK;
}

/* Draws a key of the legend, and returns where the next one stands. */
static double add_key(swp_svg_panel *p, double x, const char *classes, const char *meaning)
{
    enum { SIZE = 12, GAP = 26, LETTER = 7, LINE = 20 };
    const double width = SIZE + GAP + LETTER * (double)strlen(meaning);
    if (x + width > SWP_SVG_RIGHT) {
        x = 16;
        p->y += LINE;
    }
    swp_text_format(p->text,
                    "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n"
                    "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                    classes, x, p->y - SIZE + 1, SIZE, SIZE, x + SIZE + 5, p->y, meaning);
    return x + width;
}

void swp_emit_svg_legend(swp_svg_panel *p)
{
    enum { ABOVE = 18, CLASS_SIZE = 24 };
    char classes[CLASS_SIZE];
    double x = 16;
    int first = SWP_FIGURE_COLOURS - 1;
    p->y += ABOVE;
    for (int i = 0; i < SWP_FIGURE_COLOURS; i++) {
        const char *meaning = p->figure->colours[i].meaning;
        if (!meaning)
            continue;
        first = i < first ? i : first;
        (void)snprintf(classes, sizeof classes, "c%d", i);
        x = add_key(p, x, classes, meaning);
    }
    x = add_key(p, x, "stall", "held");
    (void)snprintf(classes, sizeof classes, "c%d pale", first);
    x = add_key(p, x, classes, "in flight");
    (void)add_key(p, x, "lane critical", "what the cycles come from");
}

void swp_emit_svg_own_cycles(swp_svg_panel *p)
{
    const swp_timeline *t = &p->figure->timeline;
    p->run_cycles = t->end > 0 ? t->end : 1;
    p->interval_cycles = t->steady_until - t->steady_from;
}

swp_status swp_emit_svg_run(swp_svg_panel *p)
{
    SWP_TRY(add_run(p));
    return p->figure->timeline.is_steady ? add_interval(p) : SWP_OK;
}

swp_status swp_emit_svg_tables(swp_svg_panel *p)
{
    if (p->figure->timeline.is_steady)
        SWP_TRY(add_reservations(p));
    return add_slots(p);
}
