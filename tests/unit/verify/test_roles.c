/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of schedules with warp roles: safe ones, and each kind of hazard by one edit of a safe one
 * (docs/roles-reference.md, "What must never happen"). safe_roles.h has those.
 */
#include "fixture.h"
#include "safe_roles.h"

#include "swp/report.h"
#include "swp/verify.h"

#include <string.h>

typedef struct told {
    swp_hazard_kind kind;
    int role;
    swp_phase list;
    int entry;
    int n;
} told;

static void expect_verdict(roles_program *p, const told *expected, size_t count)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < verdict.hazards.count && i < count; i++) {
        const swp_hazard *h = &verdict.hazards.items[i];
        assert_string_equal(swp_hazard_name(h->kind), swp_hazard_name(expected[i].kind));
        assert_int_equal(h->stream, expected[i].role);
        assert_string_equal(h->role, p->schedule.streams[h->stream].name);
        assert_int_equal(h->at.phase, expected[i].list);
        assert_int_equal(h->at.entry, expected[i].entry);
        assert_int_equal(h->smallest_n, expected[i].n);
        assert_true(h->detail[0]);
    }
    assert_int_equal(verdict.hazards.count, count);
    assert_int_equal(verdict.safe, count == 0);
}

#define expect(p, ...)                                                                             \
    expect_verdict((p), (const told[]){__VA_ARGS__},                                               \
                   sizeof((const told[]){__VA_ARGS__}) / sizeof(told))

static void expect_safe(roles_program *p)
{
    expect_verdict(p, NULL, 0);
}

static void expect_detail(roles_program *p, const char *text)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_true(verdict.hazards.count > 0);
    if (!strstr(verdict.hazards.items[0].detail, text))
        fail_msg("no `%s` in `%s`", text, verdict.hazards.items[0].detail);
}

static void exchange(roles_program *p, int role, swp_phase list, int a, int b)
{
    swp_op *x = roles_program_op(p, role, list, a);
    swp_op *y = roles_program_op(p, role, list, b);
    const swp_op kept = *x;
    *x = *y;
    *y = kept;
}

/* --- Safe --- */

static void rings_are_safe(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    expect_safe(&p);
    safe_ring_of_all(&p, *state);
    expect_safe(&p);
    safe_readers(&p, *state);
    expect_safe(&p);
}

static void staging_and_turns_are_safe(void **state)
{
    roles_program p;
    safe_staging(&p, *state);
    expect_safe(&p);
    safe_turns(&p, *state);
    expect_safe(&p);
}

/* --- Phases --- */

static void an_expected_count_of_one_where_two_arrive(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    p.objects[EMPTY].arrivals = 1;
    expect(&p, {SWP_ARRIVALS, CONSUMER, SWP_KERNEL, 4, 2},
           {SWP_ARRIVALS, CONSUMER, SWP_EPILOGUE, 1, 1});
    expect_detail(&p, "phase 0 of slot 0 of empty expects 1 arrival and gets 2");
}

static void bytes_that_no_copy_brings(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    roles_program_op(&p, PRODUCER, SWP_KERNEL, 1)->bytes = 128;
    expect(&p, {SWP_ARRIVALS, PRODUCER, SWP_KERNEL, 1, 2});
    expect_detail(&p, "expects 128 bytes and its copies bring 64");
}

static void an_arrival_on_a_phase_below_0(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    roles_program_op(&p, CONSUMER, SWP_EPILOGUE, 1)->iteration = -1;
    expect(&p, {SWP_ARRIVALS, CONSUMER, SWP_KERNEL, 4, 2},
           {SWP_ARRIVALS, CONSUMER, SWP_EPILOGUE, 1, 1});
}

/* Such a phase expects nothing, and what the run does not come to breaks no rule. */
static void an_arrival_on_a_phase_below_0_that_never_comes(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    p.schedule.stream_count = 0;
    roles_program_add(&p, .name = "producer",
                      .prologue = "barrier arrive@empty-1! arrive_expect@full+0=64! "
                                  "LOAD@full+0=64!");
    roles_program_add(&p, .name = "consumer", .warps = 4, .kernel = "MMA+0");
    expect(&p, {SWP_DEADLOCK, PRODUCER, SWP_PROLOGUE, 0, 1});
}

/* It waits for the phase before the one that hands it the slot. */
static void a_producer_that_laps_a_consumer_by_two_phases(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    roles_program_op(&p, PRODUCER, SWP_PROLOGUE, 0)->iteration = -4;
    roles_program_op(&p, PRODUCER, SWP_KERNEL, 0)->iteration = -3;
    expect(&p, {SWP_PHASE_ALIAS, PRODUCER, SWP_PROLOGUE, 0, 1},
           {SWP_PHASE_ALIAS, PRODUCER, SWP_KERNEL, 0, 2},
           {SWP_ARRIVALS, PRODUCER, SWP_KERNEL, 1, 3}, {SWP_ARRIVALS, PRODUCER, SWP_KERNEL, 2, 3},
           {SWP_ARRIVALS, CONSUMER, SWP_KERNEL, 4, 4},
           {SWP_ARRIVALS, CONSUMER, SWP_EPILOGUE, 1, 3});
}

/* The other threads may still wait for the slot that the elected one hands back. */
static void a_wait_that_nobody_waits_for(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    exchange(&p, CONSUMER, SWP_KERNEL, 3, 4);
    expect(&p, {SWP_PHASE_ALIAS, CONSUMER, SWP_PROLOGUE, 0, 3},
           {SWP_PHASE_ALIAS, CONSUMER, SWP_KERNEL, 0, 4});
}

/* --- Deadlocks --- */

static void each_waits_for_the_other(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    roles_program_op(&p, PRODUCER, SWP_KERNEL, 0)->iteration = 1;
    expect(&p, {SWP_DEADLOCK, PRODUCER, SWP_KERNEL, 0, 2},
           {SWP_DEADLOCK, CONSUMER, SWP_KERNEL, 0, 2});
    expect_detail(&p, "a circle");
}

/* The list for one iteration forgets the copy; that for none, and those for more, do not. */
static void a_loop_that_deadlocks_for_one_trip_count_only(void **state)
{
#define FILL(turn) "arrive_expect@full+" turn "=64! LOAD@full+" turn "=64!"
#define USE(turn) "wait_phase@full+" turn " READ+" turn " fence_async arrive@empty+" turn
    for (int forgets = 0; forgets < 2; forgets++) {
        roles_program p;
        safe_readers(&p, *state);
        p.schedule.stream_count = 0;
        p.schedule.loop.min_tiles = 2;
        roles_program_add(&p, .name = "producer", .prologue = FILL("0") " " FILL("1"),
                          .kernel = "wait_phase@empty+0! " FILL("2"),
                          .straight = forgets ? "/" : "/" FILL("0"));
        roles_program_add(&p, .name = "consumer", .prologue = USE("0") " " USE("1"),
                          .kernel = USE("2"), .straight = "/" USE("0"));
        if (forgets)
            expect(&p, {SWP_DEADLOCK, CONSUMER, SWP_EPILOGUE, 0, 1});
        else
            expect_safe(&p);
    }
#undef FILL
#undef USE
}

/* Each of 18 instances meets the one behind it before the one in front. */
static void a_circle_through_more_instances_than_there_can_be_roles(void **state)
{
    swp_loop_builder *l = swp_loop_new(*state, "circle");
    roles_program p;
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "WORK", .latency = 9, .completion = SWP_COMPLETION_NONE, .updates = {sum});
    roles_program_begin(&p, *state, l, 1, 0);
    (void)roles_program_named(&p, "pairs", 18, 64);
    roles_program_add(&p, .name = "first", .instances = 16,
                      .kernel = "named_sync@pairs:1^1 named_sync@pairs:0^1 WORK+0");
    roles_program_add(&p, .name = "last", .instances = 2,
                      .kernel = "named_sync@pairs:17^1 named_sync@pairs:16^1");
    expect(&p, {SWP_DEADLOCK, 0, SWP_KERNEL, 0, 1}, {SWP_DEADLOCK, 1, SWP_KERNEL, 0, 1});
    expect_detail(&p, "of slot 0 of pairs in last 1, which waits for named_sync of meeting 0 of "
                      "slot 1 of pairs in first 0: a circle");
}

/* --- Named barriers --- */

/* One iteration has nobody but instance 0 at its slot. */
static void turns_that_nobody_begins(void **state)
{
    roles_program p;
    safe_turns(&p, *state);
    roles_program_drop(&p, 0, SWP_PROLOGUE, 0);
    expect(&p, {SWP_DEADLOCK, 0, SWP_KERNEL, 0, 2}, {SWP_NAMED_BARRIER, 0, SWP_EPILOGUE, 0, 1});
}

static void a_named_barrier_of_too_many_threads(void **state)
{
    roles_program p;
    safe_turns(&p, *state);
    p.objects[0].threads = 384;
    expect(&p, {SWP_NAMED_BARRIER, 0, SWP_PROLOGUE, 0, 1}, {SWP_NAMED_BARRIER, 0, SWP_KERNEL, 0, 2},
           {SWP_NAMED_BARRIER, 0, SWP_KERNEL, 2, 2}, {SWP_NAMED_BARRIER, 0, SWP_EPILOGUE, 0, 1},
           {SWP_NAMED_BARRIER, 0, SWP_EPILOGUE, 2, 1});
}

/* Instance 0 arrives on slot 1 again, and does not wait for instance 1 in between. */
static void a_named_barrier_that_is_armed_again_too_early(void **state)
{
    roles_program p;
    safe_turns(&p, *state);
    roles_program_op(&p, 0, SWP_KERNEL, 0)->instances = 2;
    roles_program_op(&p, 0, SWP_EPILOGUE, 0)->instances = 2;
    swp_verdict verdict = {0};
    assert_ok(p.ctx, swp_verify(p.ctx, &p.schedule, NULL, 0, &verdict));
    assert_false(verdict.safe);
    bool found = false;
    for (size_t i = 0; i < verdict.hazards.count; i++)
        found |= verdict.hazards.items[i].kind == SWP_NAMED_BARRIER;
    assert_true(found);
}

/* --- Asynchronous operations --- */

static void a_matrix_operation_that_nobody_waits_for(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_EPILOGUE, 0);
    roles_program_drop(&p, CONSUMER, SWP_EPILOGUE, 0);
    expect(&p, {SWP_LOST_PEER, CONSUMER, SWP_PROLOGUE, 2, 1},
           {SWP_LOST_PEER, CONSUMER, SWP_KERNEL, 1, 2});
}

static void registers_without_a_fence(void **state)
{
    roles_program p;
    safe_ring(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_PROLOGUE, 1);
    expect(&p, {SWP_UNFENCED, CONSUMER, SWP_PROLOGUE, 1, 1});
}

static void a_store_of_what_was_not_fenced(void **state)
{
    roles_program p;
    safe_staging(&p, *state);
    roles_program_drop(&p, 0, SWP_KERNEL, 2);
    expect(&p, {SWP_UNFENCED, 0, SWP_KERNEL, 3, 1});
}

static void a_copy_over_what_was_read_without_a_fence(void **state)
{
    roles_program p;
    safe_readers(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_KERNEL, 2);
    expect(&p, {SWP_UNFENCED, PRODUCER, SWP_KERNEL, 2, 3});
}

/* An op of ordinary instructions takes the sum at the end of each iteration. */
static void a_sum_that_is_read_in_flight(void **state)
{
    for (int groups = 0; groups < 2; groups++) {
        roles_program p;
        swp_loop_builder *l = swp_loop_new(*state, "sum");
        const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
        swp_work(l, "MMA", .latency = 9, .completion = SWP_COMPLETION_MATRIX_GROUP,
                 .updates = {sum});
        swp_work(l, "TAKE", .latency = 9, .completion = SWP_COMPLETION_NONE,
                 .reads = {{.value = sum}});
        roles_program_begin(&p, *state, l, 1, 0);
        roles_program_add(&p, .name = "worker", .warps = 4,
                          .kernel = "matrix_fence MMA+0 matrix_commit matrix_wait:0 TAKE+0",
                          .epilogue = "matrix_wait:0");
        roles_program_op(&p, 0, SWP_KERNEL, 3)->wait_value = groups;
        if (groups > 0)
            expect(&p, {SWP_ACCUMULATOR_IN_FLIGHT, 0, SWP_KERNEL, 4, 1});
        else
            expect_safe(&p);
    }
}

/* --- Places --- */

static void a_slot_released_before_its_wgmma_retired(void **state)
{
    roles_program p;
    safe_ring_of_all(&p, *state);
    exchange(&p, CONSUMER, SWP_KERNEL, 3, 4);
    expect(&p, {SWP_OVERWRITTEN, PRODUCER, SWP_KERNEL, 2, 3});
    expect_detail(&p, "LOAD of iteration 2 in producer may begin before MMA of iteration 0");
}

static void a_staging_buffer_that_only_one_thread_waits_for(void **state)
{
    roles_program p;
    safe_staging(&p, *state);
    roles_program_drop(&p, 0, SWP_KERNEL, 0);
    expect(&p, {SWP_OVERWRITTEN, 0, SWP_KERNEL, 0, 2});
}

static void a_read_that_waits_for_nothing(void **state)
{
    roles_program p;
    safe_readers(&p, *state);
    roles_program_op(&p, CONSUMER, SWP_KERNEL, 1)->iteration = 1;
    swp_verdict verdict = {0};
    assert_ok(p.ctx, swp_verify(p.ctx, &p.schedule, NULL, 0, &verdict));
    bool found[SWP_HAZARD_KINDS] = {false};
    for (size_t i = 0; i < verdict.hazards.count; i++)
        found[verdict.hazards.items[i].kind] = true;
    assert_true(found[SWP_STALE_READ]);
    assert_true(found[SWP_WRONG_TILE]);
    assert_true(found[SWP_MISSING_WORK]);
    assert_true(found[SWP_OUT_OF_RANGE]);
}

/* Threads of one instance are ordered by nothing but objects, and by these only where an update sees which write was last. */
static void writes_that_race(void **state)
{
    enum { MEETS = 1, UPDATES = 2, ALL = 4 };
    for (int how = 0; how < ALL; how++) {
        roles_program p;
        swp_loop_builder *l = swp_loop_new(*state, "writes");
        const int place = swp_value(l, "S", .space = SWP_SPACE_SHARED, .bytes = 64);
        const char *lists[ALL] = {"WRITE+0", "WRITE+0 barrier", "WRITE+0 CHANGE+0",
                                  "WRITE+0 barrier CHANGE+0 barrier"};
        swp_work(l, "WRITE", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {place});
        if (how & UPDATES)
            swp_work(l, "CHANGE", .latency = 9, .completion = SWP_COMPLETION_NONE,
                     .updates = {place});
        roles_program_begin(&p, *state, l, 1, 0);
        roles_program_add(&p, .name = "worker", .kernel = lists[how]);
        if (how & MEETS || !(how & UPDATES))
            expect_safe(&p);
        else
            expect(&p, {SWP_WRITE_RACE, 0, SWP_KERNEL, 0, 2},
                   {SWP_WRITE_RACE, 0, SWP_KERNEL, 1, 1});
    }
}

/* No instruction carries it out, whoever made the schedule: JSON and headers refuse it, too. */
static void an_accumulator_that_turns_is_refused(void **state)
{
    enum { SUM = 1 };
    roles_program p;
    swp_verdict verdict = {0};
    safe_ring(&p, *state);
    const int slots[] = {2, 2};
    p.dataflow.slots = slots;
    assert_int_equal(p.loop.values[SUM].space, SWP_SPACE_REGISTERS);
    assert_int_equal(swp_verify(p.ctx, &p.schedule, NULL, 0, &verdict), SWP_INVALID);
    assert_diag(p.ctx, "E0705", "a wgmma leaves its accumulator where it was");
}

/* --- Work --- */

static void an_iteration_that_is_done_twice(void **state)
{
    roles_program p;
    safe_turns(&p, *state);
    const swp_entry again = p.schedule.streams[0].kernel.items[1];
    assert_ok(p.ctx, swp_entry_list_push(p.ctx, &p.schedule.streams[0].kernel, again));
    expect(&p, {SWP_WRONG_TILE, 0, SWP_KERNEL, 3, 2}, {SWP_DOUBLE_WORK, 0, SWP_KERNEL, 3, 2});
}

static void an_iteration_that_one_instance_leaves_out(void **state)
{
    roles_program p;
    safe_turns(&p, *state);
    roles_program_op(&p, 0, SWP_EPILOGUE, 1)->instances = 1;
    expect(&p, {SWP_MISSING_WORK, 0, SWP_EPILOGUE, 1, 1});
    expect_detail(&p, "worker 1 does not do WORK for iteration 0 of 1");
}

/* --- Acceptance and words --- */

static void a_hazard_is_accepted_by_role(void **state)
{
    roles_program p;
    swp_verdict verdict = {0};
    safe_ring(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_PROLOGUE, 1);
    const swp_acceptance right = {SWP_UNFENCED, {SWP_PROLOGUE, 1}, "consumer"};
    const swp_acceptance wrong = {SWP_UNFENCED, {SWP_PROLOGUE, 1}, "producer"};
    assert_ok(p.ctx, swp_verify(p.ctx, &p.schedule, &right, 1, &verdict));
    assert_int_equal(verdict.accepted, 1);
    assert_ok(p.ctx, swp_verify(p.ctx, &p.schedule, &wrong, 1, &verdict));
    assert_int_equal(verdict.accepted, 0);
    assert_diag(p.ctx, "W0701", "unfenced:producer:prologue:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(rings_are_safe),
        CONTEXT_TEST(staging_and_turns_are_safe),
        CONTEXT_TEST(an_expected_count_of_one_where_two_arrive),
        CONTEXT_TEST(bytes_that_no_copy_brings),
        CONTEXT_TEST(an_arrival_on_a_phase_below_0),
        CONTEXT_TEST(an_arrival_on_a_phase_below_0_that_never_comes),
        CONTEXT_TEST(a_producer_that_laps_a_consumer_by_two_phases),
        CONTEXT_TEST(a_wait_that_nobody_waits_for),
        CONTEXT_TEST(each_waits_for_the_other),
        CONTEXT_TEST(a_loop_that_deadlocks_for_one_trip_count_only),
        CONTEXT_TEST(a_circle_through_more_instances_than_there_can_be_roles),
        CONTEXT_TEST(turns_that_nobody_begins),
        CONTEXT_TEST(a_named_barrier_of_too_many_threads),
        CONTEXT_TEST(a_named_barrier_that_is_armed_again_too_early),
        CONTEXT_TEST(a_matrix_operation_that_nobody_waits_for),
        CONTEXT_TEST(registers_without_a_fence),
        CONTEXT_TEST(a_store_of_what_was_not_fenced),
        CONTEXT_TEST(a_copy_over_what_was_read_without_a_fence),
        CONTEXT_TEST(a_sum_that_is_read_in_flight),
        CONTEXT_TEST(a_slot_released_before_its_wgmma_retired),
        CONTEXT_TEST(a_staging_buffer_that_only_one_thread_waits_for),
        CONTEXT_TEST(a_read_that_waits_for_nothing),
        CONTEXT_TEST(writes_that_race),
        CONTEXT_TEST(an_accumulator_that_turns_is_refused),
        CONTEXT_TEST(an_iteration_that_is_done_twice),
        CONTEXT_TEST(an_iteration_that_one_instance_leaves_out),
        CONTEXT_TEST(a_hazard_is_accepted_by_role),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
