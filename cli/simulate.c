/* SPDX-License-Identifier: Apache-2.0 */
/* swp simulate: counts the cycles of a pass, the use of units, and where entries stall. */
#include "cycles.h"
#include "diagnostics.h"
#include "report.h"
#include "schedule.h"
#include "subcommand.h"

#include "swp/report.h"
#include "swp/target.h"

#include <string.h>

const cli_subcommand_help help_of_simulate = {
    .description =
        "  FILE, BUILTIN and the options mean what they mean to `swp compile`; FILE may also be\n"
        "  a schedule in JSON. Cycles are those of an in-order model with the latencies of the\n"
        "  target's cost model, which are published round figures, not measurements. With\n"
        "  --target FILE.yaml figures of that file count for bodies and warp roles, also where\n"
        "  FILE is a schedule; it must be for the target that FILE.yaml is like. Waits and\n"
        "  barriers of bodies take what FILE.yaml says, those of warp roles what the `machine`\n"
        "  of the schedule says.\n"
        "\n"
        "  Shown are the cycles of a pass in the steady state, of the prologue and the epilogue,\n"
        "  how busy each unit is, and for each entry of the kernel phase the cycles that a warp\n"
        "  group stalls there and what it waits for; with warp roles the same of each instance,\n"
        "  with output tiles the cycles from one to the next, of a cluster one work group.\n"
        "  With --load-latency 200 loads take twice their latency, as when memory is late: of\n"
        "  schedules that take equally many cycles, the one is better that stands it.\n"
        "  --format is text (the default) or json.\n",
    .examples = "  swp simulate pingpong\n"
                "  swp simulate fourwave --occupancy-lds 8\n"
                "  swp simulate gemm_ws --load-latency 200\n"
                "  swp simulate pingpong.json --format json\n",
};

/* Without this check, figures of another machine's instructions would be used silently. */
static bool is_for_another(const swp_target *target, const swp_schedule *schedule)
{
    return target && schedule->target[0] && strcmp(target->name, schedule->target) != 0;
}

/* If compiling with the same file has already said that its figures do not count, this is not said again. */
static void say(const cli_invocation *invocation, const cli_schedule *opened)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(opened->ctx, &count);
    for (size_t i = 0; i < count; i++)
        if (!opened->compiled || strcmp(diags[i].code, "W0722") != 0)
            diagnostics_relay(&invocation->diagnostics, &diags[i]);
    swp_context_clear_diags(opened->ctx);
}

static int count_cycles(cli_invocation *invocation, const cli_schedule *opened)
{
    char *text = NULL;
    size_t length = 0;
    swp_simulation simulation;
    const cli_source *file = &invocation->target_file;
    swp_simulate_options options;
    swp_status status = cycles_options(invocation, opened->ctx, &options);
    if (status == SWP_OK && is_for_another(options.target, opened->schedule))
        return diagnostics_fail(&invocation->diagnostics, CLI_E0909,
                                "`swp simulate` takes figures of the target that a schedule is for",
                                "%s is like %s, and %s is for %s", file->name, options.target->name,
                                opened->text.name, opened->schedule->target);
    if (status == SWP_OK)
        status = swp_simulate(opened->ctx, opened->schedule, &options, &simulation);
    say(invocation, opened);
    if (status == SWP_OK)
        status = (invocation->as_json ? swp_simulation_json : swp_simulation_text)(
            opened->ctx, opened->schedule, &simulation, &text, &length);
    return report_end(invocation, opened->ctx, status, true, text, length);
}

int run_simulate(cli_invocation *invocation)
{
    const int status = report_format(invocation);
    return status == EXIT_DONE ? schedule_use(invocation, count_cycles) : status;
}
