/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the lanes of a panel: what each group issues and what holds it, what units have in flight,
 * what slots hold.
 */
#include "emit/draw/svg.h"

#include <inttypes.h>
#include <stdio.h>

enum { LANE = 24, LANE_GAP = 8, NAME_BELOW = 5, CLASS_SIZE = 32 };

static const swp_timeline_event *events_of(const swp_svg_panel *p)
{
    return p->figure->timeline.events.items;
}

static void add_stall(const swp_svg_panel *p, const swp_timeline_stall *stall, double y)
{
    if (!swp_emit_svg_sees(p, stall->from, stall->until))
        return;
    const bool is_stuck = events_of(p)[stall->event].is_stuck;
    const bool is_critical = stall->is_critical && !p->is_of_hazard;
    swp_emit_svg_box(p,
                     is_stuck      ? "stall danger"
                     : is_critical ? "stall critical"
                                   : "stall",
                     stall->from, stall->until, y, LANE);
    if (p->is_labelled && !p->is_of_hazard)
        swp_emit_svg_label(p, "on-stall", stall->from, stall->until, y + LANE / 2.0 + NAME_BELOW,
                           swp_emit_figure_name(p->figure, &events_of(p)[stall->event]));
}

/* A mark above the lane, too, shows where the group waits or meets others. */
static void add_issue(const swp_svg_panel *p, const swp_timeline_event *event, double y)
{
    char classes[CLASS_SIZE];
    if (event->is_stuck || !swp_emit_svg_sees(p, event->issued, event->left))
        return;
    const bool is_framed = event->is_critical && !p->is_of_hazard && p->is_labelled;
    (void)snprintf(classes, sizeof classes, "c%d%s", swp_emit_figure_colour(p->figure, event),
                   is_framed ? " critical" : "");
    swp_emit_svg_box(p, classes, event->issued, event->left, y, LANE);
    if (p->is_labelled && !p->is_of_hazard)
        swp_emit_svg_label(p, "on", event->issued, event->left, y + LANE / 2.0 + NAME_BELOW,
                           swp_emit_figure_name(p->figure, event));
}

swp_status swp_emit_svg_groups(swp_svg_panel *p)
{
    const swp_timeline *t = &p->figure->timeline;
    for (size_t g = 0; g < t->group_count; g++) {
        char *name = NULL;
        const double y = p->y + (double)g * (LANE + LANE_GAP);
        SWP_TRY(swp_emit_figure_group(p->text->ctx, p->figure, (int)g, &name));
        swp_emit_svg_name(p, y + LANE / 2.0 + NAME_BELOW, name);
        swp_text_format(p->text,
                        "<rect class=\"lane\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n",
                        SWP_SVG_LEFT, y, SWP_SVG_RIGHT - SWP_SVG_LEFT, LANE);
        p->group_y[g] = y + LANE / 2.0;
    }
    for (size_t i = 0; i < t->stalls.count; i++)
        add_stall(p, &t->stalls.items[i],
                  p->group_y[t->events.items[t->stalls.items[i].event].group] - LANE / 2.0);
    for (size_t i = 0; i < t->events.count; i++)
        add_issue(p, &t->events.items[i], p->group_y[t->events.items[i].group] - LANE / 2.0);
    p->y += (double)t->group_count * (LANE + LANE_GAP);
    return SWP_OK;
}

/* An op is drawn full while it keeps its unit, and pale until it has finished. */
static void add_use(const swp_svg_panel *p, size_t index)
{
    char classes[CLASS_SIZE];
    const swp_timeline_use *use = &p->figure->timeline.uses.items[index];
    const swp_timeline_event *event = &events_of(p)[use->event];
    const double y = p->unit_y[use->unit] + p->row * p->figure->row_of[index];
    const int colour = swp_emit_figure_colour(p->figure, event);
    const double height = p->row > 4 ? p->row - 1 : p->row;
    const int64_t end = swp_emit_figure_use_ends(p->figure, use);
    if (!swp_emit_svg_sees(p, use->from, end))
        return;
    if (event->finished > use->until) {
        (void)snprintf(classes, sizeof classes, "c%d pale", colour);
        swp_emit_svg_box(p, classes, use->until, event->finished, y, height);
    }
    if (use->until > use->from) {
        (void)snprintf(classes, sizeof classes, "c%d%s", colour,
                       event->is_critical && !p->is_of_hazard ? " critical" : " edge");
        swp_emit_svg_box(p, classes, use->from, use->until, y, height);
    }
    if (p->is_labelled && p->row >= SWP_SVG_FONT)
        swp_emit_svg_label(p, use->until > use->from ? "on" : "", use->from,
                           use->until > use->from ? use->until : end,
                           y + p->row / 2 + NAME_BELOW - 1, swp_emit_figure_name(p->figure, event));
}

/* Counts the rows of a unit that have something in sight. */
static int rows_in_sight(const swp_svg_panel *p, size_t unit)
{
    const swp_timeline *t = &p->figure->timeline;
    int rows = 0;
    for (size_t i = 0; i < t->uses.count; i++) {
        const swp_timeline_use *use = &t->uses.items[i];
        if (use->unit == (int)unit && p->figure->row_of[i] >= rows &&
            swp_emit_svg_sees(p, use->from, swp_emit_figure_use_ends(p->figure, use)))
            rows = p->figure->row_of[i] + 1;
    }
    return rows;
}

/* The more rows there are, the lower they are. */
static double row_height(const swp_svg_panel *p)
{
    enum { ALL = 200, MOST = 18, LEAST = 4 };
    int rows = 0;
    for (size_t u = 0; u < p->figure->timeline.unit_count; u++)
        rows += rows_in_sight(p, u);
    const double even = rows > 0 ? (double)ALL / rows : MOST;
    return even > MOST ? MOST : even < LEAST ? LEAST : even;
}

void swp_emit_svg_units(swp_svg_panel *p)
{
    const swp_figure *f = p->figure;
    p->row = row_height(p);
    for (size_t u = 0; u < f->timeline.unit_count; u++) {
        const int rows = rows_in_sight(p, u);
        double height = p->row * rows;
        p->unit_y[u] = p->y;
        if (rows == 0)
            continue;
        if (height < SWP_SVG_FONT)
            height = SWP_SVG_FONT;
        swp_emit_svg_name(p, p->y + height / 2 + NAME_BELOW, f->timeline.units[u].name);
        swp_text_format(p->text,
                        "<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n",
                        (int)u == f->timeline.full_unit ? "lane full" : "lane", SWP_SVG_LEFT, p->y,
                        SWP_SVG_RIGHT - SWP_SVG_LEFT, height);
        p->y += height + LANE_GAP;
    }
    for (size_t i = 0; i < f->timeline.uses.count; i++)
        add_use(p, i);
}

bool swp_emit_svg_shows_slot(const swp_svg_panel *p, size_t slot)
{
    const swp_timeline *t = &p->figure->timeline;
    for (size_t i = 0; i < t->lives.count; i++)
        if (t->lives.items[i].slot == (int)slot && t->slots.items[slot].is_shared &&
            swp_emit_svg_sees(p, t->lives.items[i].from, t->lives.items[i].until))
            return true;
    return false;
}

/* A tile is drawn pale while it is on its way, and full while it can be read. */
static void add_life(const swp_svg_panel *p, const swp_timeline_life *life)
{
    enum { HEIGHT = 16, LABEL_SIZE = 24 };
    char classes[CLASS_SIZE];
    char label[LABEL_SIZE];
    const int colour = swp_emit_figure_colour(p->figure, &events_of(p)[life->maker]);
    if (!swp_emit_svg_sees(p, life->from, life->until))
        return;
    (void)snprintf(label, sizeof label, "%d", life->tile);
    (void)snprintf(classes, sizeof classes, "c%d pale", colour);
    swp_emit_svg_box(p, classes, life->from, life->made, p->y, HEIGHT);
    (void)snprintf(classes, sizeof classes, "c%d edge", colour);
    if (life->until > life->made)
        swp_emit_svg_box(p, classes, life->made, life->until, p->y, HEIGHT);
    swp_emit_svg_label(p, life->until > life->made ? "on" : "",
                       life->until > life->made ? life->made : life->from, life->until,
                       p->y + HEIGHT / 2.0 + NAME_BELOW, label);
}

swp_status swp_emit_svg_slots(swp_svg_panel *p)
{
    enum { ROW = 20 };
    const swp_timeline *t = &p->figure->timeline;
    for (size_t s = 0; s < t->slots.count; s++) {
        swp_text name = {.ctx = p->text->ctx};
        char *shown = NULL;
        if (!swp_emit_svg_shows_slot(p, s))
            continue;
        swp_emit_figure_slot(&name, &t->slots.items[s]);
        SWP_TRY(swp_text_end(&name, &shown, NULL));
        swp_emit_svg_name(p, p->y + ROW / 2.0 + NAME_BELOW - 2, shown);
        for (size_t i = 0; i < t->lives.count; i++)
            if (t->lives.items[i].slot == (int)s)
                add_life(p, &t->lives.items[i]);
        p->y += ROW;
    }
    return SWP_OK;
}
