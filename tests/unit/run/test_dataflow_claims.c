/* SPDX-License-Identifier: Apache-2.0 */
/* What a counterexample of a schedule with a dataflow says of it: the digest, entries and values. */
#include "small_dataflow.h"

static const swp_hazard hazard = {.kind = SWP_STALE_READ,
                                  .at = {SWP_KERNEL, 1},
                                  .has_other = true,
                                  .other = {SWP_KERNEL, 0},
                                  .smallest_n = 1};

static swp_schedule wrong_schedule(swp_context *ctx)
{
    return small_dataflow(ctx, loop_of(ctx, write_read), two_slots, "W0 R0 bar");
}

static swp_counterexample found_of(swp_context *ctx, const swp_schedule *schedule)
{
    swp_counterexample found;
    assert_ok(ctx, swp_counterexample_find(ctx, schedule, &hazard, &found));
    return found;
}

static void expect_another(const swp_schedule *schedule, const char *digest)
{
    char other[SWP_DIGEST_SIZE];
    swp_schedule_digest(schedule, other);
    assert_string_not_equal(digest, other);
}

static void the_digest_is_of_the_dataflow_too(void **state)
{
    swp_context *ctx = *state;
    char digest[SWP_DIGEST_SIZE];
    char same[SWP_DIGEST_SIZE];
    swp_loop loop = *loop_of(ctx, write_read);
    swp_schedule schedule = small_dataflow(ctx, &loop, two_slots, "W0 R0 bar");
    const swp_loop_op ops[] = {loop.ops[0], loop.ops[1]};
    swp_loop_op changed[] = {ops[0], ops[1]};
    swp_schedule_digest(&schedule, digest);
    loop.ops = changed;
    changed[0].latency = 9;
    swp_schedule_digest(&schedule, same);
    assert_string_equal(digest, same);
    changed[0].completion = SWP_COMPLETION_GROUP;
    expect_another(&schedule, digest);
    changed[0] = ops[0];
    changed[1].read_count = 0;
    expect_another(&schedule, digest);
    changed[1] = ops[1];
    schedule.streams[0].kernel.items[1].op.iteration = -1;
    expect_another(&schedule, digest);
    schedule.streams[0].kernel.items[1].op.iteration = 0;
    const swp_loop_dataflow narrow = {&loop, one_slot};
    schedule.dataflow = &narrow;
    expect_another(&schedule, digest);
}

static void other_values_are_warned_of(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule schedule = wrong_schedule(ctx);
    swp_counterexample found = found_of(ctx, &schedule);
    swp_run_outcome outcome;
    found.value.got++;
    assert_ok(ctx, swp_counterexample_replay(ctx, &schedule, &found, &outcome));
    assert_diag(ctx, "W0710", "R of iteration 0 is ");
    found.events.count = 0;
    assert_ok(ctx, swp_counterexample_replay(ctx, &schedule, &found, &outcome));
    assert_diag(
        ctx, "W0710",
        "the counterexample says: a result that is not the loop's; its execution shows: every "
        "result is right");
}

static void values_of_something_else_are_refused(void **state)
{
    const struct {
        swp_wrong_value value;
        const char *why;
    } cases[] = {
        {{.kind = SWP_WRONG_RESULT, .op = 2}, "value.op is 2, but the ops are from 0 to 1"},
        {{.kind = SWP_WRONG_RESULT, .iteration = 1}, "value.iteration is 1"},
        {{.kind = SWP_WRONG_ACCUMULATOR}, "value is of an accumulator"},
    };
    swp_context *ctx = *state;
    const swp_schedule schedule = wrong_schedule(ctx);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        swp_counterexample found = found_of(ctx, &schedule);
        swp_run_outcome outcome;
        found.value = cases[i].value;
        assert_status(ctx, swp_counterexample_replay(ctx, &schedule, &found, &outcome),
                      SWP_INVALID);
        assert_diag(ctx, "E0716", cases[i].why);
    }
}

/* N = 1 runs a list of its own, which is longer than the epilogue of the other N. */
static void entries_are_those_of_the_form_that_ran(void **state)
{
    swp_context *ctx = *state;
    swp_schedule schedule = wrong_schedule(ctx);
    const swp_loop *loop = schedule.dataflow->loop;
    swp_entry_list straight[] = {{0}, dataflow_entries(ctx, loop, SWP_EPILOGUE, "bar W0 R0")};
    const swp_hazard in_list = {.kind = SWP_STALE_READ,
                                .at = {SWP_EPILOGUE, 2},
                                .has_other = true,
                                .other = {SWP_EPILOGUE, 1},
                                .smallest_n = 1};
    schedule.loop.min_tiles = 2;
    schedule.streams[0].prologue =
        dataflow_entries(ctx, loop, SWP_PROLOGUE, "W0 bar R0 W1 bar R1 bar");
    schedule.streams[0].kernel = dataflow_entries(ctx, loop, SWP_KERNEL, "W2 bar R2 bar");
    schedule.streams[0].tails = (swp_tails){.straight = straight, .straight_count = 2};
    swp_counterexample found;
    swp_run_outcome outcome;
    char *text = NULL;
    assert_ok(ctx, swp_counterexample_find(ctx, &schedule, &in_list, &found));
    assert_int_equal(found.n, 1);
    assert_ok(ctx, swp_counterexample_replay(ctx, &schedule, &found, &outcome));
    assert_no_diag(ctx, "W0710");
    assert_ok(ctx, swp_run_outcome_text(ctx, &schedule, &outcome, &text, NULL));
    assert_non_null(strstr(text, "in straight_1 entry 2 (R):\n"));
    assert_int_equal(run_once(ctx, &schedule, 3, SWP_TIMING_LATE, 0).symptom, SWP_NO_SYMPTOM);
    expect_another(&(swp_schedule){.dataflow = schedule.dataflow}, found.digest);
    straight[1].items[0].op = swp_op_wait_vm(0);
    expect_another(&schedule, found.digest);
}

static void what_is_no_dataflow_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule schedule = wrong_schedule(ctx);
    swp_run_outcome outcome;
    schedule.streams[0].kernel.items[0].op.tag = 2;
    assert_status(ctx, swp_run(ctx, &schedule, NULL, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0710", "its tag is no op of the dataflow");
    schedule.streams[0].kernel.items[0].op.tag = 0;
    schedule.streams[0].kernel.items[0].op.iteration = 5000;
    assert_status(ctx, swp_run(ctx, &schedule, NULL, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0710", "its iteration is beyond what is executed");
    const int slots[] = {0, 1, 1};
    const swp_loop_dataflow none = {schedule.dataflow->loop, slots};
    schedule.dataflow = &none;
    assert_status(ctx, swp_run(ctx, &schedule, NULL, &outcome), SWP_INVALID);
    assert_diag(ctx, "E0710", "value A has 0 slots");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_digest_is_of_the_dataflow_too),
        CONTEXT_TEST(other_values_are_warned_of),
        CONTEXT_TEST(values_of_something_else_are_refused),
        CONTEXT_TEST(entries_are_those_of_the_form_that_ran),
        CONTEXT_TEST(what_is_no_dataflow_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
