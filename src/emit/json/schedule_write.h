/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as JSON that can be read back. */
#ifndef SWP_EMIT_JSON_SCHEDULE_WRITE_H
#define SWP_EMIT_JSON_SCHEDULE_WRITE_H

#include "swp/compile.h"

/* Format json. */
swp_status swp_json_emit(swp_context *ctx, const swp_schedule *schedule, char **text,
                         size_t *length);

#endif
