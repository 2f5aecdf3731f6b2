/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every text from outside enters an output through this one way. Formats are ours. What %s puts
 * into them may come from anywhere, so it is escaped for the kind of output. Text that jansson
 * encodes also goes through swp_escape_json().
 */
#ifndef SWP_BASE_PRINT_H
#define SWP_BASE_PRINT_H

#include <stdarg.h>
#include <stddef.h>

typedef enum swp_escape {
    SWP_ESCAPE_TEXT,      /* for a reader: as swp_character_show() */
    SWP_ESCAPE_C_COMMENT, /* for a comment of C: what could end it, or a line of it, is `_` */
    SWP_ESCAPE_DOT,       /* for a quoted string of dot */
    SWP_ESCAPE_MARKUP,    /* for text and attributes of XML and HTML */
    SWP_ESCAPE_JSON,      /* for a string of JSON, also where that stands in a script of HTML */
} swp_escape;

/*
 * Works as vsnprintf(), but escapes what %s takes, and counts widths in characters. It knows the
 * conversions d i u x X o c s f g e and %, with any flags, width and precision, and the lengths l,
 * ll, z, t and j.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 0)))
#endif
size_t
swp_vprint(char *out, size_t size, swp_escape escape, const char *format, va_list arguments);

/* Room for one character in JSON, with its NUL: two surrogates. */
enum { SWP_JSON_SHOWN_SIZE = 13 };

/*
 * Writes a character of encoded JSON as it may be shown: itself, or an escape of JSON if it acts.
 * Layout, which is ASCII, stays as it is. Returns how many bytes were read.
 */
size_t swp_escape_json(const char *text, size_t length, char shown[SWP_JSON_SHOWN_SIZE]);

#endif
