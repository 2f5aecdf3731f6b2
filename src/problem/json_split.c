/* SPDX-License-Identifier: Apache-2.0 */
/* One problem, or one a line? */
#include "swp/problem.h"

#include "base/context.h"

#include <jansson.h>
#include <string.h>

static bool is_blank(const swp_problem_text *text)
{
    for (size_t i = 0; i < text->length; i++)
        if (!strchr(" \t\r\n", text->text[i]) || text->text[i] == '\0')
            return false;
    return true;
}

static bool is_value(const swp_problem_text *text)
{
    json_t *value = json_loadb(text->text, text->length, 0, NULL);
    json_decref(value);
    return value != NULL;
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
    const swp_problem_text whole = {text, length, {file, 1, 1}};
    SWP_TRY(split_lines(ctx, &whole, out));
    bool any = false;
    for (size_t i = 0; out->count > 1 && i < out->count && !any; i++)
        any = is_value(&out->items[i]);
    /* Text of several lines, none of them a value, is one value or none: jansson says which. */
    if (any)
        return SWP_OK;
    out->count = 0;
    return SWP_PUSH(ctx, out, whole);
}
