/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"
#include "schedule.h"
#include "subcommand.h"

#include "swp/report.h"

const cli_subcommand_help help_of_simulate = {
    .description =
        "  FILE, BUILTIN and the options mean what they mean to `swp compile`; FILE may also be\n"
        "  a schedule in JSON. Cycles are those of an in-order model with the latencies of the\n"
        "  target's cost model, which are published round figures, not measurements.\n"
        "\n"
        "  Shown are the cycles of a pass in the steady state, of the prologue and the epilogue,\n"
        "  how busy each unit is, and for each entry of the kernel phase the cycles that a warp\n"
        "  group stalls there and what it waits for. --format is text (the default) or json.\n",
    .examples = "  swp simulate pingpong\n"
                "  swp simulate fourwave --occupancy-lds 8\n"
                "  swp simulate pingpong.json --format json\n",
};

static int count_cycles(const cli_invocation *invocation, const cli_schedule *opened, bool as_json)
{
    char *text = NULL;
    size_t length = 0;
    swp_simulation simulation;
    swp_status status =
        swp_simulate(opened->ctx, opened->schedule, &invocation->simulation, &simulation);
    if (status == SWP_OK)
        status = (as_json ? swp_simulation_json : swp_simulation_text)(
            opened->ctx, opened->schedule, &simulation, &text, &length);
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    if (status != SWP_OK)
        return exit_status_of(status);
    return output_write(&invocation->diagnostics, invocation->output, text, length);
}

int run_simulate(cli_invocation *invocation)
{
    cli_schedule opened;
    int status = EXIT_DONE;
    const bool as_json = report_as_json(invocation, &status);
    if (status == EXIT_DONE)
        status = output_check(&invocation->diagnostics, invocation->output);
    if (status != EXIT_DONE)
        return status;
    status = schedule_open(invocation, invocation->arguments[0], &opened);
    if (opened.schedule) {
        const int counted = count_cycles(invocation, &opened, as_json);
        status = counted == EXIT_DONE ? status : counted;
    }
    schedule_close(&opened);
    return status;
}
