/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a kernel as its author writes it: what the C++ ABI makes of a function's name is taken apart by that library's own. */
#include "audit/ptx/report.h"

#include "audit/code/insn.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 120 /* characters that a line has room for */ };

#ifdef SWP_HAS_CXX_ABI
/* NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): Itanium C++ ABI, "Demangler API" */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

static char *demangle(const char *symbol)
{
    int status = 0;
    return strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, &status) : NULL;
}
#else
static char *demangle(const char *symbol)
{
    (void)symbol;
    return NULL;
}
#endif

static bool opens(char c)
{
    return c == '<' || c == '(';
}

static bool closes(const char *name, size_t at)
{
    return name[at] == ')' || (name[at] == '>' && (at == 0 || name[at - 1] != '-'));
}

/* Where a name ends that a list of parameters follows, and where it begins behind the type that comes back. */
static void find_ends(const char *name, size_t *begin, size_t *end)
{
    int depth = 0;
    size_t blank = 0;
    *begin = 0;
    *end = strlen(name);
    for (size_t i = 0; name[i]; i++) {
        /* `(anonymous namespace)` is a part of a name. */
        const bool is_list =
            name[i] == '(' && depth == 0 && i > 0 && name[i - 1] != ':' && name[i - 1] != ' ';
        if (is_list) {
            *end = i;
            *begin = blank;
            return;
        }
        depth += opens(name[i]) - closes(name, i);
        if (name[i] == ' ' && depth == 0)
            blank = i + 1;
    }
}

/* Arguments of templates that fill a page say less than none. */
static size_t shorten(char *name)
{
    size_t kept = 0;
    int depth = 0;
    for (size_t i = 0; name[i]; i++) {
        const bool opened = name[i] == '<';
        const bool closed = name[i] == '>' && closes(name, i);
        depth -= closed;
        if (depth == 0)
            name[kept++] = name[i];
        if (opened && depth++ == 0) {
            memcpy(&name[kept], "..", 2);
            kept += 2;
        }
    }
    name[kept] = '\0';
    return kept;
}

swp_status swp_ptx_name_kernel(swp_context *ctx, const swp_ptx_kernel *kernel, const char **symbol,
                               const char **name)
{
    SWP_TRY(swp_code_copy_printable(ctx, kernel->name, symbol));
    char *whole = demangle(*symbol);
    *name = *symbol;
    if (!whole)
        return SWP_OK;
    size_t begin = 0;
    size_t end = 0;
    char *copy = NULL;
    find_ends(whole, &begin, &end);
    swp_status status = swp_format(ctx, &copy, "%.*s", (int)(end - begin), whole + begin);
    free(whole);
    SWP_TRY(status);
    if (strlen(copy) > LONGEST)
        (void)shorten(copy);
    *name = copy;
    return SWP_OK;
}

size_t swp_ptx_template_length(const char *name)
{
    return strcspn(name, "<");
}
