/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnostics.h"
#include "utf8.h"

#include <string.h>

static void print_char(FILE *stream, const char *text, utf8_char c)
{
    if (!c.valid)
        (void)fputs("\\ufffd", stream);
    else if (utf8_is_control(c))
        (void)fprintf(stream, "\\u%04x", (unsigned)c.code_point);
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
        const utf8_char c = utf8_decode(value, left);
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
