/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as text, for people. */
#ifndef SWP_EMIT_TEXT_SCHEDULE_H
#define SWP_EMIT_TEXT_SCHEDULE_H

#include "swp/compile.h"

/* Format text. */
swp_status swp_emit_text(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length);

#endif
