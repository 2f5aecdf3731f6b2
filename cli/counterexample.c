/* SPDX-License-Identifier: Apache-2.0 */
/* The file of --counterexample: an execution that shows the first hazard of a verdict. */
#include "counterexample.h"

#include "output.h"

#include "swp/run.h"

static int write_out(const cli_invocation *invocation, const cli_schedule *opened,
                     const swp_counterexample *counterexample)
{
    char *text = NULL;
    size_t length = 0;
    const swp_status status = swp_counterexample_write(opened->ctx, counterexample, &text, &length);
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    if (status != SWP_OK)
        return exit_status_of(status);
    return output_write(&invocation->diagnostics, invocation->counterexample, text, length);
}

int counterexample_write(const cli_invocation *invocation, const cli_schedule *opened,
                         const swp_verdict *verdict)
{
    swp_counterexample found;
    if (!invocation->counterexample)
        return EXIT_DONE;
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *hazard = &verdict->hazards.items[i];
        if (hazard->accepted)
            continue;
        const swp_status status =
            swp_counterexample_find(opened->ctx, opened->schedule, hazard, &found);
        if (status == SWP_OK) {
            /* Of those before it that no execution shows, this one is no worse. */
            swp_context_clear_diags(opened->ctx);
            return write_out(invocation, opened, &found);
        }
        if (status != SWP_INFEASIBLE) {
            diagnostics_flush(&invocation->diagnostics, opened->ctx);
            return exit_status_of(status);
        }
    }
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    return EXIT_DONE;
}
