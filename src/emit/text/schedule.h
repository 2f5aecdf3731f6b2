/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a schedule as text for people. */
#ifndef SWP_EMIT_TEXT_SCHEDULE_H
#define SWP_EMIT_TEXT_SCHEDULE_H

#include "base/text.h"
#include "swp/compile.h"

/* Writes the lines that a summary has, too: name and target, and what a pass handles. */
void swp_emit_title_add(swp_text *text, const swp_schedule *schedule);
void swp_emit_extent_add(swp_text *text, const swp_schedule *schedule);

/* Writes how the order of a body came about; `noun` follows the name of the strategy. */
void swp_emit_order_add(swp_text *text, const swp_schedule *schedule, const char *noun);

/* Writes format text. */
swp_status swp_emit_text(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length);

#endif
