/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
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

void swp_text_format(swp_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (!reserve(text, (size_t)length + 1))
        return;
    va_start(arguments, format);
    (void)vsnprintf(text->items + text->count, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->count += (size_t)length;
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

/* Bytes that follow the first of a UTF-8 sequence; -1 where none can start. */
static int continuation_bytes(unsigned char first)
{
    if (first < 0x80)
        return 0;
    if (first < 0xC2 || first > 0xF4)
        return -1;
    return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
}

bool swp_is_utf8(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; c && *c; c++) {
        const unsigned char first = *c;
        const int more = continuation_bytes(first);
        if (more < 0)
            return false;
        /* Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte. */
        const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        for (int i = 0; i < more; i++) {
            c++;
            if (*c < (i == 0 ? least : 0x80) || *c > (i == 0 ? most : 0xBF))
                return false;
        }
    }
    return text != NULL;
}
