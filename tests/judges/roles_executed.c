/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_executed.h"

#include "fixture.h"

#include "swp/run.h"

/*
 * Whether the entry itself breaks the rule, of a hazard whose execution shows a broken rule. Behind a wait that took
 * another phase for its own the hardware is astray: of several such the first is shown.
 */
static bool is_broken_there(const swp_hazard *hazard, const swp_counterexample *example,
                            const swp_run_outcome *outcome)
{
    if (example->symptom < SWP_BREAKS_ARRIVALS || example->symptom == SWP_BREAKS_PHASE_ALIAS)
        return outcome->symptom != SWP_NO_SYMPTOM;
    for (size_t i = 0; i < outcome->broken.count; i++) {
        const swp_broken_rule *broken = &outcome->broken.items[i];
        if (broken->rule == example->symptom && broken->at.stream == hazard->stream &&
            broken->at.phase == hazard->at.phase && broken->at.entry == hazard->at.entry)
            return true;
    }
    return false;
}

/* Whether an execution of the hazard is found, and goes wrong again when it is replayed. */
static bool is_shown(swp_context *ctx, const swp_schedule *schedule, const swp_hazard *hazard)
{
    swp_counterexample example;
    swp_run_outcome outcome = {0};
    const swp_status status = swp_counterexample_find(ctx, schedule, hazard, &example);
    if (status == SWP_INFEASIBLE)
        return false;
    assert_ok(ctx, status);
    assert_ok(ctx, swp_counterexample_replay(ctx, schedule, &example, &outcome));
    assert_no_diag(ctx, "W0710");
    return is_broken_there(hazard, &example, &outcome);
}

bool roles_run_as_proven(swp_context *ctx, const swp_schedule *schedule, roles_executions *seen)
{
    const swp_run_sweep sweep = {.seeds = 64, .timing = SWP_TIMING_ADVERSARIAL};
    swp_run_summary runs = {0};
    swp_verdict verdict = {0};
    bool all_shown = true;
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    if (verdict.safe)
        assert_ok(ctx, swp_run_many(ctx, schedule, &sweep, &runs));
    seen->runs += (size_t)runs.runs;
    for (size_t i = 0; i < verdict.hazards.count; i++) {
        const swp_hazard *h = &verdict.hazards.items[i];
        seen->hazards++;
        if (is_shown(ctx, schedule, h))
            continue;
        all_shown = false;
        print_message("no execution shows %s of %s in %s entry %d\n", swp_hazard_name(h->kind),
                      h->role, swp_phase_name(h->at.phase), h->at.entry);
    }
    return all_shown && runs.wrong == 0;
}
