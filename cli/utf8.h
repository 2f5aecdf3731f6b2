/* SPDX-License-Identifier: Apache-2.0 */
/* Text from outside may hold anything; what is printed is valid UTF-8 without control characters. */
#ifndef CLI_UTF8_H
#define CLI_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A character of a text: its code point and how many bytes it takes. */
typedef struct utf8_char {
    uint32_t code_point;
    size_t length;
    bool valid; /* otherwise one byte that begins no character */
} utf8_char;

/* The character at the start of a text of at least one byte. */
utf8_char utf8_decode(const char *text, size_t length);

/* Whether printing the character could move a terminal's cursor or change its state. */
bool utf8_is_control(utf8_char c);

#endif
