/* SPDX-License-Identifier: Apache-2.0 */
#include "new.h"

#include "nearest.h"
#include "output.h"
#include "subcommand.h"

#include "swp/kernels.h"

#include <string.h>

const cli_subcommand_help new_help = {
    .description =
        "  NAME stands in the comments: letters, digits, `_`, `-` and `.`. The description "
        "compiles\n"
        "  as it is; the settings that it could change stand in it as comments, with their\n"
        "  values.\n",
    .examples = "  swp new my_kernel -o my_kernel.yaml\n"
                "  swp new my_kernel --from fourwave | swp compile -\n"
                "  swp new my_loop --from body -o my_loop.yaml\n",
};

#define NAME_CHARACTERS                                                                            \
    "abcdefghijklmnopqrstuvwxyz"                                                                   \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"                                                                   \
    "0123456789_-."

static int reject_start(const cli_diagnostics *to, const char *start)
{
    size_t count = 0;
    const swp_builtin *builtins = swp_builtins(&count);
    cli_nearest near = nearest_to(start);
    nearest_offer(&near, "body");
    for (size_t i = 0; i < count; i++)
        nearest_offer(&near, builtins[i].name);
    char hint[HINT_SIZE];
    return diagnostics_fail(
        to, CLI_E0903, nearest_hint(&near, "choose body or a name that `swp list` shows", hint),
        "a description cannot start from `%s`", start);
}

static void print(FILE *stream, const void *user)
{
    new_print(stream, user);
}

int run_new(cli_invocation *invocation)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    const char *start = invocation->from ? invocation->from : "pingpong";
    const new_description description = {.name = invocation->arguments[0],
                                         .kernel = swp_builtin_find(start)};
    if (!description.kernel && strcmp(start, "body") != 0)
        return reject_start(to, start);
    if (!*description.name || description.name[strspn(description.name, NAME_CHARACTERS)])
        return diagnostics_fail(to, CLI_E0905, "use letters, digits, `_`, `-` and `.`",
                                "`%s` is no name for a kernel", description.name);
    return output_print(to, invocation->output, print, &description);
}
