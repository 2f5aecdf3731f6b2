/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows in a context's memory. */
#ifndef SWP_BASE_TEXT_H
#define SWP_BASE_TEXT_H

#include "base/context.h"

/* Zero-initialise but for the context. The first failure sticks and is what swp_text_end() returns. */
typedef struct swp_text {
    swp_context *ctx;
    char *items;
    size_t count;
    size_t capacity;
    swp_status status;
} swp_text;

void swp_text_add(swp_text *text, const char *bytes, size_t length);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void swp_text_format(swp_text *text, const char *format, ...);

/* Hands out the text, ended by a NUL that `length` does not count; `length` may be NULL. */
swp_status swp_text_end(swp_text *text, char **out, size_t *length);

/* False for NULL, too. */
bool swp_is_utf8(const char *text);

#endif
