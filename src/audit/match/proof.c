/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the schedule that code carries out is safe. */
#include "audit/match/validation.h"

#include "audit/flow/findings.h"

static bool has_hazard(const swp_verdict *own, swp_hazard_kind kind, swp_entry_ref ref)
{
    for (size_t i = 0; i < own->hazards.count; i++) {
        const swp_hazard *hazard = &own->hazards.items[i];
        if (hazard->kind == kind && hazard->at.phase == ref.phase && hazard->at.entry == ref.entry)
            return true;
    }
    return false;
}

static int item_at(const swp_rebuilt *code, swp_entry_ref ref)
{
    const swp_entry_list *entries = swp_schedule_phase(&code->schedule, ref.phase);
    const bool there = ref.entry >= 0 && (size_t)ref.entry < entries->count;
    return there ? code->items[ref.phase][ref.entry] : -1;
}

static swp_status set_site(const swp_validation *v, int item, swp_audit_site *out)
{
    const swp_insn *insn =
        item < 0 ? NULL : swp_match_item_insn(&v->walk, &v->walk.list.items[item]);
    return swp_flow_set_site(v->ctx, insn, out);
}

static bool known_already(const swp_validation *v, const swp_audit_hazard *hazard)
{
    for (size_t i = 0; i < v->out->hazards.count; i++) {
        const swp_audit_hazard *known = &v->out->hazards.items[i];
        if (known->kind == hazard->kind && known->ref.phase == hazard->ref.phase &&
            known->ref.entry == hazard->ref.entry &&
            (hazard->ref.entry >= 0 || known->at.line == hazard->at.line))
            return true;
    }
    return false;
}

static swp_status add_hazard(swp_validation *v, const swp_verdict *own, const swp_rebuilt *code,
                             const swp_hazard *found)
{
    const int item = item_at(code, found->at);
    const int other = found->has_other ? item_at(code, found->other) : -1;
    const int entry = item >= 0 ? v->attribution.entry_of[item] : -1;
    swp_audit_hazard hazard = {.kind = found->kind,
                               .ref = {found->at.phase, entry},
                               .passes_before = found->passes_before,
                               .smallest_n = found->smallest_n,
                               .other_ref = {found->other.phase, -1},
                               .detail = swp_hazard_meaning(found->kind),
                               .hint = found->hint};
    if (other >= 0 && v->attribution.entry_of[other] >= 0) {
        hazard.other_ref.entry = v->attribution.entry_of[other];
        const int tag = swp_match_item_entry(&v->attribution, other)->op.tag;
        SWP_TRY(swp_code_copy_printable_name(v->ctx, swp_schedule_op_name(v->schedule, tag),
                                             &hazard.other_name));
    }
    SWP_TRY(swp_code_copy_printable_name(v->ctx, found->name, &hazard.name));
    hazard.in_schedule = has_hazard(own, found->kind, entry >= 0 ? hazard.ref : found->at);
    SWP_TRY(set_site(v, item, &hazard.at));
    SWP_TRY(set_site(v, other, &hazard.other));
    return known_already(v, &hazard) ? SWP_OK : SWP_PUSH(v->ctx, &v->out->hazards, hazard);
}

/* Registers are judged by number, instruction by instruction, which says more. */
static swp_status prove(swp_validation *v, const swp_verdict *own, swp_rebuild_view view)
{
    swp_verdict verdict;
    swp_rebuilt code;
    SWP_TRY(swp_match_rebuild(&v->attribution, swp_match_lag(v), view, &code));
    if (v->attribution.obstacles.count)
        return SWP_OK;
    SWP_TRY(swp_verify(v->ctx, &code.schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < verdict.hazards.count; i++)
        if (verdict.hazards.items[i].kind != SWP_REGISTER_NOT_READY)
            SWP_TRY(add_hazard(v, own, &code, &verdict.hazards.items[i]));
    return SWP_OK;
}

static bool some_lag(const swp_lag *lag)
{
    bool some = false;
    for (int w = 0; w < SWP_MOST_WAVES; w++)
        some |= lag->barriers[w] != 0;
    return some;
}

/*
 * A barrier behind the loop that some waves execute alone must bring back all that lag, or waves wait
 * for ever. The proof of the schedule takes for granted that it does.
 */
static swp_status check_last_barrier(const swp_validation *v)
{
    const swp_flow *flow = v->path->flow;
    const int barrier = v->path->lag_barrier[SWP_EPILOGUE];
    if (barrier < 0)
        return SWP_OK;
    const int after = flow->blocks[swp_flow_block_of(flow, barrier)].post_dominator;
    if (after < 0 || v->lags->items[after].unknown >= 0)
        return swp_match_obstacle(v, barrier, "is executed by waves that cannot be told");
    if (!some_lag(&v->lags->items[after]))
        return SWP_OK;
    swp_audit_hazard hazard = {.kind = SWP_DEADLOCK,
                               .ref = {SWP_EPILOGUE, -1},
                               .other_ref = {SWP_EPILOGUE, -1},
                               .smallest_n = v->schedule->loop.min_tiles,
                               .name = "barrier",
                               .detail = swp_hazard_meaning(SWP_DEADLOCK),
                               .hint =
                                   "let those waves execute it, and no others, that executed one "
                                   "barrier less before the loop"};
    SWP_TRY(swp_flow_set_site(v->ctx, &flow->code->insns.items[barrier], &hazard.at));
    return SWP_PUSH(v->ctx, &v->out->hazards, hazard);
}

swp_status swp_match_prove(swp_validation *validation)
{
    swp_verdict own;
    SWP_TRY(swp_verify(validation->ctx, validation->schedule, NULL, 0, &own));
    SWP_TRY(prove(validation, &own, SWP_VIEW_OVERWRITES));
    SWP_TRY(prove(validation, &own, SWP_VIEW_ARRIVALS));
    return check_last_barrier(validation);
}
