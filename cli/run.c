/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"
#include "output.h"
#include "schedule.h"
#include "subcommand.h"

#include <stdlib.h>

const cli_subcommand_help help_of_run = {
    .description =
        "  FILE, BUILTIN and the options mean what they mean to `swp compile`; FILE may also be\n"
        "  a schedule in JSON. It is executed on small integer matrices, with every wave,\n"
        "  counter, barrier and access in flight. --timing says how the moments are chosen at\n"
        "  which waves issue and accesses take effect: `adversarial` as early, as late or as\n"
        "  far apart as the machine permits, `random`, or one of the adversarial ones: early,\n"
        "  late, loads_late, reads_late, ahead, behind, victim, race.\n"
        "\n"
        "  Each number of tiles is run with so many --seeds. Exit status 0 means that every run\n"
        "  was right. With status 1 one went wrong: the wrong values stand beside the right\n"
        "  ones on standard output, with the two accesses that met in the wrong order. Runs\n"
        "  prove nothing; `swp verify` does.\n"
        "\n"
        "  --replay executes what `swp verify --counterexample` wrote for this schedule.\n",
    .examples =
        "  swp run pingpong\n"
        "  swp run fourwave --n 2 --timing late || true\n"
        "  swp run single_buffer --n 2..8 --seeds 16 --timing random --format json\n"
        "  swp verify fourwave --counterexample cex.json; swp run fourwave --replay cex.json\n",
};

/* Prints what was found and says whether it was right. */
static int finish(const cli_invocation *invocation, const cli_schedule *opened, swp_status status,
                  bool right, const char *text, size_t length)
{
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    if (status != SWP_OK)
        return exit_status_of(status);
    const int written =
        output_write(&invocation->diagnostics, right ? invocation->output : NULL, text, length);
    return written == EXIT_DONE && !right ? EXIT_NO : written;
}

static int sweep(const cli_invocation *invocation, const cli_schedule *opened, bool as_json)
{
    char *text = NULL;
    size_t length = 0;
    swp_context *ctx = opened->ctx;
    swp_run_summary summary;
    swp_status status = swp_run_many(ctx, opened->schedule, &invocation->sweep, &summary);
    if (status == SWP_OK)
        status = as_json ? swp_run_summary_json(ctx, &summary, &text, &length)
                         : swp_run_summary_text(ctx, opened->schedule, &summary, &text, &length);
    return finish(invocation, opened, status, summary.wrong == 0, text, length);
}

static int replay_text(const cli_invocation *invocation, const cli_schedule *opened,
                       const cli_source *source, bool as_json)
{
    char *text = NULL;
    size_t length = 0;
    swp_context *ctx = opened->ctx;
    swp_counterexample counterexample;
    swp_run_outcome outcome = {0};
    swp_status status =
        swp_counterexample_read(ctx, source->text, source->length, source->name, &counterexample);
    if (status == SWP_OK)
        status = swp_counterexample_replay(ctx, opened->schedule, &counterexample, &outcome);
    if (status == SWP_OK)
        status = as_json ? swp_run_outcome_json(ctx, &outcome, &text, &length)
                         : swp_run_outcome_text(ctx, opened->schedule, &outcome, &text, &length);
    return finish(invocation, opened, status, outcome.symptom == SWP_NO_SYMPTOM, text, length);
}

static int replay(cli_invocation *invocation, const cli_schedule *opened, bool as_json)
{
    cli_source source;
    int status = input_read(&invocation->diagnostics, invocation->replay,
                            "`swp verify --counterexample` writes one", &source);
    if (status == EXIT_DONE)
        status = replay_text(invocation, opened, &source, as_json);
    free((char *)source.text);
    return status;
}

int run_run(cli_invocation *invocation)
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
        const int ran = invocation->replay ? replay(invocation, &opened, as_json)
                                           : sweep(invocation, &opened, as_json);
        status = ran == EXIT_DONE ? status : ran;
    }
    schedule_close(&opened);
    return status;
}
