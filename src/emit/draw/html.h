/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a timeline as one page for a browser. */
#ifndef SWP_EMIT_DRAW_HTML_H
#define SWP_EMIT_DRAW_HTML_H

#include "emit/draw/figure.h"

/* Writes format html. */
swp_status swp_emit_html(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length);

/* Does the same for two schedules, A and B, on the same time axis. */
swp_status swp_emit_html_of_two(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                                char **text, size_t *length);

/* Writes a run as an object of JSON that viewer/viewer.js reads; its text escapes for JSON. */
swp_status swp_emit_html_view(swp_text *text, const swp_figure *figure, const char *name);

#endif
