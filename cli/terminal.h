/* SPDX-License-Identifier: Apache-2.0 */
/* What a terminal shows. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

/* Whether the user wants colour on what this file descriptor is open to, by what the environment says. */
bool terminal_has_color(int fd);

#endif
