/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the value of a JSON text with jansson. */
#include "json/decode.h"

#include "base/budget.h"
#include "json/kind.h"

#include <string.h>

/* The part that is still to be read. */
typedef struct source {
    const swp_context *ctx;
    const char *text;
    size_t length;
    swp_status status;
} source;

/* Skips blanks, and moves the place along. */
static source skip_blanks(source from, swp_place *at)
{
    while (from.length > 0 && *from.text && strchr(" \t\r\n", *from.text)) {
        *at = *from.text == '\n' ? (swp_place){at->file, at->line + 1, 1}
                                 : (swp_place){at->file, at->line, at->column + 1};
        from.text++;
        from.length--;
    }
    return from;
}

/*
 * Certificates, answers and problems stand one on a line. If there are several values, the first
 * line tells the file's kind.
 */
static swp_status refuse_lines(swp_context *ctx, const source *from, swp_place first,
                               swp_place second, swp_code code, swp_json_file wanted,
                               const char *otherwise)
{
    const char *end = memchr(from->text, '\n', from->length);
    const size_t length = end ? (size_t)(end - from->text) : from->length;
    swp_json_mismatch mismatch;
    swp_status status = SWP_OK;
    json_t *value = swp_json_load(ctx, from->text, length, 0, NULL, &status);
    const bool is_other = swp_json_mismatches(value, wanted, &mismatch);
    json_decref(value);
    SWP_TRY(status);
    if (is_other)
        return swp_error(ctx, code, first, mismatch.taker, "this is %s, not %s", mismatch.is,
                         mismatch.wanted);
    return swp_error(ctx, SWP_E0110, second,
                     "one value stands here; only `swp solve` takes several, one a line", "%s",
                     otherwise);
}

static swp_status refuse(swp_context *ctx, const json_error_t *error, const source *whole,
                         swp_place at, swp_code code, swp_json_file wanted)
{
    const swp_place place = {at.file, at.line + error->line - 1,
                             error->column > 0 ? error->column : 1};
    const source from = skip_blanks(*whole, &at);
    if (from.length > 0 && *from.text != '{' && *from.text != '[')
        return swp_error(ctx, SWP_E0110, at,
                         "JSON begins with { or [, without a comment before it; a description in "
                         "YAML is for `swp compile`",
                         "this is no JSON");
    switch (json_error_code(error)) {
    case json_error_duplicate_key:
        return swp_error(ctx, code, place, "keep one of the two", "%s", error->text);
    case json_error_numeric_overflow:
        return swp_error(ctx, code, place, "an integer has 64 bits", "%s", error->text);
    case json_error_null_character:
        return swp_error(ctx, code, place, "take the \\u0000 out",
                         "a text holds the character NUL");
    case json_error_premature_end_of_input:
        return swp_error(ctx, SWP_E0110, place, "is the file whole?", "%s", error->text);
    case json_error_invalid_utf8:
        return swp_error(ctx, SWP_E0110, place, "JSON is UTF-8", "%s", error->text);
    case json_error_end_of_input_expected:
        return refuse_lines(ctx, &from, at, place, code, wanted, error->text);
    default:
        return swp_error(ctx, SWP_E0110, place,
                         "JSON has double quotes around keys and texts, a comma between two "
                         "members and none behind the last, and no comments",
                         "%s", error->text);
    }
}

/* Uses the hash of Fowler, Noll and Vo, so that values which differ by a lost character are told apart. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t hash_value(uint64_t hash, json_t *value)
{
    const json_type type = json_typeof(value);
    hash = hash_bytes(hash, &type, sizeof type);
    if (type == JSON_STRING)
        return hash_bytes(hash, json_string_value(value), json_string_length(value));
    if (type == JSON_INTEGER) {
        const json_int_t number = json_integer_value(value);
        return hash_bytes(hash, &number, sizeof number);
    }
    if (type == JSON_REAL) {
        const double number = json_real_value(value);
        return hash_bytes(hash, &number, sizeof number);
    }
    const size_t count = json_array_size(value) + json_object_size(value);
    hash = hash_bytes(hash, &count, sizeof count);
    for (size_t i = 0; i < json_array_size(value); i++)
        hash = hash_value(hash, json_array_get(value, i));
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
        const char *key = json_object_iter_key(at);
        hash = hash_bytes(hash, key, strlen(key) + 1);
        hash = hash_value(hash, json_object_iter_value(at));
    }
    return hash;
}

enum { STEPS_OF_A_BYTE = 10 };

static size_t hand_on(void *buffer, size_t room, void *user)
{
    source *from = user;
    const size_t count = from->length < room ? from->length : room;
    from->status = swp_keep_on(from->ctx, STEPS_OF_A_BYTE * count);
    if (from->status != SWP_OK)
        return (size_t)-1;
    if (count > 0)
        memcpy(buffer, from->text, count);
    from->text += count;
    from->length -= count;
    return count;
}

json_t *swp_json_load(const swp_context *ctx, const char *text, size_t length, size_t flags,
                      json_error_t *error, swp_status *status)
{
    source from = {.ctx = ctx, .text = text, .length = length};
    json_t *value = json_load_callback(hand_on, &from, flags, error);
    *status = from.status;
    return value;
}

/* Reads the text once: returns its value, or NULL, and sets what tells it from another reading. */
static json_t *read_once(const source *from, json_error_t *error, uint64_t *mark,
                         swp_status *status)
{
    json_t *value =
        swp_json_load(from->ctx, from->text, from->length, JSON_REJECT_DUPLICATES, error, status);
    *mark = value ? hash_value(UINT64_C(14695981039346656037), value) : (uint64_t)error->position;
    return value;
}

/*
 * If memory runs out, jansson 2.14 gives no error, or blames the token that it could not keep, or
 * loses a character and goes on. So the text is read twice, and only a result on which both
 * readings agree counts. The first value is freed before the second reading, since it takes ten
 * times the memory of its text.
 */
swp_status swp_json_parse(swp_context *ctx, const char *text, size_t length, swp_place at,
                          swp_code code, swp_json_file wanted, json_t **root)
{
    json_error_t first_error;
    json_error_t error;
    uint64_t first_mark = 0;
    uint64_t mark = 0;
    const source from = {.ctx = ctx, .text = text, .length = length};
    swp_status status = SWP_OK;
    json_t *first = read_once(&from, &first_error, &first_mark, &status);
    const bool is_value = first != NULL;
    json_decref(first);
    *root = status == SWP_OK ? read_once(&from, &error, &mark, &status) : NULL;
    const bool agree = is_value == (*root != NULL) && mark == first_mark;
    if (agree && is_value && status == SWP_OK)
        return SWP_OK;
    json_decref(*root);
    *root = NULL;
    SWP_TRY(status);
    return agree && first_error.text[0] != '\0' ? refuse(ctx, &error, &from, at, code, wanted)
                                                : swp_out_of_memory(ctx);
}
