/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as a header of macros (page 4, "The C header"). */
#include "emit/c/header.h"

#include "base/diag.h"
#include "base/require.h"
#include "emit/formats.h"
#include "emit/text/title.h"
#include "swp/report.h"

#include <string.h>

/* Whether the schedule may be emitted; `*verdict` is NULL where the verifier has no meaning for it. */
static swp_status judge(const swp_c_header *header, swp_verdict *found, const swp_verdict **verdict)
{
    const swp_c_header_options *options = header->options;
    const char *input = options->input ? options->input : swp_schedule_title(header->schedule);
    bool judged = false;
    const swp_status status = swp_verdict_demand(
        header->ctx, header->schedule, options->accepted, options->accepted_count, input,
        options->allow_unsafe ? SWP_PROOF_WAIVED : SWP_PROOF_REQUIRED, found, &judged);
    *verdict = judged ? found : NULL;
    return status;
}

static void set_width(swp_c_header *header)
{
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++) {
        const char *name = header->op_macros[tag];
        const int width = name ? (int)strlen(name) : 0;
        header->op_width = width > header->op_width ? width : header->op_width;
    }
}

static swp_status put_header(swp_c_header *header, const swp_verdict *verdict)
{
    swp_c_put_contract(header, verdict);
    swp_text_format(&header->text, "#ifndef %s_SCHEDULE_H\n#define %s_SCHEDULE_H\n", header->prefix,
                    header->prefix);
    swp_c_put_figures(header);
    swp_c_put_defaults(header);
    SWP_TRY(swp_c_put_phases(header));
    swp_c_put_run(header);
    swp_text_format(&header->text, "\n#endif\n");
    return header->text.status;
}

/* An op's macro is the kernel's to define. */
static swp_status check_own_macros(const swp_c_header *header, const char *text)
{
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++) {
        char *definition = NULL;
        if (!header->op_macros[tag])
            continue;
        SWP_TRY(swp_format(header->ctx, &definition, "\n#define %s_%s", header->prefix,
                           header->op_macros[tag]));
        const size_t length = strlen(definition);
        for (const char *at = strstr(text, definition); at; at = strstr(at + 1, definition))
            if (strchr(" (\n", at[length]))
                return swp_c_refuse_op(header, tag, "the header itself");
    }
    return SWP_OK;
}

swp_status swp_emit_c_header(swp_context *ctx, const swp_schedule *schedule,
                             const swp_c_header_options *options, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && text);
    static const swp_c_header_options defaults = {0};
    swp_c_header header = {.text = {.ctx = ctx, .escape = SWP_ESCAPE_C_COMMENT},
                           .ctx = ctx,
                           .schedule = schedule,
                           .options = options ? options : &defaults,
                           .machine = swp_c_machine_of(schedule->target)};
    swp_verdict found;
    const swp_verdict *verdict = NULL;
    SWP_TRY(swp_c_check(&header));
    SWP_TRY(swp_c_name(&header));
    SWP_TRY(swp_c_find_tiles(&header));
    SWP_TRY(judge(&header, &found, &verdict));
    set_width(&header);
    SWP_TRY(put_header(&header, verdict));
    SWP_TRY(swp_text_end(&header.text, text, length));
    return check_own_macros(&header, *text);
}

swp_status swp_emit_c(swp_context *ctx, const swp_schedule *schedule, char **text, size_t *length)
{
    return swp_emit_c_header(ctx, schedule, NULL, text, length);
}
