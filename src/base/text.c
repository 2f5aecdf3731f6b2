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
