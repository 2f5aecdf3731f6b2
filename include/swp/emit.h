/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file emit.h  A schedule as text, JSON, a C header, a graph or a timeline; and from JSON back.
 */
#ifndef SWP_EMIT_H
#define SWP_EMIT_H

#include "swp/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One row of the table of output formats. */
typedef struct swp_emit_format {
    const char *name;
    const char *meaning;
    /** Writes the schedule; the text, with its length, is owned by the context. */
    swp_status (*emit)(swp_context *ctx, const swp_schedule *schedule, char **text, size_t *length);
    /** Writes two of them, A and B, beside one another; NULL: the format cannot. */
    swp_status (*emit_two)(swp_context *ctx, const swp_schedule *a, const swp_schedule *b,
                           char **text, size_t *length);
} swp_emit_format;

/** Returns all formats of this build: text, c, dot, svg, html and perfetto always, json if jansson is there. */
SWP_API const swp_emit_format *swp_emit_formats(size_t *count);

/** Returns the format of a name, or NULL. */
SWP_API const swp_emit_format *swp_emit_format_find(const char *name);

/** What the C header of a schedule is made with. Zero-initialised: the defaults. */
typedef struct swp_c_header_options {
    const char
        *prefix; /**< of all its macros, a C identifier; NULL: the schedule's name in capitals */
    const char *input;  /**< what `swp verify` is to be called with, for a hint; NULL: unknown */
    const char *origin; /**< how the header was made, for its comment; NULL: unknown */
    const swp_acceptance *accepted; /**< hazards that are known */
    size_t accepted_count;
    bool allow_unsafe; /**< take every hazard; the header's comment lists them */
} swp_c_header_options;

/**
 * Writes the schedule as macros for a kernel in C, C++ or CUDA (docs/c-header.md). The format `c`
 * is this without options.
 * @param options  NULL: the defaults
 * @return SWP_INFEASIBLE for a schedule that is not proven safe; SWP_INVALID for one that macros or
 * the target's instructions cannot express.
 */
SWP_API swp_status swp_emit_c_header(swp_context *ctx, const swp_schedule *schedule,
                                     const swp_c_header_options *options, char **text,
                                     size_t *length);

/** Returns whether a text looks like JSON and not like YAML: a brace, then a quoted key or nothing. */
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
