/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file schema.h  JSON Schemas (2020-12) of what the library reads, for editors and other programs.
 *
 * They are absent in core-only builds. A schema knows keys, types, words and ranges. Whether a
 * description makes sense, only swp_description_read_yaml() and swp_description_compile() can say.
 */
#ifndef SWP_SCHEMA_H
#define SWP_SCHEMA_H

#include "swp/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One row of the table of schemas. */
typedef struct swp_schema {
    const char *name;
    const char *meaning;
} swp_schema;

/** Returns the schemas: description, schedule, problem, target. */
SWP_API const swp_schema *swp_schemas(size_t *count);

/**
 * Writes a schema; the text, with its length, is owned by the context.
 * @return SWP_INVALID, with the nearest name as a hint, if there is none of this name
 */
SWP_API swp_status swp_schema_json(swp_context *ctx, const char *name, char **text, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
