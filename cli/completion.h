/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a shell completes: the words of arguments and of options' values. Each shell has a writer. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "subcommand.h"

/* Prints words, one a line. */
typedef void completion_words(FILE *stream);

/* What stands after an option. */
typedef struct completion_value {
    completion_words *words; /* NULL: no words */
    bool is_file;            /* a path may stand instead */
    bool goes_on;            /* a word may be followed by more */
} completion_value;

completion_value completion_of_option(cli_option option);

/* Returns what an argument of a subcommand may be. */
completion_value completion_of_argument(const cli_subcommand *subcommand);

/* Prints words with something between them. */
void completion_print_words(FILE *stream, completion_words *words, const char *between);

/* Returns whether a subcommand takes an option. */
bool completion_takes(const cli_subcommand *subcommand, int option);

/* Write a whole script each. */
void completion_bash(FILE *stream, const void *user);
void completion_zsh(FILE *stream, const void *user);
void completion_fish(FILE *stream, const void *user);

#endif
