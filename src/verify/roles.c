/* SPDX-License-Identifier: Apache-2.0 */
/* Proves loops in the order of warp roles; one without them is one role. */
#include "ir/roles.h"
#include "base/diag.h"
#include "verify/loop_role.h"
#include "verify/roles_prove.h"

enum { ALL_FORMS = -1 };

static swp_status prove_extent(swp_role_prover *v, int form)
{
    if (v->model.schedule->output_tiles)
        return swp_verify_role_tiles(v);
    return v->part.extent == SWP_ONE_RUN ? swp_verify_role_shown_run(v)
                                         : swp_verify_role_forms(v, form);
}

/* With output tiles a run may have tiles of all forms. */
static swp_status check_form(swp_context *ctx, const swp_schedule *schedule, int form)
{
    if (form < 0 || !schedule->output_tiles)
        return SWP_OK;
    return swp_error(ctx, SWP_E0704, SWP_NOWHERE, "let all forms be judged together",
                     "form %d of a schedule with output tiles has no runs of its own", form);
}

/* Without warp roles those of an epilogue or a straight list come behind all of the forms before. */
static swp_status sort_by_form(swp_context *ctx, const swp_schedule *schedule,
                               swp_hazard_list *hazards)
{
    const int forms = swp_schedule_forms(schedule);
    swp_hazard_list sorted = {0};
    for (int form = 0; form < forms && forms > 1; form++)
        for (size_t i = 0; i < hazards->count; i++) {
            const swp_hazard *hazard = &hazards->items[i];
            const bool is_shared = hazard->at.phase != SWP_EPILOGUE;
            if (form == (is_shared ? 0 : swp_schedule_form_of(schedule, hazard->smallest_n)))
                SWP_TRY(SWP_PUSH(ctx, &sorted, *hazard));
        }
    if (sorted.count == hazards->count)
        *hazards = sorted;
    return SWP_OK;
}

static swp_status verify(swp_context *ctx, const swp_schedule *schedule, int form,
                         swp_role_prover v)
{
    const swp_schedule *listed = schedule;
    swp_context scratch;
    swp_verdict *out = v.out;
    v.is_flat = swp_verify_tells_all(schedule);
    if (v.is_flat) /* behind what is accepted, too */
        v.accepted = (swp_acceptances){0};
    v.ctx = ctx;
    v.scratch = &scratch;
    *out = (swp_verdict){0};
    if (!v.is_flat)
        SWP_TRY(swp_ir_check_role_loop(ctx, schedule));
    SWP_TRY(check_form(ctx, schedule, form));
    SWP_TRY(swp_scope_open(ctx, &scratch));
    swp_schedule role;
    swp_status status = SWP_OK;
    if (v.is_flat) {
        status = swp_verify_loop_as_role(&scratch, schedule, &role);
        schedule = &role;
    }
    if (status == SWP_OK)
        status = swp_verify_role_model_build(&scratch, schedule, &v.model);
    if (status == SWP_OK)
        status = prove_extent(&v, form);
    swp_scope_close(&scratch);
    out->safe = out->hazards.count == 0;
    swp_verify_role_sort(&out->hazards);
    if (status == SWP_OK && v.is_flat)
        status = sort_by_form(ctx, listed, &out->hazards);
    return status;
}

swp_status swp_verify_roles(swp_context *ctx, const swp_schedule *schedule, int form,
                            swp_acceptances accepted, swp_verdict *out)
{
    return verify(
        ctx, schedule, form,
        (swp_role_prover){.without = SWP_HAPPENS_NO_RULE, .accepted = accepted, .out = out});
}

swp_status swp_verify_roles_until_unsafe(swp_context *ctx, const swp_schedule *schedule, int form,
                                         swp_role_need_of_proof need, swp_role_form_work *works,
                                         swp_verdict *out)
{
    return verify(ctx, schedule, form,
                  (swp_role_prover){.without = SWP_HAPPENS_NO_RULE,
                                    .part = {.extent = SWP_SOME_HAZARD, .need = need},
                                    .works = works,
                                    .out = out});
}

swp_status swp_verify_roles_ask(swp_context *ctx, const swp_schedule *schedule, swp_role_part part,
                                swp_acceptances accepted, swp_verdict *out)
{
    return verify(
        ctx, schedule, ALL_FORMS,
        (swp_role_prover){
            .without = SWP_HAPPENS_NO_RULE, .part = part, .accepted = accepted, .out = out});
}

swp_status swp_verify_roles_without(swp_context *ctx, const swp_schedule *schedule, int form,
                                    swp_happens_rule without, swp_verdict *out)
{
    const bool is_one = without == SWP_HAPPENS_EVERY_FORM && !schedule->output_tiles;
    return verify(ctx, schedule, is_one && form == ALL_FORMS ? 0 : form,
                  (swp_role_prover){.without = without, .out = out});
}
