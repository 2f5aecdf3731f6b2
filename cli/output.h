/* SPDX-License-Identifier: Apache-2.0 */
/* Writes results: whole or not at all, and never silently less. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "diagnostics.h"

/* Must be called before anything is opened. */
void output_prepare(void);

/*
 * Checks whether `path` can probably be written, so that a mistyped one is found before a long
 * search. NULL and "-" stand for standard output. Returns an exit status.
 */
int output_check(const cli_diagnostics *to, const char *path);

/* Returns whether a path, or NULL, stands for standard output. */
bool output_is_standard(const char *path);

/* Writes a text to `path`; returns an exit status. */
int output_write(const cli_diagnostics *to, const char *path, const char *text, size_t length);

/*
 * Returns what `print` writes with stdio, which the caller frees, or NULL if memory ran out.
 * `print` gets `user`.
 */
char *output_capture(void (*print)(FILE *stream, const void *user), const void *user,
                     size_t *length);

/* Writes what `print` writes to `path`; returns an exit status. */
int output_print(const cli_diagnostics *to, const char *path,
                 void (*print)(FILE *stream, const void *user), const void *user);

#endif
