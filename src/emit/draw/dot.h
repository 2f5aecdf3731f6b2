/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the dependence graph of a schedule for Graphviz. */
#ifndef SWP_EMIT_DRAW_DOT_H
#define SWP_EMIT_DRAW_DOT_H

#include "swp/compile.h"

/* Writes format dot. */
swp_status swp_emit_dot(swp_context *ctx, const swp_schedule *schedule, char **text,
                        size_t *length);

#endif
