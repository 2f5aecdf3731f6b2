/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the sources that diagnostics point into, and prints each diagnostic in the style asked for. */
#include "diagnostics.h"

#include "line.h"

#include "swp/character.h"

#include <stdarg.h>
#include <string.h>

enum { LONGEST_MESSAGE = 4096 };

void diagnostics_add_source(cli_diagnostics *to, cli_source *text)
{
    text->next = to->sources;
    to->sources = text;
}

/* Messages quote names from the input, which must not reach a terminal as they are. */
static void print_harmless(FILE *stream, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        char shown[SWP_SHOWN_SIZE];
        const swp_character c = swp_character_show(text, left, shown);
        (void)fputs(shown, stream);
        text += c.length;
        left -= c.length;
    }
}

const char *diagnostics_tone(const cli_diagnostics *to, swp_tone tone)
{
    return to->color ? swp_tone_escape(tone) : "";
}

static void print_place(const cli_diagnostics *to, const swp_place *place)
{
    (void)fputs(diagnostics_tone(to, SWP_TONE_PLACE), to->stream);
    print_harmless(to->stream, place->file ? place->file : "swp");
    if (place->file && place->line > 0)
        (void)fprintf(to->stream, ":%d:%d", place->line, place->column);
    (void)fprintf(to->stream, ": %s", diagnostics_tone(to, SWP_TONE_PLAIN));
}

static void print_text(const cli_diagnostics *to, const swp_diag *diag)
{
    const bool error = diag->severity == SWP_ERROR;
    print_place(to, &diag->place);
    (void)fprintf(to->stream, "%s%s[%s]:%s ",
                  diagnostics_tone(to, error ? SWP_TONE_BAD : SWP_TONE_WARNING),
                  error ? "error" : "warning", diag->code, diagnostics_tone(to, SWP_TONE_PLAIN));
    print_harmless(to->stream, diag->message);
    (void)fputc('\n', to->stream);
    diagnostics_print_excerpt(to, &diag->place);
    if (!*diag->hint)
        return;
    (void)fprintf(to->stream, "  %shint:%s ", diagnostics_tone(to, SWP_TONE_HINT),
                  diagnostics_tone(to, SWP_TONE_PLAIN));
    print_harmless(to->stream, diag->hint);
    (void)fputc('\n', to->stream);
}

void diagnostics_print(const cli_diagnostics *to, const swp_diag *diag)
{
    line_clear();
    if (to->style == DIAGNOSTICS_JSON)
        diagnostics_print_json(to->stream, diag);
    else
        print_text(to, diag);
}

void diagnostics_relay(const cli_diagnostics *to, const swp_diag *diag)
{
    swp_diag relayed = *diag;
    if (!relayed.place.file)
        relayed.place.file = to->of;
    diagnostics_print(to, &relayed);
}

void diagnostics_flush(const cli_diagnostics *to, swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        diagnostics_relay(to, &diags[i]);
    swp_context_clear_diags(ctx);
}

int diagnostics_fail(const cli_diagnostics *to, cli_code code, const char *hint, const char *format,
                     ...)
{
    char message[LONGEST_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const swp_diag diag = {
        .severity = SWP_ERROR, .code = cli_code_row(code)->code, .message = message, .hint = hint};
    diagnostics_print(to, &diag);
    return EXIT_BAD;
}

int diagnostics_stopped(const cli_diagnostics *to, const char *path)
{
    (void)diagnostics_fail(to, CLI_E0918, "", "stopped while waiting for %s", path);
    return EXIT_STOPPED;
}

int diagnostics_out_of_memory(const cli_diagnostics *to)
{
    diagnostics_print(to, swp_diag_out_of_memory());
    return EXIT_BAD;
}
