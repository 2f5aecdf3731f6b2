/* SPDX-License-Identifier: Apache-2.0 */
/* Writing results: whole or not at all, and never silently less. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "diagnostics.h"

/* To be called before anything is opened. */
void output_prepare(void);

/*
 * Whether `path` can probably be written, so that a mistyped one is found before a long search.
 * NULL and "-" stand for standard output. Returns an exit status.
 */
int output_check(const cli_diagnostics *to, const char *path);

/* Writes a text to `path`; returns an exit status. */
int output_write(const cli_diagnostics *to, const char *path, const char *text, size_t length);

/*
 * Lets `print` write a text with stdio, then writes it to `path`. `user` is handed to `print`.
 * Returns an exit status.
 */
int output_print(const cli_diagnostics *to, const char *path,
                 void (*print)(FILE *stream, const void *user), const void *user);

#endif
