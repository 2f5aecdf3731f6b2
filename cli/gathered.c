/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps results for -o until the exit status is known, and hands all others on. */
#include "gathered.h"

#include "output.h"

#include <stdlib.h>
#include <string.h>

static bool is_kept(const cli_gathered *g)
{
    return g->invocation->output && strcmp(g->invocation->output, "-") != 0;
}

static int keep(cli_gathered *g, const char *text, size_t length)
{
    char *longer = realloc(g->text, g->length + length + 1);
    if (!longer)
        return diagnostics_out_of_memory(&g->invocation->diagnostics);
    memcpy(longer + g->length, text, length);
    g->text = longer;
    g->length += length;
    return EXIT_DONE;
}

void gathered_add(cli_gathered *g, const char *text, size_t length)
{
    if (g->written == EXIT_DONE)
        g->written = is_kept(g) ? keep(g, text, length)
                                : output_write(&g->invocation->diagnostics, NULL, text, length);
}

int gathered_end(cli_gathered *g, int status)
{
    const bool whole = status == EXIT_DONE || status == EXIT_STOPPED;
    if (g->length > 0 && g->written == EXIT_DONE)
        g->written = output_write(&g->invocation->diagnostics, whole ? g->invocation->output : NULL,
                                  g->text, g->length);
    free(g->text);
    g->text = NULL;
    return g->written;
}
