/* SPDX-License-Identifier: Apache-2.0 */
/* swp check-certificate of a loop: checks its description, schedule and certificate against one another. */
#include "check_loop.h"

#include "description.h"
#include "output.h"
#include "schedule.h"
#include "search.h"

#include "swp/certify_loop.h"

/* The loop, for as many work groups of a multiprocessor as the schedule is. */
static swp_status describe(swp_context *ctx, const swp_description *description,
                           const swp_problem_text *schedule, swp_loop *loop,
                           swp_loop_answer *answer)
{
    swp_status status = swp_description_loop(ctx, description, 0, loop);
    if (status == SWP_OK)
        status = swp_loop_answer_read_json(ctx, schedule, loop, answer);
    return status == SWP_OK ? swp_description_loop(ctx, description, answer->resident, loop)
                            : status;
}

static swp_status check(cli_invocation *invocation, swp_context *ctx, const cli_source *described,
                        const cli_source *schedule, const cli_source *certificate,
                        swp_certificate_report *report)
{
    const swp_problem_text texts[2] = {
        {schedule->text, schedule->length, {schedule->name, 1, 1}},
        {certificate->text, certificate->length, {certificate->name, 1, 1}}};
    cli_position position = {0, 1};
    swp_description *description = NULL;
    swp_loop loop;
    swp_loop_answer answer;
    swp_loop_certificate proof;
    swp_status status = description_open(invocation, 0, ctx, described, &description);
    if (status == SWP_OK)
        status = describe(ctx, description, &texts[0], &loop, &answer);
    if (status == SWP_OK)
        status = swp_loop_certificate_read(ctx, &texts[1], &proof);
    if (status != SWP_OK)
        return status;
    search_limit_check(ctx, invocation, &position);
    status = swp_loop_certificate_check(ctx, &loop, &answer, &proof, report);
    return status;
}

/* As everywhere, -o takes only whole results; a refusal is printed instead. */
static int show(const cli_invocation *invocation, swp_context *ctx,
                const swp_certificate_report *report)
{
    const bool refused = report->verdict == SWP_CERTIFICATE_REFUSED;
    char *text = NULL;
    size_t length = 0;
    const swp_status status = invocation->as_json
                                  ? swp_certificate_json(ctx, report, &text, &length)
                                  : swp_certificate_text(ctx, report, &text, &length);
    if (status != SWP_OK)
        return exit_status_of(status);
    if (invocation->as_json)
        text[length++] = '\n'; /* in place of the NUL */
    const int written =
        output_write(&invocation->diagnostics, refused ? NULL : invocation->output, text, length);
    if (written != EXIT_DONE)
        return written;
    if (refused)
        return EXIT_NO;
    return report->verdict == SWP_CERTIFICATE_ACCEPTED ? EXIT_DONE : EXIT_STOPPED;
}

int check_loop(cli_invocation *invocation, const cli_source *description,
               const cli_source *schedule, const cli_source *certificate)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_certificate_report report;
    if (!ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    const swp_status status = check(invocation, ctx, description, schedule, certificate, &report);
    const int result = status == SWP_OK ? show(invocation, ctx, &report) : exit_status_of(status);
    diagnostics_flush(&invocation->diagnostics, ctx);
    swp_context_free(ctx);
    return result;
}
