/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of mbarriers between a copying warp and two multiplying instances: right, and edited. */
#include "role_files.h"

static void run_all(swp_context *ctx, const char *file, swp_timing timing, int most, int seeds)
{
    swp_schedule *schedule = role_file(ctx, file);
    const swp_run_sweep sweep = {
        .exact = true, .least = 0, .most = most, .seeds = seeds, .timing = timing};
    swp_run_summary summary;
    assert_ok(ctx, swp_run_many(ctx, schedule, &sweep, &summary));
    if (summary.wrong)
        fail_msg("%s, --timing %s: %s at N = %d, seed %d", file, swp_timing_name(timing),
                 swp_symptom_name(summary.first.symptom), summary.first.n, (int)summary.first_seed);
    assert_int_equal(summary.runs, (long)(most + 1) * seeds);
    swp_schedule_free(schedule);
}

static void the_ring_is_right_under_every_timing(void **state)
{
    for (int timing = 0; timing < SWP_TIMING_COUNT; timing++)
        run_all(*state, "gemm_ring", (swp_timing)timing, 12, 64);
}

static void other_safe_schedules_are_right(void **state)
{
    static const char *const files[] = {"attention_rings", "staged_store", "take_turns",
                                        "gemm_cluster"};
    for (size_t i = 0; i < COUNT_OF(files); i++)
        for (int timing = 0; timing < SWP_TIMING_COUNT; timing++)
            run_all(*state, files[i], (swp_timing)timing, 7, 16);
}

/* The ring has four slots, of which the producer fills one ahead: what concerns a second phase needs N = 5. */
static void an_edit_of_the_producer_shows(void **state)
{
    static const edited_case cases[] = {
        /* Phase -1 is complete at the start, phase -2 would have its parity from the ring's other turn. */
        {{"producer", SWP_PROLOGUE, 0, DROP}, SWP_NO_SYMPTOM, 0},
        {{"producer", SWP_PROLOGUE, 0, LATER}, SWP_NO_SYMPTOM, 0},
        {{"producer", SWP_PROLOGUE, 0, SOONER}, SWP_BREAKS_PHASE_ALIAS, 1},
        /* The other threads are in no hurry to see a phase that goes by. */
        {{"producer", SWP_PROLOGUE, 0, OTHER_THREADS}, SWP_BREAKS_PHASE_ALIAS, 1},
        {{"producer", SWP_PROLOGUE, 1, DROP}, SWP_BREAKS_ARRIVALS, 1},
        {{"producer", SWP_PROLOGUE, 1, SOONER}, SWP_BREAKS_ARRIVALS, 1},
        {{"producer", SWP_PROLOGUE, 1, LATER}, SWP_BREAKS_ARRIVALS, 1},
        /* Bytes may land before they are expected: the arrival is what completes the phase. */
        {{"producer", SWP_PROLOGUE, 1, SWAP}, SWP_NO_SYMPTOM, 0},
        {{"producer", SWP_PROLOGUE, 2, DROP}, SWP_BREAKS_ARRIVALS, 1},
        {{"producer", SWP_KERNEL, 0, DROP}, SWP_BREAKS_ARRIVALS, 5},
        {{"producer", SWP_KERNEL, 0, SWAP}, SWP_BREAKS_ARRIVALS, 5},
        {{"producer", SWP_KERNEL, 0, SOONER}, SWP_BREAKS_ARRIVALS, 5},
        {{"producer", SWP_KERNEL, 0, LATER}, SWP_NO_SYMPTOM, 0},
        {{"producer", SWP_KERNEL, 0, OTHER_THREADS}, SWP_BREAKS_PHASE_ALIAS, 2},
        {{"producer", SWP_KERNEL, 1, DROP}, SWP_BREAKS_ARRIVALS, 2},
        {{"producer", SWP_KERNEL, 2, DROP}, SWP_BREAKS_ARRIVALS, 2},
        {{"producer", SWP_KERNEL, 2, SOONER}, SWP_BREAKS_ARRIVALS, 2},
    };
    expect_cases(*state, "gemm_ring", cases, COUNT_OF(cases));
}

static void an_edit_of_the_consumers_shows(void **state)
{
    static const edited_case cases[] = {
        {{"consumer", SWP_PROLOGUE, 0, DROP}, SWP_WRONG_VALUE, 1},
        {{"consumer", SWP_PROLOGUE, 0, SOONER}, SWP_WRONG_VALUE, 1},
        {{"consumer", SWP_PROLOGUE, 0, LATER}, SWP_WAITS_FOR_EVER, 1},
        {{"consumer", SWP_PROLOGUE, 0, OTHER_THREADS}, SWP_WRONG_VALUE, 1},
        {{"consumer", SWP_PROLOGUE, 1, DROP}, SWP_BREAKS_UNFENCED, 1},
        {{"consumer", SWP_PROLOGUE, 1, SWAP}, SWP_BREAKS_UNFENCED, 1},
        {{"consumer", SWP_PROLOGUE, 2, DROP}, SWP_WRONG_VALUE, 1},
        /* The next commit takes the wgmma into its group, and there is none at N = 1. */
        {{"consumer", SWP_PROLOGUE, 3, DROP}, SWP_BREAKS_LOST_PEER, 1},
        {{"consumer", SWP_KERNEL, 0, DROP}, SWP_WRONG_VALUE, 2},
        {{"consumer", SWP_KERNEL, 0, OTHER_THREADS}, SWP_WRONG_VALUE, 2},
        {{"consumer", SWP_KERNEL, 1, DROP}, SWP_WRONG_VALUE, 2},
        {{"consumer", SWP_KERNEL, 2, DROP}, SWP_BREAKS_LOST_PEER, 2},
        {{"consumer", SWP_KERNEL, 3, DROP}, SWP_WRONG_VALUE, 5},
        {{"consumer", SWP_KERNEL, 3, WAIT_FOR_LESS}, SWP_WRONG_VALUE, 5},
        {{"consumer", SWP_KERNEL, 3, SWAP}, SWP_WRONG_VALUE, 5},
        {{"consumer", SWP_KERNEL, 4, DROP}, SWP_WAITS_FOR_EVER, 5},
        {{"consumer", SWP_KERNEL, 4, SOONER}, SWP_BREAKS_ARRIVALS, 2},
        {{"consumer", SWP_KERNEL, 4, OTHER_THREADS}, SWP_BREAKS_ARRIVALS, 2},
        {{"consumer", SWP_EPILOGUE, 0, DROP}, SWP_BREAKS_LOST_PEER, 1},
        {{"consumer", SWP_EPILOGUE, 0, WAIT_FOR_LESS}, SWP_BREAKS_LOST_PEER, 1},
        /* Nobody waits for the last release. */
        {{"consumer", SWP_EPILOGUE, 1, DROP}, SWP_NO_SYMPTOM, 0},
        {{"consumer", SWP_EPILOGUE, 1, LATER}, SWP_BREAKS_ARRIVALS, 4},
    };
    expect_cases(*state, "gemm_ring", cases, COUNT_OF(cases));
}

/* The number of an object, by name. */
static swp_role_object *object_named(swp_schedule *schedule, const char *name)
{
    for (size_t i = 0; i < schedule->object_count; i++)
        if (!strcmp(schedule->objects[i].name, name))
            return (swp_role_object *)&schedule->objects[i];
    fail_msg("there is no object %s", name);
    return NULL;
}

static void arrivals_one_off_are_told_at_the_first_operation_of_the_phase(void **state)
{
    static const struct {
        const char *object;
        int by;
        const char *role;
        swp_phase phase;
        int entry;
    } cases[] = {{"full", 1, "producer", SWP_PROLOGUE, 1},
                 {"empty", 1, "consumer", SWP_EPILOGUE, 1},
                 {"empty", -1, "consumer", SWP_EPILOGUE, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        swp_schedule *schedule = role_file(*state, "gemm_ring");
        object_named(schedule, cases[i].object)->arrivals += cases[i].by;
        swp_run_outcome outcome;
        assert_ok(*state, swp_run(*state, schedule, &(swp_run_options){.n = 1}, &outcome));
        assert_int_equal(outcome.symptom, SWP_BREAKS_ARRIVALS);
        assert_int_equal(outcome.broken.count, 1);
        const swp_broken_rule *broken = &outcome.broken.items[0];
        assert_string_equal(broken->at.role, cases[i].role);
        assert_int_equal(broken->at.phase, cases[i].phase);
        assert_int_equal(broken->at.entry, cases[i].entry);
        assert_string_equal(broken->object, cases[i].object);
        swp_schedule_free(schedule);
    }
}

/* Turn 4 is phase 1 of slot 0. Its parity is that of the phase before 0, so that the wait returns while nothing is there. */
static void a_wait_ahead_of_its_phase_returns_at_once(void **state)
{
    swp_schedule *schedule = role_file(*state, "gemm_ring");
    swp_run_outcome outcome;
    role_named(schedule, "consumer")->prologue.items[0].op.iteration = 4;
    assert_ok(*state, swp_run(*state, schedule,
                              &(swp_run_options){.n = 1, .timing = SWP_TIMING_LATE}, &outcome));
    assert_int_equal(outcome.symptom, SWP_BREAKS_PHASE_ALIAS);
    assert_int_equal(outcome.stuck.count, 0);
    assert_int_equal(outcome.broken.count, 1); /* what follows means nothing */
    swp_schedule_free(schedule);
}

/* The last slots are handed back to work groups that wait for nothing more. */
static void a_cluster_that_does_not_meet_at_the_end_loses_arrivals(void **state)
{
    swp_schedule *schedule = role_file(*state, "gemm_cluster");
    swp_run_outcome outcome;
    for (size_t i = 0; i < schedule->stream_count; i++)
        schedule->streams[i].epilogue.count -= 2; /* cluster_arrive, cluster_wait */
    assert_ok(*state, swp_run(*state, schedule, &(swp_run_options){.n = 2}, &outcome));
    assert_int_equal(outcome.symptom, SWP_BREAKS_LOST_PEER);
    assert_string_equal(outcome.broken.items[0].at.role, "consumer");
    assert_true(outcome.broken.items[0].at.is_in_cluster);
    swp_schedule_free(schedule);
}

static void a_ring_with_other_slots_than_its_values_shows(void **state)
{
    swp_schedule *schedule = role_file(*state, "gemm_ring");
    object_named(schedule, "empty")->slots = 3;
    assert_true(one_shows(*state, schedule, 1, SWP_BREAKS_PHASE_ALIAS));
    swp_schedule_free(schedule);
}

static void all_timings_know_the_same_loop(void **state)
{
    swp_schedule *schedule = role_file(*state, "gemm_ring");
    const swp_run_options options = {.n = 5, .timing = SWP_TIMING_ADVERSARIAL, .seed = 7};
    swp_run_outcome outcome;
    assert_ok(*state, swp_run(*state, schedule, &options, &outcome));
    assert_int_equal(outcome.timing, SWP_TIMING_RACE);
    assert_int_equal(outcome.waves, 3);
    assert_int_equal(outcome.passes, 4);
    /* One thread of the producer executes 3 entries an iteration; of a consumer's 4 + 5 (n - 1) + 2 all but the arrivals are three threads'. */
    assert_int_equal(outcome.issued, 3 * 5 + 2 * (3 * (4 + 4 * 4 + 1) + 5));
    assert_int_equal(outcome.accesses, 5 + 2 * 5);
    swp_schedule_free(schedule);
}

static void what_has_no_meaning_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = role_file(ctx, "gemm_ring");
    swp_run_outcome outcome;
    assert_status(ctx, swp_run(ctx, schedule, &(swp_run_options){.n = 4097}, &outcome),
                  SWP_INVALID);
    assert_diag(ctx, "E0711", NULL);
    schedule->streams[1].kernel.items[0].op.iteration = 5000;
    assert_status(ctx, swp_run(ctx, schedule, &(swp_run_options){.n = 1}, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0710", "its iteration is beyond");
    schedule->streams[1].kernel.items[0].op.object = -1;
    assert_status(ctx, swp_run(ctx, schedule, &(swp_run_options){.n = 1}, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0705", NULL);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_ring_is_right_under_every_timing),
        CONTEXT_TEST(other_safe_schedules_are_right),
        CONTEXT_TEST(an_edit_of_the_producer_shows),
        CONTEXT_TEST(an_edit_of_the_consumers_shows),
        CONTEXT_TEST(arrivals_one_off_are_told_at_the_first_operation_of_the_phase),
        CONTEXT_TEST(a_wait_ahead_of_its_phase_returns_at_once),
        CONTEXT_TEST(a_cluster_that_does_not_meet_at_the_end_loses_arrivals),
        CONTEXT_TEST(a_ring_with_other_slots_than_its_values_shows),
        CONTEXT_TEST(all_timings_know_the_same_loop),
        CONTEXT_TEST(what_has_no_meaning_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
