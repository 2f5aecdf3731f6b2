/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether a text has one problem, or one on each line. */
#include "swp/problem.h"

#include "base/context.h"
#include "base/require.h"
#include "json/decode.h"

#include <string.h>

static bool is_blank(const swp_problem_text *text)
{
    for (size_t i = 0; i < text->length; i++)
        if (!strchr(" \t\r\n", text->text[i]) || text->text[i] == '\0')
            return false;
    return true;
}

/* What a text is. An op of a problem on a line of its own, for instance, is a value, but no item. */
typedef enum text_kind { NO_VALUE, SOME_VALUE, ITEM } text_kind;

static swp_status kind_of(swp_context *ctx, const swp_problem_text *text, text_kind *out)
{
    swp_status status = SWP_OK;
    json_t *value = swp_json_load(ctx, text->text, text->length, 0, NULL, &status);
    const bool is_item = json_object_get(value, "swp") || json_object_get(value, "problem") ||
                         json_object_get(value, "status");
    *out = !value ? NO_VALUE : is_item ? ITEM : SOME_VALUE;
    json_decref(value);
    return status;
}

static swp_status split_lines(swp_context *ctx, const swp_problem_text *whole,
                              swp_problem_texts *out)
{
    swp_problem_text line = {.text = whole->text, .place = whole->place};
    const char *end = whole->text + whole->length;
    while (line.text < end) {
        const char *next = memchr(line.text, '\n', (size_t)(end - line.text));
        line.length = (size_t)((next ? next : end) - line.text);
        if (!is_blank(&line))
            SWP_TRY(SWP_PUSH(ctx, out, line));
        line.text = next ? next + 1 : end;
        line.place.line++;
    }
    return SWP_OK;
}

swp_status swp_problem_split(swp_context *ctx, const char *text, size_t length, const char *file,
                             swp_problem_texts *out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && out);
    text = text ? text : "";
    const swp_problem_text whole = {text, length, {file, 1, 1}};
    SWP_TRY(split_lines(ctx, &whole, out));
    text_kind of_whole = NO_VALUE;
    text_kind of_line = NO_VALUE;
    if (out->count > 1)
        SWP_TRY(kind_of(ctx, &whole, &of_whole));
    for (size_t i = 0; of_whole == NO_VALUE && i < out->count && of_line != ITEM; i++) {
        SWP_TRY(kind_of(ctx, &out->items[i], &of_line));
        if (i == 0 && of_line == SOME_VALUE)
            of_line = ITEM; /* no value of several lines begins with a whole value */
    }
    /* Text of several lines, none of which is an item, is one value or none; jansson will say which. */
    if (of_line == ITEM)
        return SWP_OK;
    out->count = 0;
    return SWP_PUSH(ctx, out, whole);
}
