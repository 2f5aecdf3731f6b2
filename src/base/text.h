/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows in a context's memory. Whatever in it comes from outside is escaped (base/print.h). */
#ifndef SWP_BASE_TEXT_H
#define SWP_BASE_TEXT_H

#include "base/context.h"
#include "base/print.h"
#include "swp/tone.h"

#include <stdint.h>

/* Zero-initialise but for the context. The first failure sticks and is what swp_text_end() returns. */
typedef struct swp_text {
    swp_context *ctx;
    char *items;
    size_t count;
    size_t capacity;
    swp_status status;
    swp_escape escape;
} swp_text;

/* Adds a text that is ours, or is already escaped. */
void swp_text_add(swp_text *text, const char *bytes, size_t length);
/* Formats by a format of ours; what %s takes is escaped. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void swp_text_format(swp_text *text, const char *format, ...);

/* Does the same in this tone, if the context colours its texts. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void swp_text_toned(swp_text *text, swp_tone tone, const char *format, ...);

/* Returns the text, ended by a NUL that `length` does not count; `length` may be NULL. */
swp_status swp_text_end(swp_text *text, char **out, size_t *length);

/* Returns the plural ending of a noun that follows a count. */
static inline const char *swp_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* Returns whether the text is UTF-8; NULL is not. */
bool swp_is_utf8(const char *text);

/* The hint of every diagnostic about a bad name. */
#define SWP_NAME_HINT "a name is UTF-8 without control characters, line ends and marks of direction"

/* Returns whether a text can be a name: not empty, UTF-8, and of characters that are seen (swp/character.h). */
bool swp_is_name(const char *text);

#endif
