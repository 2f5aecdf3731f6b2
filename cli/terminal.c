/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the environment, as terminals and NO_COLOR have it, whether colour is wanted. */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_has_color(int fd)
{
    const char *terminal = getenv("TERM");
    const char *refusal = getenv("NO_COLOR");
    return isatty(fd) && (!refusal || !*refusal) && terminal && strcmp(terminal, "dumb") != 0;
}
