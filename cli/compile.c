/* SPDX-License-Identifier: Apache-2.0 */
/* swp compile: makes a schedule from a description, with its proof if that is asked for. */
#include "certificate.h"
#include "output.h"
#include "schedule.h"
#include "subcommand.h"
#include "summary.h"

#include <stdlib.h>
#include <string.h>

const cli_subcommand_help help_of_compile = {
    .description =
        "  FILE is a description in YAML (`swp new` writes one to start from), a schedule\n"
        "  in JSON, which is printed again, or - for standard input. BUILTIN is a name that\n"
        "  `swp list` shows; it wins over a file of that name, which is then ./NAME.\n"
        "\n"
        "  It prints in a few lines how fast the schedule is, what limits that, what it takes,\n"
        "  whether it is safe, and what to do next; with --full all that it consists of.\n"
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
                "  swp compile gemm_ws --full\n"
                "  swp compile pingpong --set schedule.max_vgpr=96 --format json -o pingpong.json\n"
                "  swp compile fourwave --set geometry.block=256,256,64\n"
                "  swp compile my_kernel.yaml --time-limit 60\n"
                "  swp compile stencil --format json -o stencil.json --certificate stencil.proof\n"
                "  swp compile my_kernel.yaml --diagnostics json 2>problems.jsonl\n",
};

static bool is_json(const cli_invocation *invocation)
{
    return strcmp(invocation->format, "json") == 0;
}

/* This is asked before the schedule is written: -o gets none if its certificate cannot be had at all. */
static int check_pipeline(const cli_invocation *invocation, const cli_schedule *opened)
{
    if (!invocation->certificate || opened->schedule->pipeline)
        return EXIT_DONE;
    return diagnostics_fail(&invocation->diagnostics, CLI_E0911,
                            "`swp solve --certificate` has certificates of scheduling problems",
                            "%s has no certificate: only what is compiled from a loop has one",
                            opened->schedule->name);
}

static int write_schedule(const cli_invocation *invocation, const cli_schedule *opened,
                          const char *text, size_t length)
{
    if (invocation->certificate)
        return certificate_emit(invocation, opened, text, length);
    return output_write(&invocation->diagnostics, invocation->output, text, length);
}

static int emit_whole(const cli_invocation *invocation, const cli_schedule *opened,
                      const cli_proof *proof)
{
    char *text = NULL;
    size_t length = 0;
    const swp_emit_format *format = swp_emit_format_find(invocation->format);
    const swp_summary summary = proof_summary(proof);
    const swp_status status =
        is_json(invocation)
            ? format->emit(opened->ctx, opened->schedule, &text, &length)
            : swp_summary_whole_text(opened->ctx, opened->schedule, &summary, &text, &length);
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    return status == SWP_OK ? write_schedule(invocation, opened, text, length)
                            : exit_status_of(status);
}

static int emit_summary(const cli_invocation *invocation, const cli_schedule *opened,
                        const cli_proof *proof)
{
    char *text = NULL;
    size_t length = 0;
    int status = summary_text(invocation, opened, proof, &text, &length);
    if (status == EXIT_DONE)
        status = write_schedule(invocation, opened, text, length);
    free(text);
    return status;
}

static int prove_and_emit(const cli_invocation *invocation, const cli_schedule *opened,
                          cli_proof *proof)
{
    int status = proof_check(invocation, opened, proof);
    /* If the proof was stopped, a warning has already said so. */
    const bool unjudged = status == EXIT_STOPPED && !invocation->require_proof;
    if (status != EXIT_DONE && !unjudged)
        return status;
    if (unjudged)
        swp_context_set_limits(opened->ctx, NULL); /* no time is left to write it in */
    status = invocation->full || is_json(invocation) ? emit_whole(invocation, opened, proof)
                                                     : emit_summary(invocation, opened, proof);
    return status == EXIT_DONE && unjudged ? EXIT_STOPPED : status;
}

static int check_and_emit(cli_invocation *invocation, const cli_schedule *opened)
{
    cli_proof proof = {0};
    int status = check_pipeline(invocation, opened);
    if (status == EXIT_DONE)
        status = prove_and_emit(invocation, opened, &proof);
    proof_free(&proof);
    return status;
}

int run_compile(cli_invocation *invocation)
{
    if (!invocation->format)
        invocation->format = "text";
    const swp_emit_format *format = schedule_format(invocation);
    if (!format)
        return EXIT_BAD;
    if (invocation->full && is_json(invocation))
        return diagnostics_fail(&invocation->diagnostics, CLI_E0903, "leave it out",
                                "--full means nothing for format json, which is whole");
    if (strcmp(format->name, "text") != 0 && !is_json(invocation)) {
        char hint[64];
        (void)snprintf(hint, sizeof hint, "`swp emit --format %s` writes that", format->name);
        return diagnostics_fail(&invocation->diagnostics, CLI_E0903, hint,
                                "`swp compile` writes text or json, not %s", format->name);
    }
    return schedule_use(invocation, check_and_emit);
}
