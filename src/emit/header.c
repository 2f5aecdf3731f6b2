/* SPDX-License-Identifier: Apache-2.0 */
/* The C header of a schedule that the proof takes: what can be expressed is proven, then written. */
#include "emit/header.h"

#include "base/require.h"
#include "emit/c/header.h"
#include "ir/implied_barriers.h"
#include "ir/schedule.h"
#include "swp/report.h"

/* Whether the schedule may be emitted; `*verdict` is NULL where the verifier has no meaning for it. */
static swp_status prove(const swp_c_header *header, swp_verdict *found, const swp_verdict **verdict)
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

swp_status swp_emit_c_header(swp_context *ctx, const swp_schedule *schedule,
                             const swp_c_header_options *options, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && text);
    static const swp_c_header_options defaults = {0};
    swp_c_header header = {.text = {.ctx = ctx, .escape = SWP_ESCAPE_C_COMMENT},
                           .ctx = ctx,
                           .list_suffix = "",
                           .list_arguments = "ctx",
                           .options = options ? options : &defaults,
                           .machine = swp_c_machine_of(schedule->target)};
    swp_verdict found;
    const swp_verdict *verdict = NULL;
    SWP_TRY(swp_ir_list_barriers(ctx, schedule, &header.schedule));
    SWP_TRY(swp_c_check_header(&header));
    SWP_TRY(prove(&header, &found, &verdict));
    return swp_c_write_header(&header, verdict, text, length);
}

swp_status swp_emit_default_c_header(swp_context *ctx, const swp_schedule *schedule, char **text,
                                     size_t *length)
{
    return swp_emit_c_header(ctx, schedule, NULL, text, length);
}
