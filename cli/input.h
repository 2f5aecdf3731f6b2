/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what the command line names: whole files, or standard input. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "diagnostics.h"

/* The name of standard input in diagnostics. */
#define INPUT_STANDARD "<stdin>"

/*
 * Reads a file, or standard input for "-", into `text`, and adds it to the sources of diagnostics;
 * returns an exit status. `if_absent` is the hint if there is no such file. The caller frees
 * text->text, whatever the status.
 */
int input_read(cli_diagnostics *to, const char *path, const char *if_absent, cli_source *text);

/* Says what a file holds, by the ending of its name. */
typedef enum cli_kind { KIND_UNKNOWN, KIND_ASSEMBLY, KIND_JSON, KIND_YAML } cli_kind;

cli_kind input_kind(const char *path);

#endif
