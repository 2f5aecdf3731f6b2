/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on a schedule: what the proofs of its forms find, taken together, less what is accepted. */
#include "base/diag.h"
#include "base/require.h"
#include "ir/effects.h"
#include "ir/roles.h"
#include "verify/acceptance.h"
#include "verify/model.h"
#include "verify/passes.h"
#include "verify/roles.h"

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

/*
 * Takes together what all forms found. They share prologue and kernel. For each entry there and each kind of hazard
 * `shared` says where in the list the hazard stands, counted from 1; 0: there is none.
 */
typedef struct merger {
    swp_context *ctx;
    swp_verdict *out;
    size_t *shared[SWP_EPILOGUE];
} merger;

static swp_status begin_merge(merger *m, const swp_schedule *schedule)
{
    for (int phase = SWP_PROLOGUE; phase < SWP_EPILOGUE; phase++)
        SWP_TRY(SWP_TAKE(
            m->ctx, (swp_schedule_phase(schedule, (swp_phase)phase)->count + 1) * SWP_HAZARD_KINDS,
            &m->shared[phase]));
    return SWP_OK;
}

/* Of a hazard that several forms share, in the lists that they share, the one with the least N stays. */
static swp_status merge_hazard(merger *m, const swp_hazard *new)
{
    swp_hazard_list *all = &m->out->hazards;
    size_t own = 0; /* in the epilogue none is shared */
    size_t *place = &own;
    if (new->at.phase != SWP_EPILOGUE)
        place = &m->shared[new->at.phase][new->at.entry *SWP_HAZARD_KINDS + (int)new->kind];
    if (*place > 0) {
        swp_hazard *same = &all->items[*place - 1];
        if (new->smallest_n < same->smallest_n)
            *same = *new;
        return SWP_OK;
    }
    *place = all->count + 1;
    return SWP_PUSH(m->ctx, all, *new);
}

static swp_status merge(merger *m, const swp_verdict *form)
{
    swp_verdict *out = m->out;
    out->safe = out->safe && form->safe;
    if (form->passes_explored > out->passes_explored)
        out->passes_explored = form->passes_explored;
    for (size_t i = 0; i < form->hazards.count; i++)
        SWP_TRY(merge_hazard(m, &form->hazards.items[i]));
    return SWP_OK;
}

swp_status swp_verify_without(swp_context *ctx, const swp_schedule *schedule, swp_rule rule,
                              swp_verdict *out)
{
    merger m = {.ctx = ctx, .out = out};
    *out = (swp_verdict){.safe = true};
    SWP_TRY(swp_schedule_check_loop(ctx, schedule));
    SWP_TRY(begin_merge(&m, schedule));
    for (int i = 0; i < swp_schedule_forms(schedule); i++) {
        const swp_schedule form = swp_schedule_form(schedule, i);
        swp_verdict verdict;
        const swp_status status = swp_verify_passes(ctx, &form, rule, &verdict);
        out->work += verdict.work;
        SWP_TRY(status);
        SWP_TRY(merge(&m, &verdict));
    }
    return SWP_OK;
}

/* Whether each entry of a form means something. */
static swp_status check_entries(swp_context *ctx, const swp_schedule *schedule, int number)
{
    const swp_schedule form = swp_schedule_form(schedule, number);
    swp_context scratch;
    swp_effects effects;
    SWP_TRY(swp_scope_open(ctx, &scratch));
    swp_status status = swp_ir_effects(&scratch, &form, &effects);
    if (status == SWP_OK)
        status = swp_ir_check_effects(&scratch, &effects);
    swp_scope_close(&scratch);
    return status;
}

swp_status swp_verify_form(swp_context *ctx, const swp_schedule *schedule, int form,
                           swp_verdict *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    if (swp_ir_has_roles(schedule))
        return swp_verify_roles(ctx, schedule, form, (swp_acceptances){0}, out);
    if (schedule->dataflow) {
        SWP_TRY(check_entries(ctx, schedule, form));
        return swp_verify_loop(ctx, schedule, form, SWP_ALL_HAZARDS, SWP_HAPPENS_NO_RULE, out);
    }
    const swp_schedule one = swp_schedule_form(schedule, form);
    return swp_verify_passes(ctx, &one, SWP_NO_RULE, out);
}

static swp_status verify_loop(swp_context *ctx, const swp_schedule *schedule, swp_verdict *out)
{
    SWP_TRY(swp_schedule_check_loop(ctx, schedule));
    for (int form = 0; form < swp_schedule_forms(schedule); form++)
        SWP_TRY(check_entries(ctx, schedule, form));
    return swp_verify_loop(ctx, schedule, ALL_FORMS, SWP_ALL_HAZARDS, SWP_HAPPENS_NO_RULE, out);
}

swp_status swp_verify(swp_context *ctx, const swp_schedule *schedule,
                      const swp_acceptance *accepted, size_t accepted_count, swp_verdict *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && (accepted || accepted_count == 0) && out);
    const swp_acceptances taken = {accepted, accepted_count};
    if (swp_ir_has_roles(schedule))
        SWP_TRY(swp_verify_roles(ctx, schedule, ALL_FORMS, taken, out));
    else if (schedule->dataflow)
        SWP_TRY(verify_loop(ctx, schedule, out));
    else
        SWP_TRY(swp_verify_without(ctx, schedule, SWP_NO_RULE, out));
    return accept(ctx, accepted, accepted_count, out);
}
