/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on a schedule: what the proof of a body or of a loop finds, less what is accepted. */
#include "base/diag.h"
#include "base/require.h"
#include "verify/acceptance.h"
#include "verify/bodies/bodies.h"
#include "verify/roles_prove.h"

/* It stands for all forms together. */
enum { ALL_FORMS = -1 };

static swp_status accept(swp_context *ctx, const swp_acceptance *accepted, size_t count,
                         swp_verdict *out)
{
    for (size_t a = 0; a < count; a++) {
        bool occurs = false;
        for (size_t i = 0; i < out->hazards.count; i++) {
            swp_hazard *hazard = &out->hazards.items[i];
            if (!swp_verify_is_meant(&accepted[a], hazard->kind, hazard->role, hazard->at))
                continue;
            occurs = true;
            out->accepted += !hazard->accepted;
            hazard->accepted = true;
        }
        if (!occurs)
            SWP_TRY(swp_warn(ctx, SWP_W0701, SWP_NOWHERE, "remove it",
                             "the accepted hazard %s:%s%s%s:%d does not occur",
                             swp_hazard_name(accepted[a].kind),
                             accepted[a].role ? accepted[a].role : "", accepted[a].role ? ":" : "",
                             swp_phase_name(accepted[a].at.phase), accepted[a].at.entry));
    }
    return SWP_OK;
}

swp_status swp_verify_form(swp_context *ctx, const swp_schedule *schedule, int form,
                           swp_verdict *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    if (schedule->dataflow)
        return swp_verify_roles(ctx, schedule, form, (swp_acceptances){0}, out);
    const swp_schedule one = swp_schedule_form(schedule, form);
    return swp_bodies_verify_form(ctx, &one, SWP_NO_RULE, out);
}

swp_status swp_verify(swp_context *ctx, const swp_schedule *schedule,
                      const swp_acceptance *accepted, size_t accepted_count, swp_verdict *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && (accepted || accepted_count == 0) && out);
    const swp_acceptances taken = {accepted, accepted_count};
    SWP_TRY(swp_schedule_check_loop(ctx, schedule));
    if (schedule->dataflow)
        SWP_TRY(swp_verify_roles(ctx, schedule, ALL_FORMS, taken, out));
    else
        SWP_TRY(swp_bodies_verify(ctx, schedule, SWP_NO_RULE, out));
    return accept(ctx, accepted, accepted_count, out);
}
