/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as text, for people. */
#ifndef SWP_EMIT_TEXT_SCHEDULE_H
#define SWP_EMIT_TEXT_SCHEDULE_H

#include "base/text.h"
#include "swp/compile.h"

/* Lines that stand in a summary, too: name and target, and what a pass handles. */
void swp_emit_title_add(swp_text *text, const swp_schedule *schedule);
void swp_emit_extent_add(swp_text *text, const swp_schedule *schedule);

/* How the order of a body came to be; `noun` follows the name of the strategy. */
void swp_emit_order_add(swp_text *text, const swp_schedule *schedule, const char *noun);

/* Format text. */
swp_status swp_emit_text(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length);

#endif
