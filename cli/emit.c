/* SPDX-License-Identifier: Apache-2.0 */
#include "schedule.h"
#include "subcommand.h"

const cli_subcommand_help help_of_emit = {
    .description =
        "  FILE, BUILTIN and the options mean what they mean to `swp compile`. --format is\n"
        "  required; `swp list formats` shows what there is.\n",
    .examples = "  swp emit pingpong --format dot | dot -Tsvg >pingpong.svg\n"
                "  swp emit pingpong.json --format text\n"
                "  swp emit my_kernel.yaml --format json -o my_kernel.json\n",
};

int run_emit(cli_invocation *invocation)
{
    if (!invocation->format)
        return diagnostics_fail(&invocation->diagnostics, CLI_E0904,
                                "`swp list formats` shows what there is",
                                "`swp emit` needs --format FORMAT");
    const swp_emit_format *format = schedule_format(invocation);
    return format ? schedule_use(invocation, schedule_emit) : EXIT_BAD;
}
