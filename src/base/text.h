/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows in a context's memory. What stands in it that is not ours is escaped (base/print.h). */
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

/* Adds what is ours, or escaped already. */
void swp_text_add(swp_text *text, const char *bytes, size_t length);
/* Adds by a format of ours; what %s takes is escaped. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void swp_text_format(swp_text *text, const char *format, ...);

/* The same, in this tone if the context has texts in colour. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void swp_text_toned(swp_text *text, swp_tone tone, const char *format, ...);

/* Hands out the text, ended by a NUL that `length` does not count; `length` may be NULL. */
swp_status swp_text_end(swp_text *text, char **out, size_t *length);

/* What a noun ends in behind a count. */
static inline const char *swp_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* False for NULL, too. */
bool swp_is_utf8(const char *text);

/* What a name is, for who gave none. */
#define SWP_NAME_HINT "a name is UTF-8 without control characters, line ends and marks of direction"

/* Whether a text can be a name: not empty, UTF-8, and of characters that are seen (swp/character.h). */
bool swp_is_name(const char *text);

#endif
