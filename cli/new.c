/* SPDX-License-Identifier: Apache-2.0 */
/* swp new: resolves what a commented description starts from. */
#include "new.h"

#include "swp/suggest.h"

#include "output.h"
#include "schedule.h"
#include "search.h"
#include "subcommand.h"

#include "swp/describe.h"

#include <stdlib.h>
#include <string.h>

const cli_subcommand_help help_of_new = {
    .description =
        "  NAME is the schedule's: letters, digits, `_`, `-` and `.`. The description\n"
        "  compiles as it is; every setting that it could change stands in it as a comment,\n"
        "  with the value that it has. A loop is written out, with its variables and ranges.\n",
    .examples =
        "  swp new my_kernel -o my_kernel.yaml\n"
        "  swp new my_kernel --from fourwave | swp compile -\n"
        "  swp new my_loop --from loop -o my_loop.yaml\n"
        "  swp new my_attention --from attention_fwd | swp compile - --set variables.head=64\n"
        "  swp new my_body --from body -o my_body.yaml\n",
};

#define NAME_CHARACTERS                                                                            \
    "abcdefghijklmnopqrstuvwxyz"                                                                   \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"                                                                   \
    "0123456789_-."

static int reject_start(const cli_diagnostics *to, const char *start)
{
    size_t count = 0;
    const swp_builtin *const *builtins = swp_builtins(&count);
    swp_suggestion near = swp_suggest_start(start);
    swp_suggest_offer(&near, "loop");
    swp_suggest_offer(&near, "body");
    for (size_t i = 0; i < count; i++)
        swp_suggest_offer(&near, builtins[i]->name);
    char hint[SWP_HINT_SIZE];
    return diagnostics_fail(
        to, CLI_E0903,
        swp_suggest_hint(&near, "choose loop, body or a name that `swp list` shows", hint),
        "a description cannot start from `%s`", start);
}

/* The first line tells editors that know YAML which schema to use. */
static void print(FILE *stream, const void *user)
{
    (void)fputs("# yaml-language-server: $schema=swp.schema.json\n"
                "# `swp schema description -o swp.schema.json` writes that, for editors\n",
                stream);
    new_print(stream, user);
}

static void print_core(FILE *stream, const void *user)
{
    new_print_core(stream, user);
}

/* The library decides what a compile makes of settings that are not stated. */
static swp_status resolve(swp_context *ctx, const char *text, size_t length, swp_settings *settings)
{
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    swp_status status = swp_description_read_yaml(ctx, text, length, "new", &description);
    if (status == SWP_OK)
        status = swp_description_compile(ctx, description, &schedule);
    if (status == SWP_OK) {
        settings->pipeline = schedule->config;
        settings->schedule = schedule->schedule;
        settings->machine = schedule->machine;
    }
    swp_schedule_free(schedule);
    return status;
}

static int resolve_settings(const cli_invocation *invocation, new_description *description)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    size_t length = 0;
    swp_status status = SWP_OUT_OF_MEMORY;
    swp_context *ctx = swp_context_new(NULL);
    char *text = output_capture(print_core, description, &length);
    if (ctx && text) {
        search_limit(ctx, invocation);
        status = resolve(ctx, text, length, &description->settings);
        diagnostics_flush(to, ctx);
    } else {
        (void)diagnostics_out_of_memory(to);
    }
    swp_context_free(ctx);
    free(text);
    return exit_status_of(status);
}

static int describe(const cli_invocation *invocation, new_description *description)
{
    size_t count = 0;
    description->settings = swp_settings_default();
    if (description->kernel && description->kernel->defaults)
        description->kernel->defaults(swp_targets(&count)[0], &description->settings);
    const int status = resolve_settings(invocation, description);
    if (!description->kernel && !description->loop)
        description->settings.schedule.scheduling = SWP_CSP;
    return status;
}

int run_new(cli_invocation *invocation)
{
    const cli_diagnostics *to = &invocation->diagnostics;
    const char *start = invocation->from ? invocation->from : "pingpong";
    new_description description = {.name = invocation->arguments[0],
                                   .kernel = swp_builtin_find(start),
                                   .loop = new_loop_find(start)};
    if (!description.kernel && !description.loop && strcmp(start, "body") != 0)
        return reject_start(to, start);
    if (!*description.name || description.name[strspn(description.name, NAME_CHARACTERS)])
        return diagnostics_fail(to, CLI_E0905, "use letters, digits, `_`, `-` and `.`",
                                "`%s` is no name for a kernel", description.name);
    const int status = describe(invocation, &description);
    return status == EXIT_DONE ? output_print(to, invocation->output, print, &description) : status;
}
