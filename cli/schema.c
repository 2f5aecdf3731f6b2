/* SPDX-License-Identifier: Apache-2.0 */
/* swp schema: writes JSON Schemas of what the command reads, for editors and other programs. */
#include "output.h"
#include "report.h"
#include "subcommand.h"

#include "swp/schema.h"

const cli_subcommand_help help_of_schema = {
    .description =
        "  NAME is description (of what `swp compile` reads in YAML), schedule (of what it writes\n"
        "  with --format json), problem (of `swp solve`) or target (of --target FILE.yaml). An\n"
        "  editor that knows YAML shows keys and meanings with the first line that `swp new`\n"
        "  writes:\n"
        "\n"
        "      # yaml-language-server: $schema=swp.schema.json\n",
    .examples = "  swp schema description -o swp.schema.json\n"
                "  swp schema problem\n",
};

int run_schema(cli_invocation *invocation)
{
    char *text = NULL;
    size_t length = 0;
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    const swp_status status = swp_schema_json(ctx, invocation->arguments[0], &text, &length);
    const int ended = report_end(invocation, ctx, status, true, text, length);
    swp_context_free(ctx);
    return ended;
}
