/* SPDX-License-Identifier: Apache-2.0 */
/* What the table of formats is made of: a function each. */
#ifndef SWP_EMIT_FORMATS_H
#define SWP_EMIT_FORMATS_H

#include "swp/emit.h"

swp_status swp_emit_text(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length);
swp_status swp_emit_json(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length);
swp_status swp_emit_dot(swp_context *ctx, const swp_schedule *schedule, char **text,
                        size_t *length);
swp_status swp_emit_c(swp_context *ctx, const swp_schedule *schedule, char **text, size_t *length);

#endif
