/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers results that come one after the other, if only the end says whether they may be written to -o. */
#ifndef CLI_GATHERED_H
#define CLI_GATHERED_H

#include "invocation.h"

typedef struct cli_gathered {
    const cli_invocation *invocation;
    char *text; /* the part that is not written yet */
    size_t length;
    int written; /* exit status of the writing so far */
} cli_gathered;

/* Writes a text to standard output at once, or keeps it for -o. */
void gathered_add(cli_gathered *g, const char *text, size_t length);

/*
 * Writes what is kept: to -o if the exit status says that it is whole, else to standard output.
 * Returns the exit status of the writing.
 */
int gathered_end(cli_gathered *g, int status);

#endif
