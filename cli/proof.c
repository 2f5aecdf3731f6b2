/* SPDX-License-Identifier: Apache-2.0 */
/* Proves what swp compile has made, and says in a diagnostic what it is not. */
#include "proof.h"

#include "output.h"
#include "search.h"

#include "swp/report.h"

#include <stdlib.h>

static int check(const cli_invocation *invocation, swp_context *ctx, const swp_schedule *schedule)
{
    swp_verdict verdict;
    bool judged = false;
    size_t length = 0;
    char *input = output_capture(schedule_print_arguments, invocation, &length);
    if (!input)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    const swp_proof_demand demand =
        invocation->require_proof ? SWP_PROOF_REQUIRED : SWP_PROOF_WANTED;
    const swp_status status =
        swp_verdict_demand(ctx, schedule, invocation->accepted, invocation->accepted_count, input,
                           demand, &verdict, &judged);
    free(input);
    diagnostics_flush(&invocation->diagnostics, ctx);
    return exit_status_of(status);
}

int proof_check(const cli_invocation *invocation, const cli_schedule *opened)
{
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    search_limit(ctx, invocation);
    const int status = check(invocation, ctx, opened->schedule);
    swp_context_free(ctx);
    return status;
}
