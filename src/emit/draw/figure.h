/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prepares what all pictures of a timeline share: names, colours, and the row of its unit in which
 * an op stands.
 */
#ifndef SWP_EMIT_DRAW_FIGURE_H
#define SWP_EMIT_DRAW_FIGURE_H

#include "base/text.h"
#include "swp/timeline.h"

/* These colours can be told apart by colour-blind people (Okabe and Ito), in light and in dark. */
enum {
    SWP_FIGURE_HUES = 6,
    SWP_FIGURE_SYNC = SWP_FIGURE_HUES,
    SWP_FIGURE_FENCE,
    SWP_FIGURE_COLOURS
};

/* What an event is drawn as. */
typedef struct swp_figure_colour {
    const char *meaning; /* NULL: no event has it */
    bool is_used;
} swp_figure_colour;

/* A run. If it shows a hazard, it has the two events that nothing orders. */
typedef struct swp_figure {
    const swp_schedule *schedule;
    swp_timeline timeline;
    int *use_of; /* by event: its first use; -1: none */
    int *row_of; /* by use: its row among those of its unit */
    swp_figure_colour colours[SWP_FIGURE_COLOURS];
    const swp_hazard *hazard; /* NULL: none */
    int hazard_event;         /* -1: not within this run */
    int hazard_other;         /* -1: there is none */
} swp_figure;

/* The first hazard of each kind has a run of its own; the others are only listed. */
enum { SWP_PICTURE_HAZARDS = 4 };

/* A schedule's run, and the shortest runs that show its hazards. */
typedef struct swp_picture {
    swp_figure run;
    bool is_judged; /* the proof had an answer */
    swp_verdict verdict;
    swp_figure hazards[SWP_PICTURE_HAZARDS];
    size_t hazard_count;
    swp_context *proof; /* owns the verdict */
} swp_picture;

/*
 * Makes the picture. Apart from the verdict, what it owns lives as long as the context. It must be
 * freed whatever the status.
 */
swp_status swp_emit_picture(swp_context *ctx, const swp_schedule *schedule, swp_picture *out);
swp_status swp_emit_two_pictures(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                 swp_picture out[2]);
void swp_emit_picture_free(swp_picture *picture);

/* Makes a run of so many tiles; 0: as many as pictures show. */
swp_status swp_emit_figure(swp_context *ctx, const swp_schedule *schedule, int tiles,
                           swp_figure *out);

/* Returns how many ops a unit has in flight at most. */
int swp_emit_figure_rows(const swp_figure *figure, int unit);

/* Returns when an op has finished and left its unit. */
int64_t swp_emit_figure_use_ends(const swp_figure *figure, const swp_timeline_use *use);

/* Writes a group as "producer 0" or "group 1". */
swp_status swp_emit_figure_group(swp_context *ctx, const swp_figure *figure, int group, char **out);

/* Returns the op's name, or "barrier" for a barrier that is no entry. */
const char *swp_emit_figure_name(const swp_figure *figure, const swp_timeline_event *event);

/* Returns the number of its colour. */
int swp_emit_figure_colour(const swp_figure *figure, const swp_timeline_event *event);

/* Writes a pass as "pass 2", or "prologue". */
void swp_emit_figure_pass(swp_text *text, const swp_figure *figure, int pass);

/* Writes a slot as "A[1]", or "A[1] sub 0". */
void swp_emit_figure_slot(swp_text *text, const swp_timeline_slot *slot);

/* Returns whether an op waits, meets or arrives, and computes nothing. */
bool swp_emit_figure_is_sync(const swp_figure *figure, const swp_timeline_event *event);

/* Writes the cycles of the steady state and what holds them, or why there is none. */
void swp_emit_figure_summary(swp_text *text, const swp_figure *figure);

/* Writes a hazard: "stale_read: kernel entry 11 (MMA_LOAD_B) and kernel entry 28". */
void swp_emit_figure_hazard(swp_text *text, const swp_hazard *hazard);

/*
 * Returns the event with which the next pass after `after` begins; NULL asks for the first pass.
 * The passes are those of the first group that has any. If there is none, returns the count of
 * events.
 */
size_t swp_emit_figure_next_pass(const swp_figure *figure, const swp_timeline_event *after);

/* Finds the cycles between which a hazard's two entries are seen, with some room at their sides. */
void swp_emit_figure_look(const swp_figure *figure, int64_t *from, int64_t *until);

#endif
