/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a diagnostic as one line of JSON, with escapes where JSON or a terminal needs them. */
#include "diagnostics.h"

#include "swp/character.h"

#include <string.h>

enum { FIRST_OF_TWO = 0x10000, HIGH = 0xD800, LOW = 0xDC00, LOW_BITS = 10, LOW_MASK = 0x3FF };

static void print_code(FILE *stream, unsigned code)
{
    const unsigned above = code - FIRST_OF_TWO;
    if (code < FIRST_OF_TWO)
        (void)fprintf(stream, "\\u%04x", code);
    else
        (void)fprintf(stream, "\\u%04x\\u%04x", HIGH | above >> LOW_BITS, LOW | (above & LOW_MASK));
}

static void print_char(FILE *stream, const char *text, swp_character c)
{
    if (!c.valid)
        (void)fputs("\\ufffd", stream);
    else if (swp_character_acts(c))
        print_code(stream, c.code_point);
    else if (c.code_point == '"' || c.code_point == '\\')
        (void)fprintf(stream, "\\%c", (int)c.code_point);
    else
        (void)fwrite(text, 1, c.length, stream);
}

static void print_member(FILE *stream, const char *key, const char *value)
{
    (void)fprintf(stream, ", \"%s\": ", key);
    if (!value) {
        (void)fputs("null", stream);
        return;
    }
    (void)fputc('"', stream);
    for (size_t left = strlen(value); left;) {
        const swp_character c = swp_character_at(value, left);
        print_char(stream, value, c);
        value += c.length;
        left -= c.length;
    }
    (void)fputc('"', stream);
}

static void print_number(FILE *stream, const char *key, int value)
{
    if (value > 0)
        (void)fprintf(stream, ", \"%s\": %d", key, value);
    else
        (void)fprintf(stream, ", \"%s\": null", key);
}

void diagnostics_print_json(FILE *stream, const swp_diag *diag)
{
    const swp_place *place = &diag->place;
    (void)fprintf(stream, "{\"severity\": \"%s\"",
                  diag->severity == SWP_ERROR ? "error" : "warning");
    print_member(stream, "code", diag->code);
    print_member(stream, "message", diag->message);
    print_member(stream, "hint", diag->hint);
    print_member(stream, "file", place->file);
    print_number(stream, "line", place->file ? place->line : 0);
    print_number(stream, "column", place->file && place->line > 0 ? place->column : 0);
    (void)fputs("}\n", stream);
}
