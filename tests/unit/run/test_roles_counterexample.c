/* SPDX-License-Identifier: Apache-2.0 */
/* From a hazard of a schedule with warp roles to a file that replays. */
#include "role_files.h"

#include "faulty.h"
#include "roles_program.h"

/* Numbers of the roles in the files. */
enum { PRODUCER, CONSUMER };

typedef struct hazard_case {
    const char *file;
    edit edit;
    swp_hazard hazard;
    swp_symptom symptom;
} hazard_case;

#define AT(stream_, phase_, entry_, n_)                                                            \
    .stream = stream_, .at = {SWP_##phase_, entry_}, .smallest_n = n_

static const hazard_case cases[] = {
    {"gemm_ring",
     {"producer", SWP_KERNEL, 0, SOONER},
     {.kind = SWP_ARRIVALS, AT(PRODUCER, KERNEL, 1, 5)},
     SWP_BREAKS_ARRIVALS},
    {"gemm_ring",
     {"producer", SWP_KERNEL, 0, OTHER_THREADS},
     {.kind = SWP_PHASE_ALIAS, AT(PRODUCER, KERNEL, 0, 2)},
     SWP_BREAKS_PHASE_ALIAS},
    {"gemm_ring",
     {"consumer", SWP_EPILOGUE, 1, LATER},
     {.kind = SWP_UNOBSERVED_PHASE, AT(CONSUMER, EPILOGUE, 1, 4)},
     SWP_BREAKS_ARRIVALS},
    {"gemm_ring",
     {"consumer", SWP_KERNEL, 4, DROP},
     {.kind = SWP_DEADLOCK, AT(PRODUCER, KERNEL, 0, 5)},
     SWP_WAITS_FOR_EVER},
    {"gemm_ring",
     {"consumer", SWP_EPILOGUE, 0, DROP},
     {.kind = SWP_LOST_PEER, AT(CONSUMER, PROLOGUE, 2, 1)},
     SWP_BREAKS_LOST_PEER},
    {"gemm_ring",
     {"consumer", SWP_KERNEL, 0, DROP},
     {.kind = SWP_STALE_READ,
      AT(CONSUMER, KERNEL, 0, 2),
      .has_other = true,
      .other_stream = PRODUCER,
      .other = {SWP_KERNEL, 2}},
     SWP_WRONG_VALUE},
    {"gemm_ring",
     {"consumer", SWP_KERNEL, 3, SWAP},
     {.kind = SWP_OVERWRITTEN,
      AT(PRODUCER, KERNEL, 2, 5),
      .has_other = true,
      .other_stream = CONSUMER,
      .other = {SWP_PROLOGUE, 2},
      .passes_before = 4},
     SWP_WRONG_VALUE},
    {"staged_store",
     {"consumer", SWP_EPILOGUE, 9, DROP},
     {.kind = SWP_UNFENCED, AT(CONSUMER, EPILOGUE, 10, 1)},
     SWP_BREAKS_UNFENCED},
    {"staged_store",
     {"consumer", SWP_EPILOGUE, 4, DROP},
     {.kind = SWP_ACCUMULATOR_IN_FLIGHT, AT(CONSUMER, EPILOGUE, 7, 1)},
     SWP_BREAKS_ACCUMULATOR},
    {"read_ring",
     {"consumer", SWP_KERNEL, 2, DROP},
     {.kind = SWP_UNFENCED, AT(PRODUCER, KERNEL, 5, 3)},
     SWP_BREAKS_UNFENCED},
    {"take_turns",
     {"consumer", SWP_KERNEL, 0, DROP},
     {.kind = SWP_NAMED_BARRIER, AT(CONSUMER, KERNEL, 4, 2)},
     SWP_BREAKS_NAMED_BARRIER},
    {"gemm_cluster",
     {"producer", SWP_KERNEL, 0, DROP},
     {.kind = SWP_ARRIVALS, AT(PRODUCER, KERNEL, 2, 5)},
     SWP_BREAKS_ARRIVALS},
    {"gemm_cluster",
     {"consumer", SWP_EPILOGUE, 3, DROP},
     {.kind = SWP_NAMED_BARRIER, AT(CONSUMER, EPILOGUE, 2, 1)},
     SWP_BREAKS_NAMED_BARRIER},
    {"gemm_cluster",
     {"consumer", SWP_KERNEL, 4, DROP},
     {.kind = SWP_DEADLOCK, AT(PRODUCER, KERNEL, 0, 5)},
     SWP_WAITS_FOR_EVER},
    {"gemm_cluster",
     {"consumer", SWP_EPILOGUE, 0, DROP},
     {.kind = SWP_LOST_PEER, AT(CONSUMER, PROLOGUE, 2, 1)},
     SWP_BREAKS_LOST_PEER},
    {"gemm_cluster",
     {"consumer", SWP_KERNEL, 0, DROP},
     {.kind = SWP_STALE_READ,
      AT(CONSUMER, KERNEL, 0, 2),
      .has_other = true,
      .other_stream = PRODUCER,
      .other = {SWP_KERNEL, 3}},
     SWP_WRONG_VALUE},
};

static swp_schedule *edited(swp_context *ctx, const hazard_case *c)
{
    swp_schedule *schedule = role_file(ctx, c->file);
    edit_schedule(schedule, &c->edit);
    return schedule;
}

static void each_hazard_has_an_execution_that_replays(void **state)
{
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        swp_schedule *schedule = edited(ctx, &cases[i]);
        swp_counterexample found;
        swp_counterexample back;
        swp_run_outcome outcome;
        char *text = NULL;
        size_t length = 0;
        assert_ok(ctx, swp_counterexample_find(ctx, schedule, &cases[i].hazard, &found));
        assert_int_equal(found.n, cases[i].hazard.smallest_n);
        assert_int_equal(found.symptom, cases[i].symptom);
        assert_ok(ctx, swp_counterexample_write(ctx, &found, &text, &length));
        assert_ok(ctx, swp_counterexample_read(ctx, text, length, "cex.json", &back));
        assert_int_equal(back.events.count, found.events.count);
        assert_string_equal(back.role, schedule->streams[cases[i].hazard.stream].name);
        assert_ok(ctx, swp_counterexample_replay(ctx, schedule, &back, &outcome));
        assert_int_equal(outcome.symptom, cases[i].symptom);
        assert_no_diag(ctx, "W0710");
        swp_schedule_free(schedule);
    }
}

/* FIRST writes a shared value, SECOND updates it in its place; nobody reads it. */
static void expect_race(swp_context *ctx, const char *kernel, int entry, bool is_found)
{
    roles_program p;
    swp_loop_builder *l = swp_loop_new(ctx, "in_place");
    const int t = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64);
    swp_work(l, "FIRST", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {t});
    swp_work(l, "SECOND", .latency = 9, .completion = SWP_COMPLETION_NONE, .updates = {t});
    roles_program_begin(&p, ctx, l, 1, 0);
    roles_program_add(&p, .name = "worker", .warps = 4, .kernel = kernel);
    const swp_hazard hazard = {.kind = SWP_WRITE_RACE, .at = {SWP_KERNEL, entry}, .smallest_n = 2};
    swp_counterexample found;
    assert_status(ctx, swp_counterexample_find(ctx, &p.schedule, &hazard, &found),
                  is_found ? SWP_OK : SWP_INFEASIBLE);
    assert_true(!is_found || found.symptom == SWP_BREAKS_WRITE_RACE);
}

static void writes_that_nothing_orders_are_a_race(void **state)
{
    expect_race(*state, "FIRST+0 barrier SECOND+0 barrier", 0, false);
    expect_race(*state, "FIRST+0 barrier SECOND+0", 0, true); /* over the version before */
    expect_race(*state, "FIRST+0 SECOND+0 barrier", 1, true); /* over what FIRST has made */
}

/* MMA reads A and adds to C, which may be in flight; SET writes A, SCALE updates C. */
static swp_loop_builder *sums(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "in_flight");
    const int a = swp_value(l, "A", .space = SWP_SPACE_REGISTERS);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "SET", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {a});
    swp_work(l, "MMA", .latency = 9, .completion = SWP_COMPLETION_MATRIX_GROUP,
             .reads = {{.value = a}}, .updates = {c});
    swp_work(l, "SCALE", .latency = 9, .completion = SWP_COMPLETION_NONE, .updates = {c});
    return l;
}

/* MMA writes C anew. */
static swp_loop_builder *products(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "in_flight");
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "MMA", .latency = 9, .completion = SWP_COMPLETION_MATRIX_GROUP, .writes = {c});
    swp_work(l, "SCALE", .latency = 9, .completion = SWP_COMPLETION_NONE, .updates = {c});
    return l;
}

static void expect_in_flight(swp_context *ctx, swp_loop_builder *l, const char *kernel, int entry)
{
    roles_program p;
    roles_program_begin(&p, ctx, l, 1, 0);
    roles_program_add(&p, .name = "worker", .warps = 4, .kernel = kernel);
    const swp_hazard hazard = {
        .kind = SWP_ACCUMULATOR_IN_FLIGHT, .at = {SWP_KERNEL, entry}, .smallest_n = 1};
    swp_counterexample found;
    assert_ok(ctx, swp_counterexample_find(ctx, &p.schedule, &hazard, &found));
    assert_int_equal(found.symptom, SWP_BREAKS_ACCUMULATOR);
}

static void registers_of_a_wgmma_in_flight_are_not_touched(void **state)
{
    swp_context *ctx = *state;
    expect_in_flight(ctx, sums(ctx), "SET+0 matrix_fence MMA+0 matrix_commit SCALE+0 matrix_wait:0",
                     4);
    expect_in_flight(ctx, sums(ctx),
                     "SET+0 matrix_fence MMA+0 matrix_commit SET+1 matrix_wait:0 SCALE+0", 4);
    expect_in_flight(ctx, products(ctx), "matrix_fence MMA+0 matrix_commit SCALE+0 matrix_wait:0",
                     3);
}

static void a_safe_schedule_has_none(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = role_file(ctx, "gemm_ring");
    const swp_hazard hazard = {.kind = SWP_LOST_PEER, AT(CONSUMER, KERNEL, 1, 1)};
    swp_counterexample found;
    assert_status(ctx, swp_counterexample_find(ctx, schedule, &hazard, &found), SWP_INFEASIBLE);
    assert_diag(ctx, "E0714", NULL);
    swp_schedule_free(schedule);
}

static void expect_refused(swp_context *ctx, const swp_schedule *schedule,
                           const swp_counterexample *edited, const char *code, const char *text)
{
    swp_run_outcome outcome;
    assert_status(ctx, swp_counterexample_replay(ctx, schedule, edited, &outcome), SWP_INVALID);
    assert_diag(ctx, code, text);
    swp_context_clear_diags(ctx);
}

static void an_edited_counterexample_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = edited(ctx, &cases[5]);
    swp_counterexample found;
    assert_ok(ctx, swp_counterexample_find(ctx, schedule, &cases[5].hazard, &found));
    swp_counterexample other = found;
    other.role = "cook";
    expect_refused(ctx, schedule, &other, "E0716", "hazard.role is cook");
    other = found;
    other.value.instance = 2;
    expect_refused(ctx, schedule, &other, "E0716", "value.instance is 2");
    swp_timing_event events[] = {{.role = "consumer", .issue = 2}};
    other = found;
    other.events = (swp_timing_event_list){events, 1, 1};
    expect_refused(ctx, schedule, &other, "E0713",
                   "events[0], of role consumer, instance 0, thread 0, is not permitted: the "
                   "thread waits");
    events[0] = (swp_timing_event){.role = "producer", .rank = 1, .issue = 1};
    expect_refused(
        ctx, schedule, &other, "E0713",
        "events[0], of role producer, instance 0, thread 0, is not permitted: there is no "
        "such thread");
    events[0] = (swp_timing_event){.role = "producer", .effect = 2};
    expect_refused(ctx, schedule, &other, "E0713", "no such operation is in flight");
    events[0] = (swp_timing_event){.role = "producer", .thread = 3, .issue = 1};
    expect_refused(ctx, schedule, &other, "E0713", "there is no such thread");
    events[0] = (swp_timing_event){.role = "producer", .thread = 1, .issue = 1};
    expect_refused(ctx, schedule, &other, "E0713", "the thread has ended");
    schedule->streams[PRODUCER].kernel.items[1].op.bytes++;
    expect_refused(ctx, schedule, &found, "E0712", NULL);
    swp_schedule_free(schedule);
}

static swp_schedule *wrong_ring; /* whose memory is another context's */

static swp_status find_write_read_and_replay(swp_context *ctx)
{
    swp_counterexample found;
    swp_run_outcome outcome;
    char *text = NULL;
    size_t length = 0;
    swp_status status = swp_counterexample_find(ctx, wrong_ring, &cases[5].hazard, &found);
    if (status == SWP_OK)
        status = swp_counterexample_write(ctx, &found, &text, &length);
    if (status == SWP_OK)
        status = swp_counterexample_read(ctx, text, length, "cex.json", &found);
    if (status == SWP_OK)
        status = swp_counterexample_replay(ctx, wrong_ring, &found, &outcome);
    return status;
}

static void whatever_memory_fails_is_told(void **state)
{
    wrong_ring = edited(*state, &cases[5]);
    faulty_each(find_write_read_and_replay, 4);
    swp_schedule_free(wrong_ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(each_hazard_has_an_execution_that_replays),
        CONTEXT_TEST(writes_that_nothing_orders_are_a_race),
        CONTEXT_TEST(registers_of_a_wgmma_in_flight_are_not_touched),
        CONTEXT_TEST(a_safe_schedule_has_none),
        CONTEXT_TEST(an_edited_counterexample_is_refused),
        CONTEXT_TEST(whatever_memory_fails_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
