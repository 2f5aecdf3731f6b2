/* SPDX-License-Identifier: Apache-2.0 */
/* open_memstream(), mkdtemp() */
#define _POSIX_C_SOURCE 200809L

#include "cadical.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(bool holds)
{
    if (!holds)
        abort();
}

bool have_cadical(void)
{
    const bool found = system("cadical --version >/dev/null 2>&1") == 0;
    if (!found)
        printf("no program cadical: its proofs are not checked\n");
    return found;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    must(file != NULL);
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    must(stream != NULL);
    for (int c = getc(file); c != EOF; c = getc(file))
        (void)putc(c, stream);
    (void)fclose(stream);
    (void)fclose(file);
    return text;
}

char *cadical_proof(const int *literals, size_t count, int variables, bool binary, size_t *length)
{
    char folder[] = "/tmp/swp-drat-XXXXXX";
    must(mkdtemp(folder) != NULL);
    char cnf[64];
    char proof[64];
    char command[256];
    (void)snprintf(cnf, sizeof cnf, "%s/cnf", folder);
    (void)snprintf(proof, sizeof proof, "%s/proof", folder);
    FILE *file = fopen(cnf, "w");
    must(file != NULL);
    size_t clauses = 0;
    for (size_t i = 0; i < count; i++)
        clauses += !literals[i];
    (void)fprintf(file, "p cnf %d %zu\n", variables, clauses);
    for (size_t i = 0; i < count; i++)
        (void)fprintf(file, literals[i] ? "%d " : "%d\n", literals[i]);
    (void)fclose(file);
    (void)snprintf(command, sizeof command, "cadical -q %s %s %s >/dev/null",
                   binary ? "--binary" : "--no-binary", cnf, proof);
    const int status = system(command);
    char *text = NULL;
    if (status == 20 << 8)
        text = read_file(proof, length);
    (void)remove(cnf);
    (void)remove(proof);
    (void)rmdir(folder);
    return text;
}
