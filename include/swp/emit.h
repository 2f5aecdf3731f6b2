/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file emit.h  A schedule as text, JSON or a graph; and from JSON back.
 */
#ifndef SWP_EMIT_H
#define SWP_EMIT_H

#include "swp/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One row of the table of output formats. */
typedef struct swp_emit_format {
    const char *name;
    const char *meaning;
    /** Writes the schedule; the text, with its length, is owned by the context. */
    swp_status (*emit)(swp_context *ctx, const swp_schedule *schedule, char **text, size_t *length);
} swp_emit_format;

/** All formats of this build: text and dot always, json where jansson is there. */
SWP_API const swp_emit_format *swp_emit_formats(size_t *count);

/** The format of a name, or NULL. */
SWP_API const swp_emit_format *swp_emit_format_find(const char *name);

/** Whether a text looks like JSON and not like YAML: a brace, then a quoted key or nothing. */
SWP_API bool swp_looks_like_json(const char *text, size_t length);

/**
 * Reads what the json format wrote (absent in core-only builds).
 * @param file  for diagnostics
 * @param out   freed by swp_schedule_free(); it has no program, and op names only from the file
 */
SWP_API swp_status swp_schedule_read_json(swp_context *ctx, const char *text, size_t length,
                                          const char *file, swp_schedule **out);

#ifdef __cplusplus
}
#endif
#endif
