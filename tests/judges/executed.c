/* SPDX-License-Identifier: Apache-2.0 */
#include "executed.h"

#include "execute.h"
#include "fixture.h"

#include "swp/run.h"

enum { MOST_TILES = 12 };

void expect_shown(const swp_schedule *schedule, const swp_hazard_list *hazards, const char *what)
{
    for (size_t i = 0; i < hazards->count; i++) {
        const swp_hazard *hazard = &hazards->items[i];
        if (execute_hazard(schedule, hazard) == NOT_SHOWN)
            fail_msg("%s: %s at %s entry %d is not shown at N = %d", what,
                     swp_hazard_name(hazard->kind), swp_phase_name(hazard->at.phase),
                     hazard->at.entry, hazard->smallest_n);
    }
}

void expect_right(const swp_schedule *schedule, int runs, const char *what)
{
    const int wrong = execute_adversarially(schedule, runs, schedule->loop.min_tiles, MOST_TILES);
    if (wrong > 0)
        fail_msg("%s is called safe, but goes wrong in %d of %d runs", what, wrong, runs);
}

/*
 * What breaks a rule of warp roles breaks it at its own entry. Behind a wait that took another phase for its own the
 * hardware is astray: of several such the first is shown.
 */
static bool is_shown(const swp_schedule *schedule, const swp_hazard *hazard)
{
    const showing how = execute_hazard(schedule, hazard);
    return how == SHOWN_PLAINLY ||
           (how != NOT_SHOWN && (!breaks_a_rule(hazard->kind) || hazard->kind == SWP_PHASE_ALIAS));
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
        if (is_shown(schedule, h))
            continue;
        all_shown = false;
        print_message("no execution shows %s of %s in %s entry %d\n", swp_hazard_name(h->kind),
                      h->role, swp_phase_name(h->at.phase), h->at.entry);
    }
    return all_shown && runs.wrong == 0;
}
