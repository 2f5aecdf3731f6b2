/* SPDX-License-Identifier: Apache-2.0 */
/* The dependence graph of a schedule, for Graphviz. */
#ifndef SWP_EMIT_DRAW_DOT_H
#define SWP_EMIT_DRAW_DOT_H

#include "swp/compile.h"

/* Format dot. */
swp_status swp_emit_dot(swp_context *ctx, const swp_schedule *schedule, char **text,
                        size_t *length);

#endif
