/* SPDX-License-Identifier: Apache-2.0 */
/* One problem, or one a line? */
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

static swp_status is_value(swp_context *ctx, const swp_problem_text *text, bool *out)
{
    swp_status status = SWP_OK;
    json_t *value = swp_json_load(ctx, text->text, text->length, 0, NULL, &status);
    json_decref(value);
    *out = value != NULL;
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
    bool any = false;
    for (size_t i = 0; out->count > 1 && i < out->count && !any; i++)
        SWP_TRY(is_value(ctx, &out->items[i], &any));
    /* Text of several lines, none of them a value, is one value or none: jansson says which. */
    if (any)
        return SWP_OK;
    out->count = 0;
    return SWP_PUSH(ctx, out, whole);
}
