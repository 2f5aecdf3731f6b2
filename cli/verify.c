/* SPDX-License-Identifier: Apache-2.0 */
/* swp verify: proves a schedule, and shows its hazards and a counterexample of the first. */
#include "counterexample.h"
#include "output.h"
#include "report.h"
#include "schedule.h"
#include "search.h"
#include "subcommand.h"

#include "swp/report.h"

const cli_subcommand_help help_of_verify = {
    .description =
        "  FILE, BUILTIN and the options mean what they mean to `swp compile`; FILE may also be\n"
        "  a schedule in JSON, edited or not. The proof holds for every number of K tiles and\n"
        "  every timing that the machine (`swp list settings`, machine.*) allows.\n"
        "\n"
        "  For each hazard: the two entries in conflict, the tile wanted and the one that may be\n"
        "  there, the link that is missing between them, the smallest number of tiles that shows\n"
        "  it, and what would repair it. --accept takes one, by its kind, phase and entry, of a\n"
        "  schedule with warp roles kind:role:phase:entry. There an accepted one hides no other;\n"
        "  without roles it may hide what only its repair shows.\n"
        "\n"
        "  --format is text (the default) or json. Exit status 0 means: no hazard that is not\n"
        "  accepted. With status 1 the report stands on standard output, and OUT is not written;\n"
        "  --counterexample writes an execution that goes wrong, for `swp run --replay`.\n",
    .examples = "  swp verify pingpong\n"
                "  swp verify pingpong --set machine.registers=raw || true\n"
                "  swp verify pingpong.json --format json\n",
};

/* Slack is only for the report; a hazard that the cycle model cannot count has none. */
static swp_status add_slack(const cli_invocation *invocation, const swp_schedule *schedule,
                            swp_verdict *verdict)
{
    swp_context *scratch = swp_context_new(NULL);
    if (!scratch)
        return SWP_OUT_OF_MEMORY;
    search_limit(scratch, invocation);
    const swp_status status = swp_simulate_slack(scratch, schedule, verdict);
    swp_context_free(scratch);
    return status == SWP_OUT_OF_MEMORY ? status : SWP_OK;
}

static int judge(cli_invocation *invocation, const cli_schedule *opened)
{
    swp_context *ctx = opened->ctx;
    swp_verdict verdict;
    char *text = NULL;
    size_t length = 0;
    swp_status status = swp_verify(ctx, opened->schedule, invocation->accepted,
                                   invocation->accepted_count, &verdict);
    if (status != SWP_OK)
        return report_end(invocation, ctx, status, true, text, length);
    cli_counterexample example;
    const int found = counterexample_find(invocation, opened, &verdict, &example);
    if (found != EXIT_DONE && found != EXIT_STOPPED)
        return found;
    if (add_slack(invocation, opened->schedule, &verdict) != SWP_OK)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    status = swp_verify_repairs(ctx, opened->schedule, &verdict);
    if (status != SWP_OK)
        return report_end(invocation, ctx, status, true, text, length);
    const bool unsafe = verdict.hazards.count > (size_t)verdict.accepted;
    status = (invocation->as_json ? swp_verdict_json : swp_verdict_text)(ctx, opened->schedule,
                                                                         &verdict, &text, &length);
    const int written = status == SWP_OK ? counterexample_write(invocation, &example) : EXIT_DONE;
    if (written != EXIT_DONE)
        return written;
    return report_end(invocation, ctx, status, !unsafe, text, length);
}

int run_verify(cli_invocation *invocation)
{
    const int status = report_format(invocation);
    return status == EXIT_DONE ? schedule_use(invocation, judge) : status;
}
