/* SPDX-License-Identifier: Apache-2.0 */
/* The value of a JSON text. */
#include "emit/json_decode.h"

static swp_status refuse(swp_context *ctx, const json_error_t *error, swp_place at, swp_code code)
{
    const swp_place place = {at.file, at.line + error->line - 1,
                             error->column > 0 ? error->column : 1};
    switch (json_error_code(error)) {
    case json_error_duplicate_key:
    case json_error_numeric_overflow:
        return swp_error(ctx, code, place, NULL, "%s", error->text);
    case json_error_null_character:
        return swp_error(ctx, code, place, "take the \\u0000 out",
                         "a text holds the character NUL");
    case json_error_premature_end_of_input:
        return swp_error(ctx, SWP_E0110, place, "is the file whole?", "%s", error->text);
    default:
        return swp_error(ctx, SWP_E0110, place, NULL, "%s", error->text);
    }
}

/*
 * Where memory runs out, jansson 2.14 gives no error, or blames the token that it could not keep,
 * or loses a character and goes on. What two readings agree on is what the text says.
 */
swp_status swp_json_parse(swp_context *ctx, const char *text, size_t length, swp_place at,
                          swp_code code, json_t **root)
{
    json_error_t error;
    json_error_t other_error;
    *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    json_t *other = json_loadb(text, length, JSON_REJECT_DUPLICATES, &other_error);
    const bool both = *root && other && json_equal(*root, other);
    const bool neither =
        !*root && !other && error.text[0] != '\0' && error.position == other_error.position;
    json_decref(other);
    if (both)
        return SWP_OK;
    json_decref(*root);
    *root = NULL;
    return neither ? refuse(ctx, &error, at, code) : swp_out_of_memory(ctx);
}
