/* SPDX-License-Identifier: Apache-2.0 */
#include "executed.h"

#include "fixture.h"

#include "swp/run.h"

enum { MOST_TILES = 12 };

static void expect_hazard_shown(const swp_schedule *schedule, const swp_hazard *hazard,
                                const char *what)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_counterexample found;
    swp_run_outcome outcome;
    assert_non_null(ctx);
    const swp_status status = swp_counterexample_find(ctx, schedule, hazard, &found);
    if (status != SWP_OK || found.n != hazard->smallest_n)
        fail_msg("%s: %s at %s entry %d is not shown at N = %d", what,
                 swp_hazard_name(hazard->kind), swp_phase_name(hazard->at.phase), hazard->at.entry,
                 hazard->smallest_n);
    assert_ok(ctx, swp_counterexample_replay(ctx, schedule, &found, &outcome));
    assert_int_not_equal(outcome.symptom, SWP_NO_SYMPTOM);
    if (found.has_value)
        assert_int_equal(outcome.values.items[0].got, found.value.got);
    swp_context_free(ctx);
}

void expect_shown(const swp_schedule *schedule, const swp_hazard_list *hazards, const char *what)
{
    for (size_t i = 0; i < hazards->count; i++)
        expect_hazard_shown(schedule, &hazards->items[i], what);
}

void expect_right(const swp_schedule *schedule, int runs, const char *what)
{
    const swp_loop_shape *loop = &schedule->loop;
    swp_context *ctx = swp_context_new(NULL);
    int n = loop->min_tiles;
    assert_non_null(ctx);
    for (int seed = 0; seed < runs; seed++) {
        const swp_run_options options = {
            .n = n, .timing = SWP_TIMING_ADVERSARIAL, .seed = (uint64_t)seed};
        swp_run_outcome outcome;
        assert_ok(ctx, swp_run(ctx, schedule, &options, &outcome));
        if (outcome.symptom != SWP_NO_SYMPTOM)
            fail_msg("%s is called safe, but N = %d, seed %d shows %s", what, n, seed,
                     swp_symptom_name(outcome.symptom));
        if (seed % SWP_TIMING_ADVERSARIAL == SWP_TIMING_ADVERSARIAL - 1)
            n = n + loop->multiple > MOST_TILES ? loop->min_tiles : n + loop->multiple;
    }
    swp_context_free(ctx);
}
