/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles a pass by the cycle model, of the schedule and of the code. */
#include "audit/match/validation.h"

#include "swp/simulate.h"

static double cycles_a_pass(const swp_simulation *simulation)
{
    return (double)simulation->cycles / simulation->passes;
}

/* What each wait that the compiler put in stalls. */
static void add_stalls(const swp_validation *v, const swp_rebuilt *code,
                       const swp_simulation *simulation)
{
    for (size_t i = 0; i < v->out->changes.count; i++) {
        swp_audit_change *change = &v->out->changes.items[i];
        if (change->kind != SWP_AUDIT_ADDED || change->phase != SWP_KERNEL)
            continue;
        change->has_cycles = true;
        for (size_t s = 0; s < simulation->stalls.count; s++) {
            const swp_stall *stall = &simulation->stalls.items[s];
            const int item = code->items[SWP_KERNEL][stall->entry];
            if (stall->group == 0 && item >= 0 &&
                swp_match_item_insn(&v->walk, &v->walk.list.items[item])->line == change->at.line)
                change->cycles += stall->cycles / simulation->passes;
        }
    }
}

/* What the cycle model cannot count has no cycles; that is no fault of the code. */
static swp_status simulate(const swp_validation *v, const swp_schedule *schedule,
                           swp_simulation *out, bool *counted)
{
    const size_t reported = v->ctx->diags->count;
    const swp_status status = swp_simulate(v->ctx, schedule, NULL, out);
    *counted = status == SWP_OK;
    if (swp_ends_work(status))
        return status;
    v->ctx->diags->count = reported;
    return SWP_OK;
}

swp_status swp_match_count_cycles(swp_validation *validation)
{
    swp_simulation schedule;
    swp_simulation simulation;
    swp_rebuilt code;
    bool counted[2];
    SWP_TRY(swp_match_rebuild(&validation->attribution, swp_match_lag(validation), SWP_VIEW_CYCLES,
                              &code));
    if (validation->attribution.obstacles.count)
        return SWP_OK;
    SWP_TRY(simulate(validation, validation->schedule, &schedule, &counted[0]));
    SWP_TRY(simulate(validation, &code.schedule, &simulation, &counted[1]));
    validation->out->has_cycles = counted[0] && counted[1];
    if (validation->out->has_cycles) {
        validation->out->schedule_cycles = cycles_a_pass(&schedule);
        validation->out->code_cycles = cycles_a_pass(&simulation);
        add_stalls(validation, &code, &simulation);
    }
    return SWP_OK;
}
