/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the file of --counterexample: an execution that shows the first hazard of a verdict. */
#include "counterexample.h"

#include "output.h"

#include "swp/run.h"

static int write_down(const cli_invocation *invocation, const cli_schedule *opened,
                      const swp_counterexample *found, cli_counterexample *out)
{
    const swp_status status =
        swp_counterexample_write(opened->ctx, found, &out->text, &out->length);
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    return exit_status_of(status);
}

int counterexample_find(const cli_invocation *invocation, const cli_schedule *opened,
                        const swp_verdict *verdict, cli_counterexample *out)
{
    swp_counterexample found;
    *out = (cli_counterexample){0};
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
            /* The hazards before this one are shown by no execution; it is no worse than they are. */
            swp_context_clear_diags(opened->ctx);
            return write_down(invocation, opened, &found, out);
        }
        /* A schedule that cannot be executed shows no hazard, but the verdict stands. */
        if (status == SWP_INVALID)
            break;
        if (status != SWP_INFEASIBLE) {
            diagnostics_flush(&invocation->diagnostics, opened->ctx);
            return exit_status_of(status);
        }
    }
    diagnostics_flush(&invocation->diagnostics, opened->ctx);
    return EXIT_DONE;
}

int counterexample_write(const cli_invocation *invocation, const cli_counterexample *found)
{
    if (!found->text)
        return EXIT_DONE;
    return output_write(&invocation->diagnostics, invocation->counterexample, found->text,
                        found->length);
}
