/* SPDX-License-Identifier: Apache-2.0 */
#include "small_loop.h"

static void a_loop_whose_waits_and_barriers_suffice_is_right_under_every_timing(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = safe_loop(ctx);
    expect_right(ctx, &loop);
    for (int timing = 0; timing < SWP_TIMING_COUNT; timing++)
        assert_int_equal(run_once(ctx, &loop, 4, (swp_timing)timing, 7).symptom, SWP_NO_SYMPTOM);
}

static void the_single_buffer_goes_through_a_register_and_one_place(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = single_buffer_loop(ctx);
    expect_right(ctx, &loop);
    loop.machine.barrier = SWP_BARRIER_RAW;
    expect_wrong(ctx, &loop);
}

static void no_options_are_the_defaults(void **state)
{
    const swp_schedule loop = safe_loop(*state);
    swp_run_outcome outcome;
    swp_run_summary summary;
    assert_ok(*state, swp_run(*state, &loop, NULL, &outcome));
    assert_int_equal(outcome.symptom, SWP_NO_SYMPTOM);
    assert_ok(*state, swp_run_many(*state, &loop, NULL, &summary));
    assert_int_equal(summary.runs, 12 * 64);
}

static void it_counts_what_it_did(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = safe_loop(ctx);
    const swp_run_outcome outcome = run_once(ctx, &loop, 3, SWP_TIMING_LATE, 0);
    assert_int_equal(outcome.n, 3);
    assert_int_equal(outcome.passes, 2);
    assert_int_equal(outcome.waves, 2);
    /* The prologue and the barrier after it, two passes, the epilogue; for each wave. */
    assert_int_equal(outcome.issued, 2 * (4 + 1 + 2 * 9 + 3));
    assert_int_equal(outcome.accesses, 2 * (2 + 2 * 4 + 2));
}

static void a_read_before_its_load_names_both(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop =
        small_loop(ctx, "LA00@k0 LB00@k0 vm1 bar", SAFE_KERNEL, SAFE_EPILOGUE);
    assert_int_equal(run_once(ctx, &loop, 1, SWP_TIMING_EARLY, 0).symptom, SWP_NO_SYMPTOM);
    const swp_run_outcome outcome = run_once(ctx, &loop, 1, SWP_TIMING_LOADS_LATE, 0);
    assert_int_equal(outcome.symptom, SWP_WRONG_VALUE);
    assert_int_equal(outcome.values.count, 2);
    assert_true(outcome.values.items[0].got != outcome.values.items[0].expected);
    const swp_wrong_operand *operand = &outcome.operands.items[0];
    assert_int_equal(operand->reader.phase, SWP_EPILOGUE);
    assert_int_equal(operand->reader.entry, 1);
    assert_true(operand->has_other && operand->too_late);
    assert_int_equal(operand->other.phase, SWP_PROLOGUE);
    assert_int_equal(operand->other.entry, 1);
    assert_int_equal(operand->wanted, 0);
    assert_int_equal(operand->found, -1);
}

static void a_load_of_no_tile_is_seen_though_nobody_reads_it(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop =
        small_loop(ctx, "LA00@k0 LB00@k0 LA10@k1 vm0 bar", SAFE_KERNEL, SAFE_EPILOGUE);
    const swp_run_outcome outcome = run_once(ctx, &loop, 1, SWP_TIMING_EARLY, 0);
    assert_int_equal(outcome.symptom, SWP_TILE_OUTSIDE);
    assert_int_equal(outcome.outside.items[0].tile, 1);
    assert_int_equal(outcome.outside.items[0].at.entry, 2);
    assert_int_equal(run_once(ctx, &loop, 2, SWP_TIMING_EARLY, 0).symptom, SWP_NO_SYMPTOM);
}

static void products_that_are_missing_or_double_are_wrong_values(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule missing = small_loop(ctx, SAFE_PROLOGUE, SAFE_KERNEL, "FA00 FB00");
    const swp_schedule twice = small_loop(ctx, SAFE_PROLOGUE, SAFE_KERNEL, "FA00 FB00 M00 M00");
    const swp_run_outcome less = run_once(ctx, &missing, 1, SWP_TIMING_EARLY, 0);
    const swp_run_outcome more = run_once(ctx, &twice, 1, SWP_TIMING_EARLY, 0);
    assert_int_equal(less.symptom, SWP_WRONG_VALUE);
    assert_int_equal(less.values.items[0].got, 0);
    assert_int_equal(more.symptom, SWP_WRONG_VALUE);
    assert_int_equal(more.values.items[0].got, 2 * more.values.items[0].expected);
}

/* The epilogue has kb = N, wherever the passes began (docs/schedules.md, "How a kernel runs them"). */
static void the_epilogue_is_at_the_end_of_the_tiles(void **state)
{
    swp_context *ctx = *state;
    swp_schedule loop = small_loop(ctx, "", "bar LA00@k0 LB00@k0 vm0 bar FA00 FB00 M00",
                                   "bar LA00@prev LB00@prev vm0 bar FA00 FB00 M00");
    loop.loop.first_base = 0;
    loop.machine.barrier = SWP_BARRIER_FENCED;
    expect_right(ctx, &loop);
}

static void what_has_no_meaning_is_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_run_options least = {0};
    const swp_run_options three = {.n = 3};
    swp_run_outcome outcome;
    swp_schedule loop = small_loop(ctx, SAFE_PROLOGUE, "S00", SAFE_EPILOGUE);
    assert_status(ctx, swp_run(ctx, &loop, &least, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0710", "kernel entry 0");
    loop = small_loop(ctx, SAFE_PROLOGUE, SAFE_KERNEL, "FA00 FB00 M10");
    assert_status(ctx, swp_run(ctx, &loop, &least, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0710", "epilogue entry 2");
    loop = safe_loop(ctx);
    loop.streams[0].epilogue.items[0].op.role = SWP_VALU_COMPUTE;
    assert_status(ctx, swp_run(ctx, &loop, &least, &outcome), SWP_INVALID);
    loop = safe_loop(ctx);
    loop.loop.tiles_per_pass = loop.loop.multiple = loop.loop.min_tiles = 2;
    assert_status(ctx, swp_run(ctx, &loop, &three, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0711", "3 tiles");
    const swp_run_sweep sweep = {.least = 3, .most = 3};
    swp_run_summary summary;
    assert_status(ctx, swp_run_many(ctx, &loop, &sweep, &summary), SWP_INVALID);
    assert_diag(ctx, "E0711", "none of 3 to 3");
}

static bool third_time(void *user)
{
    return ++*(int *)user == 3;
}

static void limits_end_many_runs(void **state)
{
    swp_context *ctx = *state;
    int asked = 0;
    const swp_limits limits = {.work = 1, .interrupted = third_time, .user = &asked};
    const swp_schedule loop = safe_loop(ctx);
    const swp_run_sweep sweep = {.seeds = 2};
    swp_run_summary summary;
    swp_context_set_limits(ctx, &limits);
    assert_ok(ctx, swp_run_many(ctx, &loop, &sweep, &summary));
    assert_diag(ctx, "W0401", "after 3, at N = 2");
    assert_true(summary.stopped);
    assert_int_equal(summary.runs, 3);
    assert_int_equal(summary.tallies.count, 2);
    assert_int_equal(summary.tallies.items[1].runs, 1);
}

static void a_seed_gives_the_same_run_again(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = small_loop(ctx, "LA00@k0 LB00@k0 bar", SAFE_KERNEL, SAFE_EPILOGUE);
    for (uint64_t seed = 0; seed < 16; seed++) {
        const swp_run_outcome a = run_once(ctx, &loop, 3, SWP_TIMING_RANDOM, seed);
        const swp_run_outcome b = run_once(ctx, &loop, 3, SWP_TIMING_RANDOM, seed);
        assert_int_equal(a.symptom, b.symptom);
        assert_int_equal(a.values.count, b.values.count);
        if (a.values.count)
            assert_int_equal(a.values.items[0].got, b.values.items[0].got);
    }
}

static void names_are_found_again(void **state)
{
    (void)state;
    for (int timing = 0; timing < SWP_TIMING_COUNT; timing++) {
        swp_timing found = SWP_TIMING_COUNT;
        assert_true(swp_timing_from_name(swp_timing_name((swp_timing)timing), &found));
        assert_int_equal(found, timing);
    }
    swp_timing found = SWP_TIMING_LATE;
    assert_false(swp_timing_from_name("never", &found));
    assert_int_equal(found, SWP_TIMING_LATE);
    assert_string_equal(swp_timing_name(SWP_TIMING_COUNT), "?");
    assert_string_equal(swp_symptom_name(SWP_WRONG_VALUE), "wrong_value");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_loop_whose_waits_and_barriers_suffice_is_right_under_every_timing),
        CONTEXT_TEST(the_single_buffer_goes_through_a_register_and_one_place),
        CONTEXT_TEST(no_options_are_the_defaults),
        CONTEXT_TEST(it_counts_what_it_did),
        CONTEXT_TEST(a_read_before_its_load_names_both),
        CONTEXT_TEST(a_load_of_no_tile_is_seen_though_nobody_reads_it),
        CONTEXT_TEST(products_that_are_missing_or_double_are_wrong_values),
        CONTEXT_TEST(the_epilogue_is_at_the_end_of_the_tiles),
        CONTEXT_TEST(what_has_no_meaning_is_refused),
        CONTEXT_TEST(limits_end_many_runs),
        CONTEXT_TEST(a_seed_gives_the_same_run_again),
        cmocka_unit_test(names_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
