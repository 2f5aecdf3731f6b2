/* SPDX-License-Identifier: Apache-2.0 */
/* swp compile: a schedule from a description, with its proof where that is asked for. */
#include "certificate.h"
#include "output.h"
#include "proof.h"
#include "schedule.h"
#include "subcommand.h"

#include <string.h>

const cli_subcommand_help help_of_compile = {
    .description =
        "  FILE is a description in YAML (`swp new` writes one to start from), a schedule\n"
        "  in JSON, which is printed again, or - for standard input. BUILTIN is a name that\n"
        "  `swp list` shows; it wins over a file of that name, which is then ./NAME.\n"
        "\n"
        "  --format is text (the default) or json; `swp emit` has more. A search that a\n"
        "  limit ends gives the best schedule so far, with a warning. The limit is one of\n"
        "  work, so that the same input gives the same schedule on every machine.\n"
        "\n"
        "  A schedule that is not safe (`swp verify`) gets a warning; --require-proof makes that\n"
        "  an error. --accept takes a known hazard.\n"
        "\n"
        "  --certificate writes a proof of all that is proven of the pipeline of a loop: of its\n"
        "  interval, bytes and stages. `swp check-certificate` checks it.\n",
    .examples = "  swp compile pingpong\n"
                "  swp compile pingpong --set schedule.max_vgpr=96 --format json -o pingpong.json\n"
                "  swp compile fourwave --set geometry.block=256,256,64\n"
                "  swp compile my_kernel.yaml --time-limit 60\n"
                "  swp compile stencil --format json -o stencil.json --certificate stencil.proof\n"
                "  swp compile my_kernel.yaml --diagnostics json 2>problems.jsonl\n",
};

/* Asked before the schedule is written: there is none to -o if its certificate cannot be had at all. */
static int check_pipeline(const cli_invocation *invocation, const cli_schedule *opened)
{
    if (!invocation->certificate || opened->schedule->pipeline)
        return EXIT_DONE;
    return diagnostics_fail(&invocation->diagnostics, CLI_E0911,
                            "`swp solve --certificate` has certificates of scheduling problems",
                            "%s has no certificate: only what is compiled from a loop has one",
                            opened->schedule->name);
}

static int check_and_emit(cli_invocation *invocation, const cli_schedule *opened)
{
    int status = check_pipeline(invocation, opened);
    if (status == EXIT_DONE)
        status = proof_check(invocation, opened);
    /* Where the proof was stopped, a warning has said so. */
    const bool unjudged = status == EXIT_STOPPED && !invocation->require_proof;
    if (status != EXIT_DONE && !unjudged)
        return status;
    status = (invocation->certificate ? certificate_emit : schedule_emit)(invocation, opened);
    return status == EXIT_DONE && unjudged ? EXIT_STOPPED : status;
}

int run_compile(cli_invocation *invocation)
{
    if (!invocation->format)
        invocation->format = "text";
    const swp_emit_format *format = schedule_format(invocation);
    if (!format)
        return EXIT_BAD;
    if (strcmp(format->name, "text") != 0 && strcmp(format->name, "json") != 0) {
        char hint[64];
        (void)snprintf(hint, sizeof hint, "`swp emit --format %s` writes that", format->name);
        return diagnostics_fail(&invocation->diagnostics, CLI_E0903, hint,
                                "`swp compile` writes text or json, not %s", format->name);
    }
    return schedule_use(invocation, check_and_emit);
}
