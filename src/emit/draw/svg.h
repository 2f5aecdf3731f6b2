/* SPDX-License-Identifier: Apache-2.0 */
/* Draws an SVG from top to bottom: a text, and how far down it is. */
#ifndef SWP_EMIT_DRAW_SVG_H
#define SWP_EMIT_DRAW_SVG_H

#include "emit/draw/figure.h"

/* Writes format svg. */
swp_status swp_emit_svg(swp_context *ctx, const swp_schedule *schedule, char **text,
                        size_t *length);

/* Does the same for two schedules, A and B, on the same time axis. */
swp_status swp_emit_svg_of_two(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                               char **text, size_t *length);

/* Lengths are in user units. At a width of 800 pixels a text of 13 is 10 pixels high. */
enum {
    SWP_SVG_WIDTH = 1000,
    SWP_SVG_LEFT = 128, /* left edge of the plots; names stand before it */
    SWP_SVG_RIGHT = 984,
    SWP_SVG_FONT = 13,
    SWP_SVG_HEIGHTS = 1024
};

/* A rectangle in which time runs from left to right. */
typedef struct swp_svg_panel {
    swp_text *text;
    const swp_figure *figure;
    int64_t from;
    int64_t until;
    double *group_y; /* by group: the middle of its lane */
    double *unit_y;  /* by unit: the top of its first row */
    double row;      /* height of a row of a unit */
    double *covered; /* by height, modulo SWP_SVG_HEIGHTS: up to where a box has been drawn */
    bool is_labelled;
    bool is_of_hazard; /* a hazard's panel does not say what the cycles come from */
    int64_t
        run_cycles; /* length of the time axes of the run and of the interval: its own or longer */
    int64_t interval_cycles;
    double top;
    double y; /* where the next part begins */
} swp_svg_panel;

double swp_emit_svg_x(const swp_svg_panel *panel, int64_t cycle);
/* Returns whether some of the time is in sight. */
bool swp_emit_svg_sees(const swp_svg_panel *panel, int64_t from, int64_t until);
/*
 * Draws a box of classes from one cycle to another, cut at the sides and at least a unit wide. A
 * box that would hide is left out.
 */
void swp_emit_svg_box(const swp_svg_panel *panel, const char *classes, int64_t from, int64_t until,
                      double y, double height);
/* Writes a text in the middle of such a box, if there is room for it. */
void swp_emit_svg_label(const swp_svg_panel *panel, const char *classes, int64_t from,
                        int64_t until, double y, const char *label);
/* Writes the name of a lane. */
void swp_emit_svg_name(const swp_svg_panel *panel, double y, const char *name);
/* Writes a heading above a panel, with a remark. */
void swp_emit_svg_heading(swp_svg_panel *panel, const char *heading, const char *remark);
/* Draws lines at round cycles behind all of the panel, with their numbers below it. */
void swp_emit_svg_axis(swp_svg_panel *panel);

/* Draw the lanes of the groups and of the units. */
swp_status swp_emit_svg_groups(swp_svg_panel *panel);
void swp_emit_svg_units(swp_svg_panel *panel);
/* Draw arrows from what ends a stall to where it ends, and the figure's hazard in red. */
void swp_emit_svg_arrows(const swp_svg_panel *panel);
void swp_emit_svg_hazard(const swp_svg_panel *panel);
/* Draws the modulo reservation table: units by cycles of the interval. */
swp_status swp_emit_svg_reservations(swp_svg_panel *panel);
/*
 * The first returns whether a slot is shared and holds something in sight; the second draws what
 * the slots hold.
 */
bool swp_emit_svg_shows_slot(const swp_svg_panel *panel, size_t slot);
swp_status swp_emit_svg_slots(swp_svg_panel *panel);

/* --- Sections --- */

/* Makes the time axes as long as the figure. */
void swp_emit_svg_own_cycles(swp_svg_panel *panel);
/* Draws the run and, in the steady state, the interval. */
swp_status swp_emit_svg_run(swp_svg_panel *panel);
/* Draws the reservation table of the interval, and the slots. */
swp_status swp_emit_svg_tables(swp_svg_panel *panel);
void swp_emit_svg_legend(swp_svg_panel *panel);
/* Writes a line for each hazard; draws a section for the first one of each kind. */
void swp_emit_svg_hazard_list(swp_svg_panel *panel, const swp_verdict *verdict);
swp_status swp_emit_svg_hazards(swp_svg_panel *panel, const swp_picture *picture);

#endif
