/* SPDX-License-Identifier: Apache-2.0 */
/* An SVG that is written from top to bottom: a text, and how far down it is. */
#ifndef SWP_EMIT_DRAW_SVG_H
#define SWP_EMIT_DRAW_SVG_H

#include "emit/draw/figure.h"

/* Format svg. */
swp_status swp_emit_svg(swp_context *ctx, const swp_schedule *schedule, char **text,
                        size_t *length);

/* The same of two, A and B, on the same time axis. */
swp_status swp_emit_svg_of_two(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                               char **text, size_t *length);

/* User units. At 800 pixels a text of 13 is 10 pixels high. */
enum {
    SWP_SVG_WIDTH = 1000,
    SWP_SVG_LEFT = 128, /* of the plots; names stand before it */
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
    double *group_y; /* by group: of the middle of its lane */
    double *unit_y;  /* by unit: of the top of its first row */
    double row;      /* height of a row of a unit */
    double *covered; /* by height, modulo SWP_SVG_HEIGHTS: up to where a box has been drawn */
    bool is_labelled;
    bool is_of_hazard;  /* what the cycles come from is of no interest there */
    int64_t run_cycles; /* of the time axes of the run and of the interval, its own or longer */
    int64_t interval_cycles;
    double top;
    double y; /* of what comes next */
} swp_svg_panel;

double swp_emit_svg_x(const swp_svg_panel *panel, int64_t cycle);
/* Whether some of it is in sight. */
bool swp_emit_svg_sees(const swp_svg_panel *panel, int64_t from, int64_t until);
/* A box of classes from one cycle to another, cut at the sides and at least a unit wide; none where it would hide. */
void swp_emit_svg_box(const swp_svg_panel *panel, const char *classes, int64_t from, int64_t until,
                      double y, double height);
/* A text in the middle of such a box, where there is room for it. */
void swp_emit_svg_label(const swp_svg_panel *panel, const char *classes, int64_t from,
                        int64_t until, double y, const char *label);
/* The name of a lane. */
void swp_emit_svg_name(const swp_svg_panel *panel, double y, const char *name);
/* A heading above a panel, with a remark. */
void swp_emit_svg_heading(swp_svg_panel *panel, const char *heading, const char *remark);
/* Lines at round cycles behind all of the panel, with their numbers below it. */
void swp_emit_svg_axis(swp_svg_panel *panel);

/* The lanes of the groups and of the units. */
swp_status swp_emit_svg_groups(swp_svg_panel *panel);
void swp_emit_svg_units(swp_svg_panel *panel);
/* Arrows from what ends a stall to where it ends; and the figure's hazard in red. */
void swp_emit_svg_arrows(const swp_svg_panel *panel);
void swp_emit_svg_hazard(const swp_svg_panel *panel);
/* The modulo reservation table: units by cycles of the interval. */
swp_status swp_emit_svg_reservations(swp_svg_panel *panel);
/* What the slots hold; whether a slot is shared and holds something within sight. */
bool swp_emit_svg_shows_slot(const swp_svg_panel *panel, size_t slot);
swp_status swp_emit_svg_slots(swp_svg_panel *panel);

/* --- Sections --- */

/* The time axes are as long as the figure. */
void swp_emit_svg_own_cycles(swp_svg_panel *panel);
/* The run and, in the steady state, the interval. */
swp_status swp_emit_svg_run(swp_svg_panel *panel);
/* The reservation table of the interval, and the slots. */
swp_status swp_emit_svg_tables(swp_svg_panel *panel);
void swp_emit_svg_legend(swp_svg_panel *panel);
/* A line for each hazard; a section for the first one of each kind. */
void swp_emit_svg_hazard_list(swp_svg_panel *panel, const swp_verdict *verdict);
swp_status swp_emit_svg_hazards(swp_svg_panel *panel, const swp_picture *picture);

#endif
