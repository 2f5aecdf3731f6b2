/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws arrows between lanes: from what ended a stall to where it ended, and between the two
 * entries of a hazard.
 */
#include "emit/draw/svg.h"

/* A reader follows no more arrows than this. */
enum { MOST_ARROWS = 60 };

typedef struct point {
    double x;
    double y;
} point;

static bool is_in(const swp_svg_panel *p, int64_t cycle)
{
    return cycle >= p->from && cycle <= p->until;
}

/* Returns where an event ends: on its unit, if it keeps one, else in its group's lane. */
static point end_of(const swp_svg_panel *p, int number, int64_t *cycle)
{
    const swp_figure *f = p->figure;
    const swp_timeline_event *event = &f->timeline.events.items[number];
    const int use = f->use_of[number];
    *cycle = use >= 0 ? event->finished : event->issued;
    if (use < 0 || event->finished == event->issued)
        return (point){swp_emit_svg_x(p, *cycle), p->group_y[event->group]};
    return (point){swp_emit_svg_x(p, *cycle),
                   p->unit_y[f->timeline.uses.items[use].unit] + p->row * (f->row_of[use] + 0.5)};
}

static void add_arrow(const swp_svg_panel *p, const char *classes, const char *head, point from,
                      point to)
{
    const double bend = to.x - from.x > 40 ? 20 : (to.x - from.x) / 2 + 6;
    swp_text_format(p->text,
                    "<path class=\"%s\" marker-end=\"url(#%s)\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f "
                    "%.1f %.1f\"/>\n",
                    classes, head, from.x, from.y, from.x + bend, from.y, to.x - bend, to.y, to.x,
                    to.y);
}

static bool add_stall_arrow(const swp_svg_panel *p, const swp_timeline_stall *stall)
{
    int64_t cycle = 0;
    if (stall->other < 0 || !is_in(p, stall->until))
        return false;
    const swp_timeline_event *event = &p->figure->timeline.events.items[stall->event];
    const point from = end_of(p, stall->other, &cycle);
    const point to = {swp_emit_svg_x(p, stall->until), p->group_y[event->group]};
    if (!is_in(p, cycle))
        return false;
    add_arrow(p, stall->is_critical ? "arrow bound" : "arrow",
              stall->is_critical ? "head-bound" : "head", from, to);
    return true;
}

void swp_emit_svg_arrows(const swp_svg_panel *p)
{
    const swp_timeline *t = &p->figure->timeline;
    int count = 0;
    for (int critical = 1; critical >= 0; critical--)
        for (size_t i = 0; i < t->stalls.count && count < MOST_ARROWS; i++)
            if (t->stalls.items[i].is_critical == (critical == 1))
                count += add_stall_arrow(p, &t->stalls.items[i]);
}

/* An entry that never issues is drawn where it waits. */
static point place_of(const swp_svg_panel *p, const swp_timeline_event *event)
{
    return (point){swp_emit_svg_x(p, event->is_stuck ? event->ready : event->issued),
                   p->group_y[event->group]};
}

/* The name stands on the side away from the other entry, where swp_emit_figure_look() leaves room. */
static void add_frame(const swp_svg_panel *p, const swp_timeline_event *event, bool is_left)
{
    enum { HALF = 15, HALF_WIDTH = 4, APART = 8, BELOW = 5 };
    const point at = place_of(p, event);
    swp_text_format(
        p->text,
        "<rect class=\"frame danger\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n"
        "<text class=\"red halo%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
        at.x - HALF_WIDTH, at.y - HALF, 2 * HALF_WIDTH, 2 * HALF, is_left ? " end" : "",
        at.x + (is_left ? -APART : APART), at.y + BELOW, swp_emit_figure_name(p->figure, event));
}

/* Draws the two entries in frames, and the missing link between them. */
void swp_emit_svg_hazard(const swp_svg_panel *p)
{
    enum { LIFT = 36 };
    const swp_figure *f = p->figure;
    const swp_timeline_event *at = &f->timeline.events.items[f->hazard_event];
    const swp_timeline_event *other =
        f->hazard_other < 0 ? at : &f->timeline.events.items[f->hazard_other];
    const point to = place_of(p, at);
    const point from = place_of(p, other);
    if (other != at)
        swp_text_format(p->text,
                        "<path class=\"missing\" marker-end=\"url(#head-red)\" "
                        "d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>\n",
                        from.x, from.y, (from.x + to.x) / 2, (from.y + to.y) / 2 - LIFT, to.x,
                        to.y);
    add_frame(p, at, to.x < from.x);
    if (other != at)
        add_frame(p, other, from.x <= to.x);
}
