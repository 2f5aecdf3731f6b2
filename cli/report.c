/* SPDX-License-Identifier: Apache-2.0 */
/* Reads --format of subcommands that judge, and returns the exit status of a judgement. */
#include "report.h"

#include "output.h"
#include "subcommand.h"

#include <string.h>

int report_format(cli_invocation *invocation)
{
    invocation->as_json = invocation->format && !strcmp(invocation->format, "json");
    if (invocation->as_json || !invocation->format || !strcmp(invocation->format, "text"))
        return EXIT_DONE;
    return diagnostics_fail(&invocation->diagnostics, CLI_E0903, "choose text or json",
                            "`swp %s` writes text or json, not %s", invocation->subcommand->name,
                            invocation->format);
}

/* Only standard output has colour: a file of -o is kept, and may be read without a terminal. */
void report_color(swp_context *ctx, const cli_invocation *invocation)
{
    swp_context_set_color(ctx, invocation->report_color && output_is_standard(invocation->output));
}

int report_end(const cli_invocation *invocation, swp_context *ctx, swp_status status, bool yes,
               const char *text, size_t length)
{
    diagnostics_flush(&invocation->diagnostics, ctx);
    if (status != SWP_OK)
        return exit_status_of(status);
    const int written =
        output_write(&invocation->diagnostics, yes ? invocation->output : NULL, text, length);
    return written == EXIT_DONE && !yes ? EXIT_NO : written;
}
