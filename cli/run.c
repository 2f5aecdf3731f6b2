/* SPDX-License-Identifier: Apache-2.0 */
/* swp run: executes a schedule on small matrices, or replays a counterexample. */
#include "input.h"
#include "report.h"
#include "schedule.h"
#include "search.h"
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
        "  A schedule with output tiles runs those of --tiles, one after the other; without, each\n"
        "  number N of --n stands for three tiles, of N iterations, of the least and of N.\n"
        "\n"
        "  Each number of tiles is run with so many --seeds. Exit status 0 means that every run\n"
        "  was right. With status 1 one went wrong: the wrong values stand beside the right\n"
        "  ones on standard output, with the two accesses that met in the wrong order; status 3\n"
        "  means that --time-limit or Ctrl-C ended the runs before one went wrong; without\n"
        "  --time-limit all of them are run. Runs prove nothing; `swp\n"
        "  verify` does.\n"
        "\n"
        "  --replay executes what `swp verify --counterexample` wrote for this schedule.\n",
    .examples = "  swp run pingpong\n"
                "  swp run fourwave --n 2 --timing late || true\n"
                "  swp run single_buffer --n 2..8 --seeds 16 --timing random --format json\n"
                "  swp verify fourwave --counterexample cex.json; swp run fourwave --replay "
                "cex.json || true\n",
};

static int sweep(const cli_invocation *invocation, const cli_schedule *opened)
{
    char *text = NULL;
    size_t length = 0;
    swp_context *ctx = opened->ctx;
    swp_run_summary summary = {0};
    search_limit_runs(ctx, invocation);
    swp_status status = swp_run_many(ctx, opened->schedule, &invocation->sweep, &summary);
    if (status == SWP_OK)
        status = invocation->as_json
                     ? swp_run_summary_json(ctx, &summary, &text, &length)
                     : swp_run_summary_text(ctx, opened->schedule, &summary, &text, &length);
    const int ended = report_end(invocation, ctx, status, summary.wrong == 0, text, length);
    return ended == EXIT_DONE && summary.stopped ? EXIT_STOPPED : ended;
}

static int replay_text(const cli_invocation *invocation, const cli_schedule *opened,
                       const cli_source *source)
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
        status = invocation->as_json
                     ? swp_run_outcome_json(ctx, &outcome, &text, &length)
                     : swp_run_outcome_text(ctx, opened->schedule, &outcome, &text, &length);
    return report_end(invocation, ctx, status, outcome.symptom == SWP_NO_SYMPTOM, text, length);
}

static int run(cli_invocation *invocation, const cli_schedule *opened)
{
    cli_source source;
    if (!invocation->replay)
        return sweep(invocation, opened);
    int status = input_read(&invocation->diagnostics, invocation->replay,
                            "`swp verify --counterexample` writes one", &source);
    if (status == EXIT_DONE)
        status = replay_text(invocation, opened, &source);
    free((char *)source.text);
    return status;
}

int run_run(cli_invocation *invocation)
{
    if (invocation->sweep.tiles && invocation->sweep.exact)
        return diagnostics_fail(&invocation->diagnostics, CLI_E0903,
                                "the tiles have their numbers of iterations",
                                "--n and --tiles exclude one another");
    const int status = report_format(invocation);
    return status == EXIT_DONE ? schedule_use(invocation, run) : status;
}
