/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the table of settings for `swp list`, which has columns of its own. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include <stdio.h>

/* Prints a line for each setting: path, default, values, meaning. */
void list_print_settings(FILE *stream);

#endif
