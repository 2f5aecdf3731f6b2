/* SPDX-License-Identifier: Apache-2.0 */
/* Prints commands that can be pasted. */
#ifndef CLI_SHELL_H
#define CLI_SHELL_H

#include <stdio.h>

/* Prints a word of a command, quoted if a shell would make something else of it. */
void shell_print_word(FILE *stream, const char *word);

#endif
