/* SPDX-License-Identifier: Apache-2.0 */
/* swp explain: says what each wait, barrier and place in the order is there for. */
#include "report.h"
#include "schedule.h"
#include "subcommand.h"

#include "swp/explain.h"

const cli_subcommand_help help_of_explain = {
    .description =
        "  FILE, BUILTIN and the options mean what they mean to `swp compile`; FILE may also be\n"
        "  a schedule in JSON. Takes away each wait and barrier in turn and lists the hazards\n"
        "  that the proof then finds: the dependences that need it, as the two entries in\n"
        "  conflict. Where two cover one dependence, neither is needed while the other stands.\n"
        "  With warp roles: each operation on an object and each fence, and whom it meets there.\n"
        "\n"
        "  Then, for each op of the body in its order: the last op before it that an edge makes\n"
        "  it follow, the cycle at which it starts in the resource model, and the busy unit or\n"
        "  unfinished op that it waits for. Of a loop: its forms one by one, and for each op of\n"
        "  an iteration the dependence or the unit that lets it be issued no cycle sooner.\n"
        "  --format is text (the default) or json.\n",
    .examples = "  swp explain pingpong\n"
                "  swp explain fourwave --set schedule.sync=derived\n",
};

static int explain(cli_invocation *invocation, const cli_schedule *opened)
{
    swp_explanation_list explanations;
    swp_order_reason_list order;
    char *text = NULL;
    size_t length = 0;
    swp_context *ctx = opened->ctx;
    swp_status status = swp_explain(ctx, opened->schedule, &explanations);
    if (status == SWP_OK)
        status = swp_explain_order(ctx, opened->schedule, &order);
    if (status == SWP_OK)
        status = (invocation->as_json ? swp_explanation_json : swp_explanation_text)(
            ctx, opened->schedule, &explanations, &order, &text, &length);
    return report_end(invocation, ctx, status, true, text, length);
}

int run_explain(cli_invocation *invocation)
{
    const int status = report_format(invocation);
    return status == EXIT_DONE ? schedule_use(invocation, explain) : status;
}
