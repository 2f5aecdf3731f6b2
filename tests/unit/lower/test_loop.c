/* SPDX-License-Identifier: Apache-2.0 */
/* From a loop to a schedule: what no schedule can express, and the slots of the one that is handed out. */
#include "fixture.h"
#include "swp/describe.h"
#include "swp/loop_compile.h"
#include "swp/simulate.h"

#include <string.h>

static swp_loop multiplying(swp_context *ctx, int64_t latency, int64_t cycles)
{
    swp_loop_builder *l = swp_loop_new(ctx, "long");
    const int mma = swp_loop_add_unit(l, "mma_unit", 1);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 64);
    swp_loop loop;
    swp_work(l, "MMA", .latency = latency, .uses = {{.unit = mma, .cycles = cycles}},
             .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* The most is taken; one cycle more, as a latency or on a unit, is not, up to the most of a problem. */
static void an_op_takes_no_more_cycles_than_a_schedule_adds_up(void **state)
{
    swp_context *ctx = *state;
    const int64_t beyond[][2] = {{SWP_MOST_STEP_CYCLES + 1, 1},
                                 {1, SWP_MOST_STEP_CYCLES + 1},
                                 {SWP_PROBLEM_MOST / 4, SWP_PROBLEM_MOST / 4}};
    swp_schedule *schedule = NULL;
    const swp_loop most = multiplying(ctx, SWP_MOST_STEP_CYCLES, SWP_MOST_STEP_CYCLES);
    assert_ok(ctx, swp_compile_loop(ctx, &most, NULL, &schedule));
    assert_int_equal(schedule->pipeline->answer.value, SWP_MOST_STEP_CYCLES);
    swp_schedule_free(schedule);
    for (size_t i = 0; i < COUNT_OF(beyond); i++) {
        const swp_loop loop = multiplying(ctx, beyond[i][0], beyond[i][1]);
        swp_pipeline pipeline;
        assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &pipeline));
        assert_status(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule), SWP_INVALID);
        assert_diag(ctx, "E0327", "and one of a schedule 1000000000 at most");
        swp_context_clear_diags(ctx);
    }
}

/* A row is copied, worked on and stored; copies and stores share the memory. X may have so many slots. */
static swp_schedule *rows(swp_context *ctx, int most_slots, int most_resident)
{
    const swp_loop_options options = {.target = "sm_90", .machine = swp_machine_default()};
    swp_loop_builder *l = swp_loop_new(ctx, "rows");
    const int producer = swp_loop_add_role(l, (swp_loop_role){.name = "producer", .instances = 1});
    const int consumer = swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .instances = 1});
    const int memory = swp_loop_add_unit(l, "memory", 1);
    const int alu = swp_loop_add_unit(l, "alu", 1);
    const int x =
        swp_value(l, "X", .space = SWP_SPACE_SHARED, .bytes = 65536, .most_slots = most_slots);
    const int y = swp_value(l, "Y", .space = SWP_SPACE_SHARED, .bytes = 32768, .most_slots = 3);
    swp_loop loop;
    swp_schedule *schedule = NULL;
    swp_work(l, "LOAD", .role = producer, .uses = {{.unit = memory, .cycles = 4682}},
             .latency = 5382, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {x});
    swp_work(l, "NORM", .role = consumer, .issue = 1024, .uses = {{.unit = alu, .cycles = 1024}},
             .latency = 1124, .read_cycles = 1024, .completion = SWP_COMPLETION_NONE,
             .reads = {{.value = x}}, .writes = {y});
    swp_work(l, "STORE", .role = consumer, .uses = {{.unit = memory, .cycles = 2341}},
             .latency = 2941, .read_cycles = 2341, .completion = SWP_COMPLETION_STORE_GROUP,
             .reads = {{.value = y}});
    if (most_resident > 0)
        swp_loop_set_resident(l, 1, most_resident);
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_ok(ctx, swp_compile_loop(ctx, &loop, &options, &schedule));
    return schedule;
}

static double cycles_of(const swp_schedule *schedule)
{
    return (double)schedule->sync.cycles /
           ((double)schedule->sync.passes * schedule->loop.tiles_per_pass);
}

/* One slot of X is the least that the interval needs, and the copy then waits for the work on the row before. */
static void a_role_has_more_slots_where_its_waits_would_cost(void **state)
{
    enum { X, MEMORY_CYCLES = 4682 + 2341 };
    swp_context *ctx = *state;
    swp_schedule *one = rows(ctx, 1, 0);
    swp_schedule *more = rows(ctx, 5, 0);
    assert_int_equal(one->pipeline->answer.value, MEMORY_CYCLES);
    assert_true(cycles_of(one) > 1.1 * MEMORY_CYCLES);
    assert_int_equal(more->pipeline->answer.value, MEMORY_CYCLES);
    assert_true(more->pipeline->slots[X] > 1);
    assert_true(cycles_of(more) < 1.005 * MEMORY_CYCLES);
    swp_schedule_free(one);
    swp_schedule_free(more);
}

/* As it is found first, the ops of the two instances stand so that the matrix unit waits in one of eleven cycles. */
static void neighbours_of_a_list_are_swapped_where_waits_cost(void **state)
{
    enum { MATRIX_CYCLES = 384 };
    swp_context *ctx = *state;
    swp_loop_builder *l = swp_loop_new(ctx, "two_sums");
    const int producer = swp_loop_add_role(l, (swp_loop_role){.name = "producer", .warps = 1});
    const int consumer =
        swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .warps = 4, .instances = 2});
    const int memory = swp_loop_add_unit(l, "memory", 1);
    const int matrix = swp_loop_add_unit(l, "matrix", 1);
    const int alu = swp_loop_add_unit(l, "alu", 1);
    const int t = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 16384, .most_slots = 3);
    const int s = swp_value(l, "S", .space = SWP_SPACE_REGISTERS, .bytes = 16384);
    const int r = swp_value(l, "R", .space = SWP_SPACE_REGISTERS, .bytes = 16384, .most_slots = 1);
    const int s2 = swp_value(l, "S2", .space = SWP_SPACE_REGISTERS, .bytes = 16384);
    const int sum = swp_value(l, "SUM", .space = SWP_SPACE_REGISTERS, .bytes = 4096);
    const swp_loop_options options = {.target = "sm_90", .machine = swp_machine_default()};
    swp_schedule *schedule = NULL;
    swp_loop loop;
    swp_work(l, "LOAD", .role = producer, .uses = {{.unit = memory, .cycles = 256}}, .latency = 756,
             .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {t});
    swp_work(l, "DO0", .role = consumer, .uses = {{.unit = matrix, .cycles = 128}}, .latency = 160,
             .read_cycles = 128, .completion = SWP_COMPLETION_MATRIX_GROUP, .reads = {{.value = t}},
             .updates = {s});
    swp_work(l, "DO1", .role = consumer, .uses = {{.unit = matrix, .cycles = 64}}, .latency = 96,
             .read_cycles = 64, .completion = SWP_COMPLETION_MATRIX_GROUP, .writes = {r});
    swp_work(l, "DO2", .role = consumer, .uses = {{.unit = alu, .cycles = 64}}, .latency = 68,
             .read_cycles = 64, .issue = 64, .reads = {{.value = r}}, .updates = {s2});
    swp_work(l, "FINISH", .role = consumer, .uses = {{.unit = alu, .cycles = 32}}, .latency = 52,
             .read_cycles = 32, .reads = {{.value = t}}, .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_ok(ctx, swp_compile_loop(ctx, &loop, &options, &schedule));
    assert_true(cycles_of(schedule) < 1.03 * MATRIX_CYCLES);
    swp_schedule_free(schedule);
}

/* The other one has the memory while one waits, and of three none would have the room of a slot. */
static void more_work_groups_need_fewer_slots(void **state)
{
    enum { X, MEMORY_CYCLES = 4682 + 2341 };
    swp_context *ctx = *state;
    swp_schedule *two = rows(ctx, 5, 3);
    assert_int_equal(two->dataflow->loop->resident, 2);
    assert_int_equal(two->pipeline->resident_fit, 2);
    assert_int_equal(two->pipeline->slots[X], 1);
    assert_true(cycles_of(two) < 2.01 * MEMORY_CYCLES);
    swp_schedule_free(two);
}

/* Two instances share the units, as up to eight work groups do, so that no times are found at once. */
static swp_loop shared_by_eight(swp_context *ctx)
{
    enum { TILES = 3 };
    swp_loop_builder *l = swp_loop_new(ctx, "shared");
    const int producer = swp_loop_add_role(l, (swp_loop_role){.name = "producer", .instances = 1});
    const int consumer = swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .instances = 2});
    const int copies = swp_loop_add_unit(l, "copies", 1);
    const int alu = swp_loop_add_unit(l, "alu", 1);
    const char *const names[TILES] = {"X0", "X1", "X2"};
    const char *const loads[TILES] = {"LOAD0", "LOAD1", "LOAD2"};
    int x[TILES];
    swp_loop loop;
    for (int i = 0; i < TILES; i++)
        x[i] = swp_value(l, names[i], .space = SWP_SPACE_SHARED, .bytes = 2048, .most_slots = 4);
    const int r = swp_value(l, "R", .space = SWP_SPACE_REGISTERS, .bytes = 4096);
    const int d = swp_value(l, "D", .space = SWP_SPACE_SHARED, .bytes = 8192, .most_slots = 1);
    for (int i = 0; i < TILES; i++)
        swp_work(l, loads[i], .role = producer, .uses = {{.unit = copies, .cycles = 512}},
                 .latency = 522, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {x[i]});
    swp_work(l, "SCALE", .role = consumer, .issue = 16, .uses = {{.unit = alu, .cycles = 100}},
             .latency = 132, .read_cycles = 100, .completion = SWP_COMPLETION_NONE,
             .reads = {{.value = x[0]}, {.value = x[2]}}, .writes = {r});
    swp_work(l, "ADD", .role = consumer, .issue = 16, .uses = {{.unit = alu, .cycles = 200}},
             .latency = 200, .completion = SWP_COMPLETION_NONE,
             .reads = {{.value = x[1], .distance = 1}, {.value = r}}, .writes = {d});
    swp_work(l, "STORE", .role = consumer, .uses = {{.unit = copies, .cycles = 64}}, .latency = 300,
             .completion = SWP_COMPLETION_STORE_GROUP, .reads = {{.value = d}});
    swp_work(l, "MORE", .role = consumer, .uses = {{.unit = alu, .cycles = 200}}, .latency = 200,
             .completion = SWP_COMPLETION_NONE, .reads = {{.value = r}}, .updates = {d});
    swp_work(l, "STORE_MORE", .role = consumer, .uses = {{.unit = copies, .cycles = 64}},
             .latency = 300, .completion = SWP_COMPLETION_STORE_GROUP, .reads = {{.value = d}});
    swp_loop_set_resident(l, 1, 8);
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* By the nominal clock, which is the same on all machines. */
static void a_short_time_for_all_work_has_an_answer(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_options options = {.target = "sm_90", .machine = swp_machine_default()};
    const double seconds[] = {0.05, 0.1};
    const swp_loop loop = shared_by_eight(ctx);
    for (size_t i = 0; i < COUNT_OF(seconds); i++) {
        const swp_limits limits = {
            .seconds = seconds[i], .total_seconds = 2 * seconds[i], .nominal = true};
        swp_schedule *schedule = NULL;
        swp_context_set_limits(ctx, &limits);
        assert_ok(ctx, swp_compile_loop(ctx, &loop, &options, &schedule));
        swp_context_set_limits(ctx, NULL);
        swp_schedule_free(schedule);
    }
}

/* Once there is an answer, more time for all work never loses it, wherever that ends. */
static void more_time_for_all_work_keeps_the_answer(void **state)
{
    enum { LIMITS = 8 };
    swp_context *ctx = *state;
    swp_limits limits = {.work = 2000, .total_seconds = 0.015, .nominal = true};
    swp_description *description = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, "attention_ws", &description));
    for (int i = 0; i < LIMITS; i++, limits.total_seconds *= 1.1) {
        swp_schedule *schedule = NULL;
        swp_context_set_limits(ctx, &limits);
        assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
        swp_context_set_limits(ctx, NULL);
        swp_schedule_free(schedule);
    }
}

/* Where the time for all work ends before each number of work groups was searched, a warning says so. */
static void fewer_work_groups_are_handed_out_with_a_warning(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_options options = {.target = "sm_90", .machine = swp_machine_default()};
    const swp_loop loop = shared_by_eight(ctx);
    const swp_limits limits = {.work = 2000, .total_seconds = 0.05, .nominal = true};
    size_t count = 0;
    int told = 0;
    swp_schedule *schedule = NULL;
    swp_context_set_limits(ctx, &limits);
    assert_ok(ctx, swp_compile_loop(ctx, &loop, &options, &schedule));
    swp_context_set_limits(ctx, NULL);
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t d = 0; d < count; d++)
        told += strstr(diags[d].message, "work groups that share a multiprocessor") != NULL;
    assert_int_equal(told, 1);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_op_takes_no_more_cycles_than_a_schedule_adds_up),
        CONTEXT_TEST(a_role_has_more_slots_where_its_waits_would_cost),
        CONTEXT_TEST(neighbours_of_a_list_are_swapped_where_waits_cost),
        CONTEXT_TEST(more_work_groups_need_fewer_slots),
        CONTEXT_TEST(a_short_time_for_all_work_has_an_answer),
        CONTEXT_TEST(more_time_for_all_work_keeps_the_answer),
        CONTEXT_TEST(fewer_work_groups_are_handed_out_with_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
