/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <string.h>

int open_context(void **state)
{
    *state = swp_context_new(NULL);
    return *state ? 0 : -1;
}

int close_context(void **state)
{
    swp_context_free(*state);
    return 0;
}

static void print_diags(const swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        print_error("%s[%s]: %s\n", diags[i].severity == SWP_ERROR ? "error" : "warning",
                    diags[i].code, diags[i].message);
}

void expect_status(const swp_context *ctx, swp_status status, swp_status expected, const char *file,
                   int line)
{
    if (status == expected)
        return;
    print_error("status is %d, not %d\n", (int)status, (int)expected);
    print_diags(ctx);
    _fail(file, line);
}

bool has_diag(const swp_context *ctx, const char *code, const char *text)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(diags[i].code, code) == 0 && (!text || strstr(diags[i].message, text)))
            return true;
    return false;
}

void expect_diag(const swp_context *ctx, const char *code, const char *text, const char *file,
                 int line)
{
    if (has_diag(ctx, code, text))
        return;
    print_error("no diagnostic %s with \"%s\"\n", code, text ? text : "");
    print_diags(ctx);
    _fail(file, line);
}

bool has_error(const swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        if (diags[i].severity == SWP_ERROR)
            return true;
    return false;
}

void assert_no_diag(const swp_context *ctx, const char *code)
{
    if (!has_diag(ctx, code, NULL))
        return;
    print_diags(ctx);
    fail_msg("there is a diagnostic %s", code);
}
