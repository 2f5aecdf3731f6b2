/* SPDX-License-Identifier: Apache-2.0 */
/* swp emit: writes a schedule in any of the formats of swp_formats(), whole or not at all. */
#include "output.h"
#include "report.h"
#include "schedule.h"
#include "shell.h"
#include "subcommand.h"

#include <stdlib.h>
#include <string.h>

const cli_subcommand_help help_of_emit = {
    .description =
        "  FILE, BUILTIN and the options mean what they mean to `swp compile`. --format is\n"
        "  required; `swp list formats` shows what there is.\n"
        "\n"
        "  Format c is a header for a kernel in C, C++ or CUDA: macros that run the schedule, in\n"
        "  calls of macros that the kernel defines, one for each op. The comment on its top says\n"
        "  what the kernel owes it. A schedule that is not proven safe is refused, with status 1,\n"
        "  but for hazards that --accept names; --allow-unsafe takes them all.\n"
        "\n"
        "  Formats svg, html and perfetto are timelines of what `swp simulate` counts: a picture, "
        "a\n"
        "  page for a browser, and a trace. Hazards of `swp verify` are shown in red.\n",
    .examples = "  swp emit pingpong --format dot | dot -Tsvg >pingpong.svg\n"
                "  swp emit attention_ws --format html -o attention_ws.html\n"
                "  swp emit pingpong.json --format text\n"
                "  swp emit my_kernel.yaml --format json -o my_kernel.json\n"
                "  swp emit pingpong --set geometry.block=256,256,64 --format c -o pingpong.h\n",
};

/* Prints the command that writes the same header, without the folder of its input. */
static void print_origin(FILE *stream, const void *user)
{
    const cli_invocation *invocation = user;
    const char *path = invocation->arguments[0];
    const char *slash = strrchr(path, '/');
    (void)fputs("swp emit ", stream);
    shell_print_word(stream, slash ? slash + 1 : path);
    (void)fputs(" --format c", stream);
    schedule_print_options(stream, invocation);
    if (invocation->prefix)
        (void)fprintf(stream, " --prefix %s", invocation->prefix);
    if (invocation->allow_unsafe)
        (void)fputs(" --allow-unsafe", stream);
}

static int emit_c_header(cli_invocation *invocation, const cli_schedule *opened)
{
    size_t unused = 0;
    char *text = NULL;
    size_t length = 0;
    char *input = output_capture(schedule_print_arguments, invocation, &unused);
    char *origin = output_capture(print_origin, invocation, &unused);
    const swp_c_header_options options = {.prefix = invocation->prefix,
                                          .input = input,
                                          .origin = origin,
                                          .accepted = invocation->accepted,
                                          .accepted_count = invocation->accepted_count,
                                          .allow_unsafe = invocation->allow_unsafe};
    swp_status status = SWP_OUT_OF_MEMORY;
    if (input && origin)
        status = swp_emit_c_header(opened->ctx, opened->schedule, &options, &text, &length);
    else
        (void)diagnostics_out_of_memory(&invocation->diagnostics);
    free(input);
    free(origin);
    return report_end(invocation, opened->ctx, status, true, text, length);
}

static int refuse_options_of_c(const cli_invocation *invocation)
{
    const char *option = invocation->prefix           ? "prefix"
                         : invocation->allow_unsafe   ? "allow-unsafe"
                         : invocation->accepted_count ? "accept"
                                                      : NULL;
    if (!option)
        return EXIT_DONE;
    return diagnostics_fail(&invocation->diagnostics, CLI_E0903,
                            "leave it out, or ask for format c", "--%s means nothing for format %s",
                            option, invocation->format);
}

int run_emit(cli_invocation *invocation)
{
    if (!invocation->format)
        return diagnostics_fail(&invocation->diagnostics, CLI_E0904,
                                "`swp list formats` shows what there is",
                                "`swp emit` needs --format FORMAT");
    if (!schedule_format(invocation))
        return EXIT_BAD;
    if (strcmp(invocation->format, "c") == 0)
        return schedule_use(invocation, emit_c_header);
    const int status = refuse_options_of_c(invocation);
    return status == EXIT_DONE ? schedule_use(invocation, schedule_emit) : status;
}
