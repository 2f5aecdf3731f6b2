/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict as one diagnostic of whoever made the schedule. */
#include "swp/report.h"

#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"

static const swp_hazard *first_unaccepted(const swp_verdict *verdict)
{
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (!verdict->hazards.items[i].accepted)
            return &verdict->hazards.items[i];
    return NULL;
}

swp_status swp_verdict_report(swp_context *ctx, const swp_verdict *verdict, swp_severity severity,
                              const char *input)
{
    SWP_REQUIRE(ctx, ctx && verdict && input);
    const swp_hazard *first = first_unaccepted(verdict);
    const size_t count = verdict->hazards.count - (size_t)verdict->accepted;
    char *message = NULL;
    char *hint = NULL;
    if (!first)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &message, "unsafe: %zu hazard%s, the first: %s at %s%s%s entry %d (%s)",
                       count, count == 1 ? "" : "s", swp_hazard_name(first->kind),
                       first->role ? first->role : "", first->role ? " " : "",
                       swp_phase_name(first->at.phase), first->at.entry, first->name));
    SWP_TRY(swp_format(ctx, &hint, "`swp verify %s` shows each, and what would repair it", input));
    if (severity == SWP_WARNING)
        return swp_warn(ctx, SWP_W0702, SWP_NOWHERE, hint, "%s", message);
    const swp_status status = swp_error(ctx, SWP_E0703, SWP_NOWHERE, hint, "%s", message);
    return status == SWP_INVALID ? SWP_OK : status;
}

/* What cannot be judged has errors, which become one warning where it is taken all the same. */
static swp_status take_unjudged(swp_context *ctx, size_t first)
{
    const swp_diag why = ctx->diags->items[first];
    ctx->diags->count = first;
    return swp_warn(ctx, SWP_W0703, SWP_NOWHERE, why.hint, "not verified: %s", why.message);
}

/* A limit ended the proof. */
static swp_status go_without_proof(swp_context *ctx, size_t first, swp_proof_demand demand)
{
    swp_give_grace(ctx);
    if (demand == SWP_PROOF_WANTED ||
        (demand == SWP_PROOF_WAIVED && !swp_is_interrupted(&ctx->limits))) {
        SWP_TRY(take_unjudged(ctx, first));
        return demand == SWP_PROOF_WAIVED ? SWP_OK : SWP_STOPPED;
    }
    SWP_TRY(swp_diag_extend(ctx, first,
                            ": the proof that the schedule is safe has no end yet, and nothing is "
                            "written without it"));
    ctx->diags->items[first].hint =
        "allow more time (`--time-limit`), make rings of fewer slots or of equal ones, or let `swp "
        "emit --allow-unsafe` write it unproven";
    return SWP_STOPPED;
}

swp_status swp_verdict_demand(swp_context *ctx, const swp_schedule *schedule,
                              const swp_acceptance *accepted, size_t accepted_count,
                              const char *input, swp_proof_demand demand, swp_verdict *verdict,
                              bool *judged)
{
    SWP_REQUIRE(ctx,
                ctx && schedule && (accepted || accepted_count == 0) && input && verdict && judged);
    const bool required = demand == SWP_PROOF_REQUIRED;
    const size_t first = ctx->diags->count;
    const swp_status status = swp_verify(ctx, schedule, accepted, accepted_count, verdict);
    *judged = status == SWP_OK;
    if (status == SWP_INVALID)
        return required ? SWP_INFEASIBLE : take_unjudged(ctx, first);
    if (status == SWP_STOPPED && ctx->diags->count > first)
        return go_without_proof(ctx, first, demand);
    SWP_TRY(status);
    if (demand == SWP_PROOF_WAIVED || !first_unaccepted(verdict))
        return SWP_OK;
    SWP_TRY(swp_verdict_report(ctx, verdict, required ? SWP_ERROR : SWP_WARNING, input));
    return required ? SWP_INFEASIBLE : SWP_OK;
}
