/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the line of the source that a diagnostic is about, with a caret, cut to a width that
 * terminals have.
 */
#include "diagnostics.h"

#include "swp/character.h"

#include <string.h>

/* So many characters of a long line are shown, and at most so many of them before the caret. */
enum { WIDEST_EXCERPT = 110, BEFORE_CARET = 70 };

typedef struct excerpt {
    const char *text;
    size_t length;
    int column; /* of the caret, in the part that is shown */
    bool cut_before;
} excerpt;

/*
 * The library keeps the pointer that it was given, and several sources may have the same name (each
 * --set has), so the pointer says which one is meant.
 */
static const cli_source *find_source(const cli_diagnostics *to, const char *name)
{
    const cli_source *found = to->sources;
    while (found && found->name != name)
        found = found->next;
    return found;
}

static bool find_line(const cli_source *from, int number, excerpt *line)
{
    const char *start = from->text;
    const char *end = from->text + from->length;
    for (int i = 1; i < number; i++) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        if (!newline)
            return false;
        start = newline + 1;
    }
    const char *newline = start == end ? NULL : memchr(start, '\n', (size_t)(end - start));
    line->text = start;
    line->length = (size_t)((newline ? newline : end) - start);
    if (line->length && start[line->length - 1] == '\r')
        line->length--;
    return true;
}

/* Columns count characters, as libyaml and jansson do. */
static size_t bytes_of(const char *text, size_t length, int characters)
{
    size_t bytes = 0;
    while (bytes < length && characters-- > 0)
        bytes += swp_character_at(text + bytes, length - bytes).length;
    return bytes;
}

static void shorten(excerpt *line)
{
    if (line->column > WIDEST_EXCERPT - 10) {
        const int skipped = line->column - BEFORE_CARET;
        const size_t bytes = bytes_of(line->text, line->length, skipped);
        line->text += bytes;
        line->length -= bytes;
        line->column -= skipped;
        line->cut_before = true;
    }
    line->length = bytes_of(line->text, line->length, WIDEST_EXCERPT);
}

/* Writes a character as the excerpt shows it; returns how many bytes of the line it takes. */
static size_t show_character(const excerpt *line, size_t at, char shown[SWP_SHOWN_SIZE])
{
    const swp_character c = swp_character_show(line->text + at, line->length - at, shown);
    if (c.valid && c.code_point == '\t')
        (void)snprintf(shown, SWP_SHOWN_SIZE, "\t");
    return c.length;
}

static void print_line(FILE *stream, const excerpt *line)
{
    char shown[SWP_SHOWN_SIZE];
    for (size_t i = 0; i < line->length;) {
        i += show_character(line, i, shown);
        (void)fputs(shown, stream);
    }
}

/* Tabs stay tabs, so that the caret stands under its character whatever their width. */
static void print_blank(FILE *stream, const char *shown)
{
    const bool is_escape = shown[0] == '\\' && shown[1];
    const int columns = is_escape ? (int)strlen(shown) : 1;
    (void)fprintf(stream, "%*s", columns, shown[0] == '\t' ? "\t" : " ");
}

static void print_indent(FILE *stream, const excerpt *line)
{
    char shown[SWP_SHOWN_SIZE] = " ";
    size_t i = 0;
    for (int column = 1; column < line->column; column++) {
        if (i < line->length)
            i += show_character(line, i, shown);
        else
            (void)snprintf(shown, sizeof shown, " ");
        print_blank(stream, shown);
    }
}

void diagnostics_print_excerpt(const cli_diagnostics *to, const swp_place *place)
{
    const cli_source *from = place->file ? find_source(to, place->file) : NULL;
    excerpt line = {.column = place->column};
    if (!from || place->line < 1 || place->column < 1 || !find_line(from, place->line, &line))
        return;
    shorten(&line);
    const char *cut = line.cut_before ? "..." : "";
    (void)fprintf(to->stream, "%5d | %s", place->line, cut);
    print_line(to->stream, &line);
    (void)fprintf(to->stream, "\n      | %*s", (int)strlen(cut), "");
    print_indent(to->stream, &line);
    (void)fprintf(to->stream, "%s^%s\n", diagnostics_tone(to, SWP_TONE_GOOD),
                  diagnostics_tone(to, SWP_TONE_PLAIN));
}
