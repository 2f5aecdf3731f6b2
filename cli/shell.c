/* SPDX-License-Identifier: Apache-2.0 */
/* Quotes words as a POSIX shell reads them. */
#include "shell.h"

#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_@%+=:,./-";

void shell_print_word(FILE *stream, const char *word)
{
    if (*word && word[strspn(word, plain)] == '\0') {
        (void)fputs(word, stream);
        return;
    }
    /* A C comment takes no backslash, so a quote is quoted by the other kind. */
    (void)fputc('\'', stream);
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            (void)fputs("'\"'\"'", stream);
        else
            (void)fputc(*c, stream);
    (void)fputc('\'', stream);
}
