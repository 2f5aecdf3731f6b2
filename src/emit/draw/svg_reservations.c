/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the modulo reservation table of a steady interval: what is kept beyond its end comes again
 * at its beginning (Rau, "Iterative modulo scheduling", 1994). A unit of capacity C has up to C
 * rows.
 */
#include "emit/draw/svg.h"

#include <stdio.h>

enum { ROW = 20, GAP = 8, NAME_BELOW = 5 };

/* A row keeps this from its first cycle in the interval on. */
typedef struct reservation {
    const swp_timeline_use *use;
    int64_t from; /* counted from the begin of the interval */
    int64_t cycles;
    int row;
} reservation;

typedef struct reservations {
    reservation *items;
    size_t count;
    size_t capacity;
} reservations;

static int64_t period_of(const swp_svg_panel *p)
{
    return p->until - p->from;
}

/* Returns whether one begins while the other lasts, also around the end of the interval. */
static bool meets(const swp_svg_panel *p, const reservation *a, const reservation *b)
{
    const int64_t period = period_of(p);
    return (b->from - a->from + period) % period < a->cycles ||
           (a->from - b->from + period) % period < b->cycles;
}

/* Returns the first row in which nothing meets it. */
static int free_row(const swp_svg_panel *p, const reservations *all, const reservation *one)
{
    int row = 0;
    if (p->figure->timeline.units[one->use->unit].capacity == 1)
        return 0;
    for (size_t i = 0; i < all->count;) {
        const bool taken = all->items[i].row == row && meets(p, &all->items[i], one);
        row += taken;
        i = taken ? 0 : i + 1;
    }
    return row;
}

static swp_status collect(const swp_svg_panel *p, int unit, reservations *out)
{
    const swp_timeline *t = &p->figure->timeline;
    for (size_t i = 0; i < t->uses.count; i++) {
        const swp_timeline_use *use = &t->uses.items[i];
        const int64_t cycles = use->until - use->from;
        if (use->unit != unit || cycles <= 0 || use->from < p->from || use->from >= p->until)
            continue;
        reservation one = {.use = use,
                           .from = use->from - p->from,
                           .cycles = cycles < period_of(p) ? cycles : period_of(p)};
        one.row = free_row(p, out, &one);
        SWP_TRY(SWP_PUSH(p->text->ctx, out, one));
    }
    return SWP_OK;
}

/* A reservation that goes on at the beginning is drawn in two parts. */
static void add_reservation(const swp_svg_panel *p, const reservation *r)
{
    enum { LABEL_SIZE = 96, CLASS_SIZE = 24 };
    char classes[CLASS_SIZE];
    char label[LABEL_SIZE];
    const swp_timeline_event *event = &p->figure->timeline.events.items[r->use->event];
    const double y = p->y + ROW * r->row;
    int64_t from = p->from + r->from;
    (void)snprintf(classes, sizeof classes, "c%d edge", swp_emit_figure_colour(p->figure, event));
    (void)snprintf(label, sizeof label, "%s %d", swp_emit_figure_name(p->figure, event),
                   event->tile);
    for (int64_t left = r->cycles; left > 0; from = p->from) {
        const int64_t part = left < p->until - from ? left : p->until - from;
        swp_emit_svg_box(p, classes, from, from + part, y, ROW);
        swp_emit_svg_label(p, "on", from, from + part, y + ROW / 2.0 + NAME_BELOW,
                           event->has_tile ? label : swp_emit_figure_name(p->figure, event));
        left -= part;
    }
}

static void add_unit(swp_svg_panel *p, int unit, const reservations *all)
{
    const swp_timeline *t = &p->figure->timeline;
    int rows = 0;
    for (size_t i = 0; i < all->count; i++)
        rows = all->items[i].row >= rows ? all->items[i].row + 1 : rows;
    swp_emit_svg_name(p, p->y + rows * ROW / 2.0 + NAME_BELOW, t->units[unit].name);
    swp_text_format(p->text,
                    "<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n",
                    unit == t->full_unit ? "lane full" : "lane", SWP_SVG_LEFT, p->y,
                    SWP_SVG_RIGHT - SWP_SVG_LEFT, rows * ROW);
    for (size_t i = 0; i < all->count; i++)
        add_reservation(p, &all->items[i]);
    p->y += rows * ROW + GAP;
}

swp_status swp_emit_svg_reservations(swp_svg_panel *p)
{
    for (size_t unit = 0; unit < p->figure->timeline.unit_count; unit++) {
        reservations all = {0};
        SWP_TRY(collect(p, (int)unit, &all));
        if (all.count > 0)
            add_unit(p, (int)unit, &all);
    }
    return SWP_OK;
}
