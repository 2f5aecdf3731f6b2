/* SPDX-License-Identifier: Apache-2.0 */
/* Puts values in place of the `${...}` of a text. */
#include "describe/yaml_fill.h"

#include "base/text.h"
#include "describe/yaml_hints.h"
#include "describe/yaml_scope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

swp_yaml_slice swp_describe_yaml_slice_of(const swp_yaml_reader *reader, const yaml_node_t *node)
{
    swp_yaml_slice slice = {(const char *)node->data.scalar.value, node->data.scalar.length,
                            swp_describe_yaml_place(reader, node),
                            node->start_mark.line == node->end_mark.line};
    const yaml_scalar_style_t style = node->data.scalar.style;
    if (style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
        slice.place.column += slice.one_line;
    return slice;
}

/* The next `${` from a place in the text on; its length if there is none. */
static size_t find_start(const swp_yaml_slice *text, size_t from)
{
    while (from < text->length &&
           (text->length - from < 2 || text->text[from] != '$' || text->text[from + 1] != '{'))
        from++;
    return from;
}

bool swp_describe_yaml_has_expression(const char *text, size_t length)
{
    return find_start(&(swp_yaml_slice){.text = text, .length = length}, 0) < length;
}

/* The word that an expression is the name of; NULL: it is to be evaluated. */
static const char *word_of(const swp_yaml_scope *scope, const swp_yaml_slice *expression)
{
    const char *text = expression->text;
    size_t length = expression->length;
    for (; length && *text == ' '; length--)
        text++;
    while (length && text[length - 1] == ' ')
        length--;
    const swp_yaml_binding *binding = swp_describe_yaml_binding(scope, text, length);
    return binding ? binding->word : NULL;
}

/* Adds the value of the expression whose `${` stands at `*at`, and moves behind it. */
static swp_status add_value(swp_yaml_scope *scope, const swp_yaml_slice *text, size_t *at,
                            swp_text *out, swp_yaml_filled *filled, bool *found)
{
    const size_t start = *at + 2;
    const char *end = memchr(text->text + start, '}', text->length - start);
    *found = false;
    if (!end)
        return swp_describe_yaml_report(scope->reader, SWP_E0112,
                                        swp_describe_yaml_slice_from(text, *at, 0).place,
                                        SWP_YAML_UNCLOSED_HINT, "`${` lacks its `}`");
    const size_t length = (size_t)(end - text->text) - start;
    const swp_yaml_slice expression = swp_describe_yaml_slice_from(text, start, length);
    const char *word = word_of(scope, &expression);
    filled->whole = !word && *at == 0 && start + length + 1 == text->length;
    *at = start + length + 1;
    if (word) {
        *found = true;
        swp_text_add(out, word, strlen(word));
        return SWP_OK;
    }
    int64_t value = 0;
    SWP_TRY(swp_describe_yaml_evaluate(scope, &expression, &value, found));
    swp_text_format(out, "%lld", (long long)value);
    return SWP_OK;
}

/* With a longest text, and words that have one, no file can stand for any number of bytes. */
enum { LONGEST_TEXT = 65536 };

swp_status swp_describe_yaml_fill(swp_yaml_scope *scope, const swp_yaml_slice *text,
                                  swp_yaml_filled *filled)
{
    swp_text out = {.ctx = scope->reader->ctx};
    char *made = NULL;
    *filled = (swp_yaml_filled){0};
    if (text->length > LONGEST_TEXT)
        return swp_describe_yaml_report(
            scope->reader, SWP_E0105, text->place, "break it into several",
            "a text with `${` in it has %zu bytes, but may have %d", text->length, LONGEST_TEXT);
    for (size_t at = 0;;) {
        const size_t start = find_start(text, at);
        bool found = false;
        swp_text_add(&out, text->text + at, start - at);
        if (start == text->length)
            break;
        at = start;
        SWP_TRY(add_value(scope, text, &at, &out, filled, &found));
        if (!found)
            return SWP_OK;
    }
    SWP_TRY(swp_text_end(&out, &made, &filled->length));
    filled->text = made;
    return SWP_OK;
}

swp_status swp_describe_yaml_fill_number(swp_yaml_scope *scope, const swp_yaml_slice *text,
                                         const char *name, int64_t *number, bool *found)
{
    swp_yaml_filled filled;
    char *end = NULL;
    *found = false;
    SWP_TRY(swp_describe_yaml_fill(scope, text, &filled));
    if (!filled.text)
        return SWP_OK;
    errno = 0;
    const long long value = strtoll(filled.text, &end, 10);
    *found = swp_describe_yaml_is_decimal(filled.text) && strlen(filled.text) == filled.length &&
             errno != ERANGE;
    *number = value;
    if (*found)
        return SWP_OK;
    char *hint = NULL;
    if (errno == ERANGE)
        SWP_TRY(swp_format(scope->reader->ctx, &hint, "numbers have 64 bits"));
    else
        SWP_TRY(swp_describe_yaml_hint_of_number(scope->reader->ctx, filled.text,
                                                 "write an expression in ${ }, such as ${bm * bk}",
                                                 &hint));
    return swp_describe_yaml_report(scope->reader, SWP_E0104, text->place, hint,
                                    "`%s` must be a whole number, not `%s`", name, filled.text);
}
