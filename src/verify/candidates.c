/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, for each kind of hazard, the edits that may remove it, the nearest positions first. */
#include "verify/candidates.h"

#include "verify/body_candidates.h"
#include "verify/op_candidates.h"
#include "verify/role_candidates.h"

swp_status swp_verify_offer_moves(swp_finder *f, swp_entry_ref at)
{
    const int count = (int)swp_entries_of(f, at.phase)->count;
    if (!swp_sync_op_at(f, at))
        return SWP_OK;
    for (int distance = 1; distance < count && !swp_edits_full(f->out); distance++) {
        const int later = at.entry + 1 + distance;
        const int earlier = at.entry - distance;
        if (earlier >= 0)
            SWP_TRY(swp_offer(f, (swp_edit){.kind = SWP_EDIT_MOVE, .at = at, .to = earlier}));
        if (later <= count)
            SWP_TRY(swp_offer(f, (swp_edit){.kind = SWP_EDIT_MOVE, .at = at, .to = later}));
    }
    return SWP_OK;
}

swp_status swp_verify_offer_removal(swp_finder *f, swp_entry_ref at)
{
    return swp_sync_op_at(f, at) ? swp_offer(f, (swp_edit){.kind = SWP_EDIT_REMOVE, .at = at})
                                 : SWP_OK;
}

swp_status swp_verify_offer_both(swp_finder *f,
                                 swp_status (*offer_each)(swp_finder *f, swp_entry_ref at))
{
    SWP_TRY(offer_each(f, f->hazard->at));
    return f->hazard->has_other ? offer_each(f, f->hazard->other) : SWP_OK;
}

/* An op of a loop may be done for another iteration, or by one entry more. */
static swp_status find_for_ops(swp_finder *f)
{
    const swp_hazard *h = f->hazard;
    if (h->kind == SWP_MISSING_WORK)
        SWP_TRY(swp_verify_offer_missing_op(f));
    SWP_TRY(swp_verify_offer_order(f));
    SWP_TRY(swp_verify_offer_iterations(f->ctx, f->schedule, h->at, f->out));
    if (h->kind == SWP_DOUBLE_WORK || h->kind == SWP_OUT_OF_RANGE)
        SWP_TRY(swp_verify_offer_removal(f, h->at));
    SWP_TRY(swp_verify_offer_both(f, swp_verify_offer_moves));
    return swp_verify_offer_makers(f);
}

/* Without roles an edit is one of the form that has the hazard. */
static swp_status find_in_form(swp_context *ctx, const swp_schedule *schedule,
                               const swp_hazard *hazard, swp_edit_list *out)
{
    const int number = swp_verify_hazard_form(schedule, hazard);
    const swp_schedule form = swp_schedule_form(schedule, number);
    const swp_loop *loop = schedule->dataflow ? schedule->dataflow->loop : NULL;
    swp_finder f = {ctx, &form, loop, hazard, out};
    const bool is_of_entries = hazard->kind != SWP_DEADLOCK && hazard->kind != SWP_COUNTER;
    SWP_TRY(loop && is_of_entries ? find_for_ops(&f) : swp_verify_find_for_body(&f));
    for (size_t i = 0; i < out->count; i++)
        out->items[i].form = number;
    return SWP_OK;
}

swp_status swp_verify_candidates_find(swp_context *ctx, const swp_trials *trials,
                                      const swp_hazard *hazard, swp_edit_list *out)
{
    enum { MOST_OF_FORM = 700, MOST_OF_ROLES = 8000 };
    const bool of_run = trials->ends_at_first;
    out->most = of_run ? MOST_OF_ROLES : MOST_OF_FORM;
    return (of_run ? swp_verify_role_candidates_find : find_in_form)(ctx, trials->schedule, hazard,
                                                                     out);
}
