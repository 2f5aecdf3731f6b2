/* SPDX-License-Identifier: Apache-2.0 */
/* Proves what swp compile has made, and reports what is not proven. */
#include "proof.h"

#include "output.h"
#include "search.h"

#include <stdlib.h>

static int check(const cli_invocation *invocation, const swp_schedule *schedule, cli_proof *out)
{
    size_t length = 0;
    char *input = output_capture(schedule_print_arguments, invocation, &length);
    if (!input)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    const swp_proof_demand demand =
        invocation->require_proof ? SWP_PROOF_REQUIRED : SWP_PROOF_WANTED;
    const swp_status status =
        swp_verdict_demand(out->ctx, schedule, invocation->accepted, invocation->accepted_count,
                           input, demand, &out->verdict, &out->judged);
    free(input);
    out->stopped = status == SWP_STOPPED;
    diagnostics_flush(&invocation->diagnostics, out->ctx);
    return exit_status_of(status);
}

int proof_check(const cli_invocation *invocation, const cli_schedule *opened, cli_proof *out)
{
    *out = (cli_proof){.ctx = swp_context_new(NULL)};
    if (!out->ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    search_limit(out->ctx, invocation);
    return check(invocation, opened->schedule, out);
}

bool proof_is_refuted(const cli_proof *proof)
{
    return proof->judged && proof->verdict.hazards.count > (size_t)proof->verdict.accepted;
}

swp_summary proof_summary(const cli_proof *proof)
{
    return (swp_summary){.verdict = proof->judged ? &proof->verdict : NULL,
                         .proof_stopped = proof->stopped};
}

void proof_free(cli_proof *proof)
{
    swp_context_free(proof->ctx);
}
