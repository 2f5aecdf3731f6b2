/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"
#include "schedule.h"
#include "subcommand.h"

#include "swp/explain.h"

const cli_subcommand_help help_of_explain = {
    .description =
        "  FILE, BUILTIN and the options mean what they mean to `swp compile`; FILE may also be\n"
        "  a schedule in JSON. Takes away each wait and barrier in turn and lists the hazards\n"
        "  that the proof then finds: the dependences that need it, as the two entries in\n"
        "  conflict. Where two cover one dependence, neither is needed while the other stands.\n",
    .examples = "  swp explain pingpong\n"
                "  swp explain fourwave --set schedule.sync=derived\n",
};

static int explain(const cli_invocation *invocation, const cli_schedule *opened)
{
    swp_explanation_list explanations;
    char *text = NULL;
    size_t length = 0;
    swp_status status = swp_explain(opened->ctx, opened->schedule, &explanations);
    if (status == SWP_OK)
        status = swp_explanation_text(opened->ctx, opened->schedule, &explanations, &text, &length);
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    if (status != SWP_OK)
        return exit_status_of(status);
    return output_write(&invocation->diagnostics, invocation->output, text, length);
}

int run_explain(cli_invocation *invocation)
{
    cli_schedule opened;
    int status = output_check(&invocation->diagnostics, invocation->output);
    if (status != EXIT_DONE)
        return status;
    status = schedule_open(invocation, invocation->arguments[0], &opened);
    if (opened.schedule) {
        const int explained = explain(invocation, &opened);
        status = explained == EXIT_DONE ? status : explained;
    }
    schedule_close(&opened);
    return status;
}
