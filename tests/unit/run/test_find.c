/* SPDX-License-Identifier: Apache-2.0 */
/* For each kind of hazard a minimal program, and the execution that shows it. */
#include "small_loop.h"

typedef struct hazard_case {
    swp_hazard hazard;
    const char *prologue;
    const char *kernel;
    const char *epilogue;
    int n; /* the least that shows it */
    swp_symptom symptom;
} hazard_case;

#define AT(kind_, phase_, entry_) .kind = (kind_), .at = {SWP_##phase_, (entry_)}
#define OTHER(phase_, entry_, passes_)                                                             \
    .has_other = true, .other = {SWP_##phase_, (entry_)}, .passes_before = (passes_)

static const hazard_case cases[] = {
    {{AT(SWP_STALE_READ, EPILOGUE, 1), OTHER(PROLOGUE, 1, 1)},
     "LA00@k0 LB00@k0 vm1 bar",
     SAFE_KERNEL,
     SAFE_EPILOGUE,
     1,
     SWP_WRONG_VALUE},
    /* Shown only if the load of tile -1 overtakes one of tile 0 and the other comes late. */
    {{AT(SWP_STALE_READ, EPILOGUE, 0), OTHER(PROLOGUE, 3, 1)},
     "LA00@prev LB00@k0 LA00@k0 LA00@k0 vm1 bar",
     SAFE_KERNEL,
     SAFE_EPILOGUE,
     1,
     SWP_WRONG_VALUE},
    /* Of four loads one overtakes two of the right tile, and one more comes after the read. */
    {{AT(SWP_STALE_READ, EPILOGUE, 0), OTHER(PROLOGUE, 4, 1)},
     "LA00@prev LB00@k0 LA00@k0 LA00@k0 LA00@k0 vm1 bar",
     SAFE_KERNEL,
     SAFE_EPILOGUE,
     1,
     SWP_WRONG_VALUE},
    {{AT(SWP_OVERWRITTEN, KERNEL, 3), OTHER(KERNEL, 0, 0)},
     SAFE_PROLOGUE,
     "FA00 FB00 lgkm0 LA00@k0 bar LB00@k0 M00 vm0 bar",
     SAFE_EPILOGUE,
     2,
     SWP_WRONG_VALUE},
    {{AT(SWP_WRITE_RACE, PROLOGUE, 1), OTHER(PROLOGUE, 0, 0)},
     "LA00@prev LA00@k0 LB00@k0 vm0 bar",
     SAFE_KERNEL,
     SAFE_EPILOGUE,
     1,
     SWP_WRONG_VALUE},
    {{AT(SWP_WRONG_TILE, EPILOGUE, 2)},
     SAFE_PROLOGUE,
     "FA00 FB00 lgkm0 bar LA00@k0 M00 vm0 bar",
     SAFE_EPILOGUE,
     2,
     SWP_WRONG_VALUE},
    {{AT(SWP_MISSING_WORK, EPILOGUE, 2)},
     SAFE_PROLOGUE,
     SAFE_KERNEL,
     "FA00 FB00",
     1,
     SWP_WRONG_VALUE},
    {{AT(SWP_DOUBLE_WORK, EPILOGUE, 3)},
     SAFE_PROLOGUE,
     SAFE_KERNEL,
     "FA00 FB00 M00 M00",
     1,
     SWP_WRONG_VALUE},
    {{AT(SWP_REGISTER_NOT_READY, EPILOGUE, 2), OTHER(EPILOGUE, 1, 0)},
     SAFE_PROLOGUE,
     SAFE_KERNEL,
     "FA00 FB00 lgkm1 M00",
     1,
     SWP_WRONG_VALUE},
    {{AT(SWP_OUT_OF_RANGE, PROLOGUE, 2)},
     "LA00@k0 LB00@k0 LA10@k1 vm0 bar",
     SAFE_KERNEL,
     SAFE_EPILOGUE,
     1,
     SWP_TILE_OUTSIDE},
    {{AT(SWP_DEADLOCK, EPILOGUE, 3)},
     SAFE_PROLOGUE,
     SAFE_KERNEL,
     SAFE_EPILOGUE,
     1,
     SWP_WAITS_FOR_EVER},
    {{AT(SWP_COUNTER, PROLOGUE, 1)},
     SAFE_PROLOGUE,
     SAFE_KERNEL,
     SAFE_EPILOGUE,
     1,
     SWP_COUNTER_PASSED},
};

static swp_schedule loop_of(swp_context *ctx, const hazard_case *c)
{
    swp_schedule loop = small_loop(ctx, c->prologue, c->kernel, c->epilogue);
    if (c->hazard.kind == SWP_REGISTER_NOT_READY)
        loop.machine.registers = SWP_REGISTERS_RAW;
    if (c->hazard.kind == SWP_COUNTER) {
        loop.machine.counter_full = SWP_COUNTER_WRAPS;
        loop.machine.vm_max = 1;
    }
    if (c->hazard.kind == SWP_DEADLOCK) {
        loop.machine.groups = 2;
        loop.machine.lag = 1;
        loop.machine.lag_end_barrier = false;
    }
    return loop;
}

static void every_kind_of_hazard_is_shown_by_an_execution(void **state)
{
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const swp_schedule loop = loop_of(ctx, &cases[i]);
        swp_counterexample found;
        swp_run_outcome outcome;
        swp_hazard hazard = cases[i].hazard;
        hazard.smallest_n = cases[i].n;
        assert_ok(ctx, swp_counterexample_find(ctx, &loop, &hazard, &found));
        assert_int_equal(found.n, cases[i].n);
        assert_int_equal(found.kind, hazard.kind);
        assert_int_equal(found.symptom, cases[i].symptom);
        assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome));
        assert_int_equal(outcome.symptom, cases[i].symptom);
        assert_int_equal(found.has_value, outcome.values.count > 0);
        if (found.has_value)
            assert_int_equal(outcome.values.items[0].got, found.value.got);
    }
}

/* Where several things go wrong, the execution shows the one that was asked for. */
static void the_two_accesses_of_the_hazard_meet_first(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = small_loop(ctx, "LA00@k0 LB00@k0", SAFE_KERNEL, SAFE_EPILOGUE);
    for (int entry = 0; entry < 2; entry++) {
        const swp_hazard hazard = {AT(SWP_STALE_READ, EPILOGUE, entry), OTHER(PROLOGUE, entry, 1),
                                   .smallest_n = 1};
        swp_counterexample found;
        swp_run_outcome outcome;
        assert_ok(ctx, swp_counterexample_find(ctx, &loop, &hazard, &found));
        assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome));
        assert_int_equal(outcome.operands.items[0].reader.phase, SWP_EPILOGUE);
        assert_int_equal(outcome.operands.items[0].reader.entry, entry);
        assert_int_equal(outcome.operands.items[0].other.entry, entry);
    }
}

/* The group that is overtaken never comes to its end, but it has added a wrong product by then. */
static void a_wave_that_waits_for_ever_shows_the_products_that_it_came_to(void **state)
{
    swp_context *ctx = *state;
    const swp_hazard hazard = {AT(SWP_OVERWRITTEN, KERNEL, 4), OTHER(KERNEL, 0, 0),
                               .smallest_n = 2};
    swp_counterexample found;
    swp_run_outcome outcome;
    swp_schedule loop = safe_loop(ctx);
    loop.machine.groups = 2;
    loop.machine.waves_per_group = 1;
    loop.machine.lag = 1;
    loop.machine.lag_end_barrier = false;
    assert_ok(ctx, swp_counterexample_find(ctx, &loop, &hazard, &found));
    assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &found, &outcome));
    assert_int_equal(found.n, 2);
    assert_int_equal(outcome.symptom, SWP_WAITS_FOR_EVER);
    assert_int_equal(outcome.values.count, 1);
    assert_int_equal(outcome.values.items[0].wave, 1);
    loop.streams[0].kernel =
        entries_of_text(ctx, SWP_KERNEL, "FA00 FB00 lgkm0 bar bar LA00@k0 LB00@k0 M00 vm0 bar bar");
    for (uint64_t seed = 0; seed < 64; seed++) {
        outcome = run_once(ctx, &loop, 2, SWP_TIMING_ADVERSARIAL, seed);
        assert_int_equal(outcome.stuck.count, 1);
        assert_int_equal(outcome.values.count, 0);
    }
}

static void an_ordered_pair_is_no_hazard_that_an_execution_could_show(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = safe_loop(ctx);
    const swp_hazard hazard = {AT(SWP_OVERWRITTEN, KERNEL, 4), OTHER(KERNEL, 0, 0),
                               .smallest_n = 2};
    swp_counterexample found;
    assert_status(ctx, swp_counterexample_find(ctx, &loop, &hazard, &found), SWP_INFEASIBLE);
    assert_diag(ctx, "E0714", "overwritten at kernel entry 4");
}

/* The register held the same tile before, or LDS operations come in order anyway. */
static const hazard_case right_cases[] = {
    {{AT(SWP_REGISTER_NOT_READY, EPILOGUE, 4), OTHER(EPILOGUE, 3, 0)},
     SAFE_PROLOGUE,
     SAFE_KERNEL,
     "FA00 FB00 lgkm0 FA00 M00",
     1,
     SWP_REGISTER_IN_FLIGHT},
    {{AT(SWP_REGISTER_NOT_READY, EPILOGUE, 1), OTHER(EPILOGUE, 0, 0)},
     SAFE_PROLOGUE,
     SAFE_KERNEL,
     "FA00 FA00 FB00 lgkm0 M00",
     1,
     SWP_REGISTER_IN_FLIGHT},
    /* The last two tiles, the last of them first. */
    {{AT(SWP_WRONG_TILE, EPILOGUE, 3), OTHER(EPILOGUE, 0, 0)},
     "LA00@k0 LB00@k0 LA10@k1 LB10@k1 vm0 bar",
     SAFE_KERNEL,
     "FA10 FB10 lgkm0 M00 FA00 FB00 lgkm0 M00",
     2,
     SWP_OTHER_TILE},
};

static void a_hazard_of_which_no_number_goes_wrong_is_shown_all_the_same(void **state)
{
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(right_cases); i++) {
        const hazard_case *c = &right_cases[i];
        swp_schedule loop = loop_of(ctx, c);
        swp_counterexample found;
        swp_counterexample read;
        swp_run_outcome outcome;
        char *text = NULL;
        size_t length = 0;
        swp_hazard hazard = c->hazard;
        hazard.smallest_n = c->n;
        loop.loop.min_tiles = c->n;
        swp_verdict verdict;
        assert_ok(ctx, swp_verify(ctx, &loop, NULL, 0, &verdict));
        bool told = false;
        for (size_t h = 0; h < verdict.hazards.count; h++)
            told |= verdict.hazards.items[h].kind == hazard.kind &&
                    verdict.hazards.items[h].at.phase == hazard.at.phase &&
                    verdict.hazards.items[h].at.entry == hazard.at.entry &&
                    verdict.hazards.items[h].smallest_n == c->n;
        assert_true(told);
        assert_ok(ctx, swp_counterexample_find(ctx, &loop, &hazard, &found));
        assert_int_equal(found.n, c->n);
        assert_int_equal(found.symptom, c->symptom);
        assert_false(found.has_value);
        assert_ok(ctx, swp_counterexample_write(ctx, &found, &text, &length));
        assert_ok(ctx, swp_counterexample_read(ctx, text, length, "cex.json", &read));
        assert_ok(ctx, swp_counterexample_replay(ctx, &loop, &read, &outcome));
        (void)swp_context_diags(ctx, &length);
        assert_int_equal(length, 0);
        assert_int_equal(outcome.symptom, c->symptom);
        assert_int_equal(outcome.values.count, 0);
        if (c->symptom == SWP_REGISTER_IN_FLIGHT) {
            assert_int_equal(outcome.unready.items[0].phase, hazard.at.phase);
            assert_int_equal(outcome.unready.items[0].entry, hazard.at.entry);
        }
        assert_ok(ctx, swp_run_outcome_text(ctx, &loop, &outcome, &text, &length));
        assert_non_null(strstr(text, c->symptom == SWP_OTHER_TILE
                                         ? "reads tile 1 instead of tile 0"
                                         : "finds a register whose load is in flight"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_kind_of_hazard_is_shown_by_an_execution),
        CONTEXT_TEST(the_two_accesses_of_the_hazard_meet_first),
        CONTEXT_TEST(a_wave_that_waits_for_ever_shows_the_products_that_it_came_to),
        CONTEXT_TEST(a_hazard_of_which_no_number_goes_wrong_is_shown_all_the_same),
        CONTEXT_TEST(an_ordered_pair_is_no_hazard_that_an_execution_could_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
