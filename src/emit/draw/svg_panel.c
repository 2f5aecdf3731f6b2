/* SPDX-License-Identifier: Apache-2.0 */
/* Draws boxes, texts, names and the axis of a panel of an SVG. */
#include "emit/draw/svg.h"

#include <inttypes.h>
#include <string.h>

/* These are widths of letters in units, as usual fonts without serifs have them. */
static const double widest = 12;
static const double capital = 9;
static const double letter = 7.6;

double swp_emit_svg_x(const swp_svg_panel *p, int64_t cycle)
{
    const double share = (double)(cycle - p->from) / (double)(p->until - p->from);
    return SWP_SVG_LEFT + share * (SWP_SVG_RIGHT - SWP_SVG_LEFT);
}

bool swp_emit_svg_sees(const swp_svg_panel *p, int64_t from, int64_t until)
{
    return until >= p->from && from < p->until;
}

static double cut(double x)
{
    return x < SWP_SVG_LEFT ? SWP_SVG_LEFT : x > SWP_SVG_RIGHT ? SWP_SVG_RIGHT : x;
}

void swp_emit_svg_box(const swp_svg_panel *p, const char *classes, int64_t from, int64_t until,
                      double y, double height)
{
    const double left = cut(swp_emit_svg_x(p, from));
    const double right = cut(swp_emit_svg_x(p, until));
    const double width = right - left < 1 ? 1 : right - left;
    double *covered = &p->covered[(int)y % SWP_SVG_HEIGHTS];
    if (right - left < 1 && left >= *covered - 1 && right <= *covered)
        return;
    *covered = left + width;
    swp_text_format(p->text,
                    "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"/>\n",
                    classes, left, y, width, height);
}

/* Only the first byte of a code point counts. */
static double width_of(const char *label)
{
    double width = 0;
    for (; *label; label++) {
        const unsigned char c = (unsigned char)*label;
        const bool goes_on = (c & 0xC0U) == 0x80;
        width += goes_on ? 0 : strchr("MWmw", c) ? widest : c >= 'A' && c <= 'Z' ? capital : letter;
    }
    return width;
}

void swp_emit_svg_label(const swp_svg_panel *p, const char *classes, int64_t from, int64_t until,
                        double y, const char *label)
{
    const double left = cut(swp_emit_svg_x(p, from));
    const double right = cut(swp_emit_svg_x(p, until));
    if (width_of(label) + 5 <= right - left)
        swp_text_format(p->text, "<text class=\"%s mid\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                        classes, (left + right) / 2, y, label);
}

/* A name that is too long for its place ends in dots. */
void swp_emit_svg_name(const swp_svg_panel *p, double y, const char *name)
{
    enum { MOST_LETTERS = 16 };
    const char *end = name;
    for (size_t letters = 0; *end; end++) {
        const bool begins = ((unsigned char)*end & 0xC0U) != 0x80;
        if (begins && letters++ == MOST_LETTERS)
            break;
    }
    swp_text_format(p->text, "<text class=\"end\" x=\"%d\" y=\"%.1f\">%.*s%s</text>\n",
                    SWP_SVG_LEFT - 8, y, (int)(end - name), name, *end ? "…" : "");
}

void swp_emit_svg_heading(swp_svg_panel *p, const char *heading, const char *remark)
{
    enum { ABOVE = 30, BELOW = 12 };
    p->y += ABOVE;
    swp_text_format(p->text,
                    "<text class=\"head\" x=\"16\" y=\"%.1f\">%s</text>\n"
                    "<text class=\"dim end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                    p->y, heading, SWP_SVG_RIGHT, p->y, remark);
    p->y += BELOW;
    p->top = p->y;
    for (size_t i = 0; i < SWP_SVG_HEIGHTS; i++)
        p->covered[i] = 0;
}

/* Returns a step of 1, 2 or 5 times a power of ten, so that about ten steps fit. */
static int64_t step_of(int64_t cycles)
{
    enum { MOST_STEPS = 12, TEN = 10 };
    static const int64_t factors[] = {1, 2, 5};
    for (int64_t power = 1;; power *= TEN)
        for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
            if (cycles / (power * factors[i]) <= MOST_STEPS)
                return power * factors[i];
}

/* Cycles are counted from where the panel begins. */
void swp_emit_svg_axis(swp_svg_panel *p)
{
    enum { ABOVE = 15, HEIGHT = 20 };
    const int64_t step = step_of(p->until - p->from);
    for (int64_t cycle = 0; cycle <= p->until - p->from; cycle += step) {
        const double x = swp_emit_svg_x(p, p->from + cycle);
        swp_text_format(p->text,
                        "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n"
                        "<text class=\"dim mid\" x=\"%.1f\" y=\"%.1f\">%" PRId64 "</text>\n",
                        x, p->top, p->y + 3, x, p->y + ABOVE, cycle);
    }
    swp_text_format(p->text, "<text class=\"dim end\" x=\"%d\" y=\"%.1f\">cycle</text>\n",
                    SWP_SVG_LEFT - 8, p->y + ABOVE);
    p->y += HEIGHT;
}
