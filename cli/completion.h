/* SPDX-License-Identifier: Apache-2.0 */
/* What a shell completes: the words of arguments and of options' values, and one writer for each shell. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "subcommand.h"

/* Prints words, one a line. */
typedef void completion_words(FILE *stream);

/* What stands after an option. */
typedef struct completion_value {
    completion_words *words; /* NULL: no words */
    bool is_file;            /* or the path of one */
    bool goes_on;            /* a word is not the end of it */
} completion_value;

completion_value completion_of_option(cli_option option);

/* What an argument of a subcommand may be. */
completion_value completion_of_argument(const cli_subcommand *subcommand);

/* Prints words with something between them. */
void completion_print_words(FILE *stream, completion_words *words, const char *between);

/* Whether a subcommand takes an option. */
bool completion_takes(const cli_subcommand *subcommand, int option);

/* Writers of whole scripts. */
void completion_bash(FILE *stream, const void *user);
void completion_zsh(FILE *stream, const void *user);
void completion_fish(FILE *stream, const void *user);

#endif
