/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws a timeline as a static picture, of one schedule or of two on the same time axis: style,
 * title, sections.
 */
#include "emit/draw/svg.h"

#include "base/require.h"
#include "ir/schedule.h"

/* The picture is dark where the reader's system is; print has light paper. */
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

static void add_title(swp_svg_panel *p, const char *side)
{
    const swp_figure *f = p->figure;
    const char *target = f->schedule->target;
    enum { TITLE_AT = 30, LINE_AT = 20 };
    p->y += TITLE_AT;
    swp_text_format(p->text, "<text class=\"title\" x=\"16\" y=\"%.1f\">%s%s%s%s</text>\n", p->y,
                    side, swp_schedule_title(f->schedule), target && target[0] ? " for " : "",
                    target ? target : "");
    p->y += LINE_AT;
    swp_text_format(p->text, "<text class=\"dim\" x=\"16\" y=\"%.1f\">", p->y);
    swp_emit_figure_summary(p->text, f);
    swp_text_format(p->text, "</text>\n");
}

/* Two runs share a time axis, so one of them may not fill it. */
static swp_status begin(swp_svg_panel *p, const swp_figure *figure)
{
    const swp_timeline *t = &figure->timeline;
    SWP_TRY(SWP_TAKE(p->text->ctx, t->group_count, &p->group_y));
    SWP_TRY(SWP_TAKE(p->text->ctx, t->unit_count, &p->unit_y));
    SWP_TRY(SWP_TAKE(p->text->ctx, SWP_SVG_HEIGHTS, &p->covered));
    p->figure = figure;
    return SWP_OK;
}

static swp_status draw_one(swp_svg_panel *p, const swp_picture *picture)
{
    SWP_TRY(begin(p, &picture->run));
    swp_emit_svg_own_cycles(p);
    add_title(p, "");
    swp_emit_svg_hazard_list(p, &picture->verdict);
    SWP_TRY(swp_emit_svg_hazards(p, picture));
    SWP_TRY(swp_emit_svg_run(p));
    SWP_TRY(swp_emit_svg_tables(p));
    swp_emit_svg_legend(p);
    return p->text->status;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static swp_status draw_two(swp_svg_panel *p, const swp_picture pictures[2])
{
    static const char *const sides[] = {"A: ", "B: "};
    int64_t run_cycles = 0;
    int64_t interval_cycles = 0;
    for (int side = 0; side < 2; side++) {
        p->figure = &pictures[side].run;
        swp_emit_svg_own_cycles(p);
        run_cycles = larger(run_cycles, p->run_cycles);
        interval_cycles = larger(interval_cycles, p->interval_cycles);
    }
    for (int side = 0; side < 2; side++) {
        SWP_TRY(begin(p, &pictures[side].run));
        p->run_cycles = run_cycles;
        p->interval_cycles = interval_cycles;
        add_title(p, sides[side]);
        swp_emit_svg_hazard_list(p, &pictures[side].verdict);
        SWP_TRY(swp_emit_svg_run(p));
        swp_emit_svg_legend(p);
    }
    return p->text->status;
}

/* The height is known only when all else is written, so the head is put in front afterwards. */
static swp_status write(swp_context *ctx, const char *title, const swp_svg_panel *panel, char **out,
                        size_t *length)
{
    enum { MARGIN = 16 };
    const int height = (int)panel->y + MARGIN;
    const swp_text *body = panel->text;
    swp_text text = {.ctx = ctx, .escape = SWP_ESCAPE_MARKUP};
    swp_text_format(&text,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                    "height=\"%d\" style=\"max-width:100%%;height:auto\" role=\"img\">\n"
                    "<title>Timeline of %s</title>\n",
                    SWP_SVG_WIDTH, height, SWP_SVG_WIDTH, height, title);
    swp_text_add(&text, style, sizeof style - 1);
    swp_text_format(&text, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", SWP_SVG_WIDTH,
                    height);
    if (body->count > 0)
        swp_text_add(&text, body->items, body->count);
    swp_text_format(&text, "</svg>\n");
    return swp_text_end(&text, out, length);
}

static swp_status write_one(swp_context *ctx, const swp_picture *picture, char **text,
                            size_t *length)
{
    swp_text body = {.ctx = ctx, .escape = SWP_ESCAPE_MARKUP};
    swp_svg_panel panel = {.text = &body};
    SWP_TRY(draw_one(&panel, picture));
    return write(ctx, swp_schedule_title(picture->run.schedule), &panel, text, length);
}

swp_status swp_emit_svg(swp_context *ctx, const swp_schedule *schedule, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && text);
    swp_picture picture;
    swp_status status = swp_emit_picture(ctx, schedule, &picture);
    if (status == SWP_OK)
        status = write_one(ctx, &picture, text, length);
    swp_emit_picture_free(&picture);
    return status;
}

static swp_status write_two(swp_context *ctx, const swp_picture pictures[2], char **text,
                            size_t *length)
{
    char *title = NULL;
    swp_text body = {.ctx = ctx, .escape = SWP_ESCAPE_MARKUP};
    swp_svg_panel panel = {.text = &body};
    SWP_TRY(draw_two(&panel, pictures));
    SWP_TRY(swp_format(ctx, &title, "%s and %s", swp_schedule_title(pictures[0].run.schedule),
                       swp_schedule_title(pictures[1].run.schedule)));
    return write(ctx, title, &panel, text, length);
}

swp_status swp_emit_svg_of_two(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                               char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && a && b && text);
    swp_picture pictures[2];
    swp_status status = swp_emit_two_pictures(ctx, a, b, pictures);
    if (status == SWP_OK)
        status = write_two(ctx, pictures, text, length);
    swp_emit_picture_free(&pictures[0]);
    swp_emit_picture_free(&pictures[1]);
    return status;
}
