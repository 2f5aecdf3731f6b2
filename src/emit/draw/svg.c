/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline as a static picture: the whole run, one interval with what holds it, its reservation table, its slots. */
#include "emit/draw/svg.h"

#include "base/require.h"
#include "ir/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Dark where the reader's system is; print has light paper. */
static const char style[] =
    "<style>\n"
    "svg{--ink:#1b1f24;--dim:#57606a;--paper:#fff;--lane:#f3f4f6;--stall:#8a929c;"
    "--red:#b5132b;--h0:#e69f00;--h1:#56b4e9;--h2:#17a57c;--h3:#b969a0;--h4:#e0cf2a;--h5:#b58a62;"
    "--sync:#3d4650;--fence:#b9c0c8;--on:#fff}\n"
    "@media (prefers-color-scheme:dark){svg{--ink:#e8eaed;--dim:#a5adb7;--paper:#14171a;"
    "--lane:#22262b;--stall:#7d8691;--red:#ff6b7d;--h0:#e69f00;--h1:#56b4e9;"
    "--h2:#2fc193;--h3:#d58fbf;--h4:#e5d94a;--h5:#c79a70;--sync:#c9d0d8;--fence:#69727c}}\n"
    "text{font:13px system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:var(--ink)}\n"
    ".title{font-size:18px;font-weight:600}.head{font-weight:600;font-size:14px}\n"
    ".dim{fill:var(--dim)}.mid{text-anchor:middle}.end{text-anchor:end}\n"
    ".paper{fill:var(--paper)}.lane{fill:var(--lane)}.grid{stroke:var(--ink);opacity:.13;fill:none}"
    "\n"
    ".c0{fill:var(--h0)}.c1{fill:var(--h1)}.c2{fill:var(--h2)}.c3{fill:var(--h3)}"
    ".c4{fill:var(--h4)}.c5{fill:var(--h5)}.c6{fill:var(--sync)}.c7{fill:var(--fence)}\n"
    ".pale{opacity:.38}.edge{stroke:var(--paper);stroke-width:.8}\n"
    ".stall{fill:url(#hatch)}.critical{stroke:var(--ink);stroke-width:1.6}\n"
    ".full{stroke:var(--ink);stroke-width:2}\n"
    ".on{fill:#111}.on-stall,.halo{paint-order:stroke;stroke:var(--paper);stroke-width:4px}\n"
    ".arrow{fill:none;stroke:var(--dim);stroke-width:1}.bound{stroke:var(--ink);stroke-width:2}\n"
    ".phase{stroke:var(--dim);stroke-dasharray:3 3}.bracket{fill:none;stroke:var(--ink);"
    "stroke-width:1.5}\n"
    ".frame{fill:none}.danger{stroke:var(--red);stroke-width:2}\n"
    ".missing{fill:none;stroke:var(--red);stroke-width:2.5;stroke-dasharray:6 4}\n"
    ".red{fill:var(--red)}\n"
    "</style>\n"
    "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><path d=\"M1 0V5\" style=\"stroke:var(--stall);"
    "stroke-width:1.3\"/></pattern>\n"
    "<marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
    "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
    "style=\"fill:var(--dim)\"/></marker>\n"
    "<marker id=\"head-red\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"5\" "
    "markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
    "style=\"fill:var(--red)\"/></marker>\n"
    "<marker id=\"head-bound\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"5\" "
    "markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
    "style=\"fill:var(--ink)\"/></marker></defs>\n";

static void add_title(swp_svg_panel *p)
{
    const swp_figure *f = p->figure;
    const char *target = f->schedule->target;
    enum { TITLE_AT = 30, LINE_AT = 50 };
    swp_text_format(p->text, "<text class=\"title\" x=\"16\" y=\"%d\">%s%s%s</text>\n", TITLE_AT,
                    swp_schedule_title(f->schedule), target && target[0] ? " for " : "",
                    target ? target : "");
    swp_text_format(p->text, "<text class=\"dim\" x=\"16\" y=\"%d\">", LINE_AT);
    swp_emit_figure_summary(p->text, f);
    swp_text_format(p->text, "</text>\n");
    p->y = LINE_AT;
}

/* --- The whole run --- */

/* A name that the next one would cover is left away. */
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
    const swp_timeline *t = &p->figure->timeline;
    p->from = 0;
    p->until = t->end > 0 ? t->end : 1;
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

static swp_status add_interval(swp_svg_panel *p)
{
    const swp_timeline *t = &p->figure->timeline;
    p->from = t->steady_from;
    p->until = t->steady_until;
    p->is_labelled = true;
    swp_emit_svg_heading(p, "The interval that repeats",
                         "arrows: what a wait waits for; thick: what the cycles come from");
    SWP_TRY(swp_emit_svg_groups(p));
    swp_emit_svg_units(p);
    swp_emit_svg_arrows(p);
    swp_emit_svg_axis(p);
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

/* Where the next one stands. */
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

static void add_legend(swp_svg_panel *p)
{
    enum { ABOVE = 18, CLASS_SIZE = 16 };
    char classes[CLASS_SIZE];
    double x = 16;
    p->y += ABOVE;
    for (int i = 0; i < SWP_FIGURE_COLOURS; i++) {
        const char *meaning = p->figure->colours[i].meaning;
        if (!meaning)
            continue;
        (void)snprintf(classes, sizeof classes, "c%d", i);
        x = add_key(p, x, classes, meaning);
    }
    x = add_key(p, x, "stall", "held");
    x = add_key(p, x, "c1 pale", "in flight");
    (void)add_key(p, x, "lane critical", "what the cycles come from");
}

/* --- Hazards --- */

static void add_hazard_line(swp_svg_panel *p, const swp_hazard *hazard)
{
    enum { LINE = 18 };
    p->y += LINE;
    swp_text_format(p->text, "<text class=\"red\" x=\"16\" y=\"%.1f\">", p->y);
    swp_emit_figure_hazard(p->text, hazard);
    swp_text_format(p->text, "</text>\n");
}

static void add_hazard_list(swp_svg_panel *p, const swp_verdict *verdict)
{
    enum { MOST = 8, LINE = 18 };
    for (size_t i = 0; i < verdict->hazards.count && i < MOST; i++)
        add_hazard_line(p, &verdict->hazards.items[i]);
    if (verdict->hazards.count <= MOST)
        return;
    p->y += LINE;
    swp_text_format(p->text,
                    "<text class=\"red\" x=\"16\" y=\"%.1f\">and %zu hazards more: `swp verify` "
                    "lists all</text>\n",
                    p->y, verdict->hazards.count - MOST);
}

static swp_status add_hazard(swp_svg_panel *p)
{
    enum { ROOM = 24 };
    const swp_hazard *hazard = p->figure->hazard;
    char *heading = NULL;
    char *remark = NULL;
    swp_context *ctx = p->text->ctx;
    SWP_TRY(swp_format(ctx, &heading, "Hazard: %s", swp_hazard_name(hazard->kind)));
    SWP_TRY(swp_format(
        ctx, &remark,
        hazard->has_other ? "with %d %s%s: nothing orders the two in frames" : "with %d %s%s",
        hazard->smallest_n, swp_ir_tile_name(p->figure->schedule), swp_plural(hazard->smallest_n)));
    swp_emit_figure_look(p->figure, &p->from, &p->until);
    p->is_labelled = true;
    swp_emit_svg_heading(p, heading, remark);
    p->y += ROOM;
    SWP_TRY(swp_emit_svg_groups(p));
    swp_emit_svg_units(p);
    swp_emit_svg_hazard(p);
    swp_emit_svg_axis(p);
    return SWP_OK;
}

/* --- All of it --- */

static swp_status draw_run(swp_svg_panel *p)
{
    const bool is_steady = p->figure->timeline.is_steady;
    SWP_TRY(add_run(p));
    if (is_steady)
        SWP_TRY(add_interval(p));
    return add_slots(p);
}

static swp_status draw(swp_svg_panel *p, const swp_picture *picture)
{
    const swp_timeline *t = &picture->run.timeline;
    SWP_TRY(SWP_TAKE(p->text->ctx, t->group_count, &p->group_y));
    SWP_TRY(SWP_TAKE(p->text->ctx, t->unit_count, &p->unit_y));
    SWP_TRY(SWP_TAKE(p->text->ctx, SWP_SVG_HEIGHTS, &p->covered));
    p->figure = &picture->run;
    add_title(p);
    add_hazard_list(p, &picture->verdict);
    for (size_t i = 0; i < picture->hazard_count; i++) {
        p->figure = &picture->hazards[i];
        p->is_of_hazard = true;
        SWP_TRY(add_hazard(p));
    }
    p->figure = &picture->run;
    p->is_of_hazard = false;
    SWP_TRY(draw_run(p));
    add_legend(p);
    return p->text->status;
}

/* How high it is shows when all else is written, so that it stands in front afterwards. */
static swp_status write(swp_context *ctx, const swp_picture *picture, char **out, size_t *length)
{
    enum { MARGIN = 16 };
    const char *title = swp_schedule_title(picture->run.schedule);
    swp_text body = {.ctx = ctx, .escape = SWP_ESCAPE_MARKUP};
    swp_text text = {.ctx = ctx, .escape = SWP_ESCAPE_MARKUP};
    swp_svg_panel panel = {.text = &body};
    SWP_TRY(draw(&panel, picture));
    const int height = (int)panel.y + MARGIN;
    swp_text_format(&text,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                    "height=\"%d\" role=\"img\">\n<title>Timeline of %s</title>\n",
                    SWP_SVG_WIDTH, height, SWP_SVG_WIDTH, height, title);
    swp_text_add(&text, style, sizeof style - 1);
    swp_text_format(&text, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", SWP_SVG_WIDTH,
                    height);
    if (body.count > 0)
        swp_text_add(&text, body.items, body.count);
    swp_text_format(&text, "</svg>\n");
    return swp_text_end(&text, out, length);
}

swp_status swp_emit_svg(swp_context *ctx, const swp_schedule *schedule, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && text);
    swp_picture picture;
    swp_status status = swp_emit_picture(ctx, schedule, &picture);
    if (status == SWP_OK)
        status = write(ctx, &picture, text, length);
    swp_emit_picture_free(&picture);
    return status;
}
