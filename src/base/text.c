/* SPDX-License-Identifier: Apache-2.0 */
/* Grows texts in the memory of a context; the first failure sticks. */
#include "base/text.h"

#include "swp/character.h"

#include <stdarg.h>
#include <string.h>

static bool reserve(swp_text *text, size_t more)
{
    while (text->status == SWP_OK && text->capacity - text->count < more)
        text->status = swp_list_reserve(text->ctx, (void **)&text->items,
                                        text->capacity ? text->capacity : 0, &text->capacity, 1);
    return text->status == SWP_OK;
}

void swp_text_add(swp_text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length + 1))
        return;
    memcpy(text->items + text->count, bytes, length);
    text->count += length;
}

static void add_arguments(swp_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const size_t length = swp_vprint(NULL, 0, text->escape, format, again);
    va_end(again);
    if (!reserve(text, length + 1))
        return;
    (void)swp_vprint(text->items + text->count, length + 1, text->escape, format, arguments);
    text->count += length;
}

void swp_text_format(swp_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_arguments(text, format, arguments);
    va_end(arguments);
}

static void add_tone(swp_text *text, swp_tone tone)
{
    const char *escape = text->ctx->color ? swp_tone_escape(tone) : "";
    swp_text_add(text, escape, strlen(escape));
}

void swp_text_toned(swp_text *text, swp_tone tone, const char *format, ...)
{
    va_list arguments;
    add_tone(text, tone);
    va_start(arguments, format);
    add_arguments(text, format, arguments);
    va_end(arguments);
    add_tone(text, SWP_TONE_PLAIN);
}

swp_status swp_text_end(swp_text *text, char **out, size_t *length)
{
    swp_text_add(text, "", 0);
    SWP_TRY(text->status);
    text->items[text->count] = '\0';
    *out = text->items;
    if (length)
        *length = text->count;
    return SWP_OK;
}

bool swp_is_utf8(const char *text)
{
    size_t left = text ? strlen(text) : 0;
    while (left > 0) {
        const swp_character c = swp_character_at(text, left);
        if (!c.valid)
            return false;
        text += c.length;
        left -= c.length;
    }
    return text != NULL;
}

bool swp_is_name(const char *text)
{
    size_t left = text ? strlen(text) : 0;
    const bool is_empty = left == 0;
    while (left > 0) {
        const swp_character c = swp_character_at(text, left);
        if (swp_character_acts(c))
            return false;
        text += c.length;
        left -= c.length;
    }
    return !is_empty;
}
