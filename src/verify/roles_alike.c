/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the proof of runs at a cut that is in the state of an earlier one (docs/roles-proof.md, "Sooner, by states"). */
#include "verify/roles_runs.h"

/* The same run, which takes other memory. */
static swp_happens_run run_within(swp_context *ctx, const swp_happens_run *run)
{
    swp_happens_run same = *run;
    same.ctx = ctx;
    return same;
}

/* @return passes behind which a cut was in the same state; that of this cut: none was */
static swp_status find_alike(swp_role_prover *v, swp_context *ctx, swp_role_shared_passes *shared,
                             int *alike)
{
    const swp_happens_run run = run_within(ctx, &shared->run);
    swp_role_judge judge = {.ctx = v->ctx,
                            .model = &v->model,
                            .run = &run,
                            .forms = shared->forms,
                            .form_count = shared->form_count,
                            .reach = &shared->reach,
                            .is_seen = v->is_seen};
    swp_role_state state = {0};
    SWP_TRY(swp_verify_role_state(&judge, &state, NULL));
    SWP_TRY(SWP_PUSH(ctx, &state, -1)); /* no zeros at the end */
    return swp_key_index_number(v->scratch, &shared->states, state.items,
                                state.count * sizeof *state.items, run.passes, alike);
}

/*
 * Whether states may be asked for. With warp roles a hazard may cut short what is told of a run, and a cut that a form may not end
 * at says nothing of that form: then the order itself has to come back.
 */
static bool has_states(const swp_role_prover *v, const swp_role_shared_passes *shared)
{
    if (v->is_flat)
        return true;
    for (int i = 0; i < shared->form_count; i++)
        if (!swp_happens_run_may_end(&shared->run, shared->forms[i]))
            return false;
    return v->out->hazards.count == 0;
}

swp_status swp_verify_role_end_alike(swp_role_prover *v, swp_role_form_proof *forms,
                                     swp_role_shared_passes *shared)
{
    swp_context inner;
    int alike = shared->run.passes;
    if (!has_states(v, shared))
        return SWP_OK;
    SWP_TRY(swp_scope_open(v->scratch, &inner));
    const swp_status status = find_alike(v, &inner, shared, &alike);
    swp_scope_close(&inner);
    SWP_TRY(status);
    for (int i = 0; i < shared->form_count && alike < shared->run.passes; i++) {
        if (forms[i].last >= 0)
            continue;
        forms[i].period = shared->run.passes - alike;
        forms[i].last = shared->run.passes + forms[i].period - 1; /* counts grow in each */
    }
    return SWP_OK;
}
