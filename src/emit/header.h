/* SPDX-License-Identifier: Apache-2.0 */
/* The C header as a format among others, without options. */
#ifndef SWP_EMIT_HEADER_H
#define SWP_EMIT_HEADER_H

#include "swp/compile.h"

/* Format c: the header with the default options. */
swp_status swp_emit_default_c_header(swp_context *ctx, const swp_schedule *schedule, char **text,
                                     size_t *length);

#endif
