/* SPDX-License-Identifier: Apache-2.0 */
#include "proof.h"

#include "output.h"

#include "swp/report.h"

#include <stdlib.h>

static int report_unsafe(const cli_invocation *invocation, swp_context *ctx,
                         const swp_verdict *verdict)
{
    const bool required = invocation->require_proof;
    size_t length = 0;
    char *input = output_capture(schedule_print_arguments, invocation, &length);
    if (!input)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    const swp_status status =
        swp_verdict_report(ctx, verdict, required ? SWP_ERROR : SWP_WARNING, input);
    free(input);
    diagnostics_flush(&invocation->diagnostics, ctx);
    return status != SWP_OK ? EXIT_BAD : required ? EXIT_NO : EXIT_DONE;
}

/* A schedule that the model has no meaning for can still be compiled. */
static int report_unjudged(const cli_invocation *invocation, swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    if (invocation->require_proof) {
        diagnostics_flush(&invocation->diagnostics, ctx);
        return EXIT_NO;
    }
    char message[256] = "not verified";
    if (count > 0)
        (void)snprintf(message, sizeof message, "not verified: %s", diags[0].message);
    const swp_diag warning = {.severity = SWP_WARNING,
                              .code = "W0703",
                              .message = message,
                              .hint = count > 0 ? diags[0].hint : ""};
    diagnostics_print(&invocation->diagnostics, &warning);
    return EXIT_DONE;
}

static int check(const cli_invocation *invocation, swp_context *ctx, const swp_schedule *schedule)
{
    swp_verdict verdict;
    const swp_status status =
        swp_verify(ctx, schedule, invocation->accepted, invocation->accepted_count, &verdict);
    if (status == SWP_INVALID)
        return report_unjudged(invocation, ctx);
    diagnostics_flush(&invocation->diagnostics, ctx);
    if (status != SWP_OK)
        return EXIT_BAD;
    const bool proven = verdict.hazards.count == (size_t)verdict.accepted;
    return proven ? EXIT_DONE : report_unsafe(invocation, ctx, &verdict);
}

int proof_check(const cli_invocation *invocation, const cli_schedule *opened)
{
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    const int status = check(invocation, ctx, opened->schedule);
    swp_context_free(ctx);
    return status;
}
