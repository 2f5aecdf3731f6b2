/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out what a terminal shows. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

/* Returns whether the user wants colour where this file descriptor leads, by what the environment says. */
bool terminal_has_color(int fd);

#endif
