/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a timeline as a trace for Perfetto's viewer. */
#ifndef SWP_EMIT_DRAW_PERFETTO_H
#define SWP_EMIT_DRAW_PERFETTO_H

#include "emit/draw/figure.h"

/* Writes format perfetto. */
swp_status swp_emit_perfetto(swp_context *ctx, const swp_schedule *schedule, char **text,
                             size_t *length);

#endif
