/* SPDX-License-Identifier: Apache-2.0 */
/* Prints diagnostics on standard error, as a compiler does or as JSON lines. */
#ifndef CLI_DIAGNOSTICS_H
#define CLI_DIAGNOSTICS_H

#include "codes.h"

#include "swp/tone.h"

#include <stdio.h>

/* A text that diagnostics may point into; `name` is what their places carry as `file`. */
typedef struct cli_source {
    const char *name;
    const char *text;
    size_t length;
    const struct cli_source *next;
} cli_source;

typedef enum cli_diagnostics_style { DIAGNOSTICS_TEXT, DIAGNOSTICS_JSON } cli_diagnostics_style;

typedef struct cli_diagnostics {
    FILE *stream;
    cli_diagnostics_style style;
    bool color;
    const cli_source *sources;
    const char *
        of; /* what diagnostics of the library without a place are about: a file; NULL: the command */
} cli_diagnostics;

/* Lets later diagnostics show lines of the text; it must stay where it is. */
void diagnostics_add_source(cli_diagnostics *to, cli_source *text);

void diagnostics_print(const cli_diagnostics *to, const swp_diag *diag);

/* Prints a diagnostic of the library. If it has no place, it is about what `of` says. */
void diagnostics_relay(const cli_diagnostics *to, const swp_diag *diag);

/* Prints what the context has gathered, and makes it forget that. */
void diagnostics_flush(const cli_diagnostics *to, swp_context *ctx);

/* Prints an error of the command's own and returns the exit status for it. */
__attribute__((format(printf, 4, 5))) int diagnostics_fail(const cli_diagnostics *to, cli_code code,
                                                           const char *hint, const char *format,
                                                           ...);

/* Says that a file could not be waited for any longer; returns an exit status. */
int diagnostics_stopped(const cli_diagnostics *to, const char *path);

int diagnostics_out_of_memory(const cli_diagnostics *to);

/* Prints one JSON object and a newline. */
void diagnostics_print_json(FILE *stream, const swp_diag *diag);

/* Returns what begins a tone if diagnostics have colour, else "". */
const char *diagnostics_tone(const cli_diagnostics *to, swp_tone tone);

/* Prints the line that a diagnostic points to, and a caret under the place. */
void diagnostics_print_excerpt(const cli_diagnostics *to, const swp_place *place);

#endif
