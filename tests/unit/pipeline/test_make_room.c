/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose first pipeline waits for long, and whose order, stages or slots can help. */
#include "fixture.h"
#include "ir/loop_dataflow.h"
#include "pipeline/make_room.h"
#include "swp/loop_compile.h"

enum { SIDE = 4, MMA_CYCLES = 16 };

/* n x n MMAs, whose fragments have one slot and four accesses each, on a counter that the loop does not name. */
static swp_loop gemm(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "gemm");
    const int global = swp_loop_add_unit(l, "global_mem", 1);
    const int lds = swp_loop_add_unit(l, "lds", 1);
    const int mma = swp_loop_add_unit(l, "mma_unit", 1);
    int tiles[2 * SIDE];
    int fragments[2 * SIDE];
    swp_loop loop;
    for (int i = 0; i < 2 * SIDE; i++) {
        tiles[i] = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 2048, .most_slots = 3);
        fragments[i] =
            swp_value(l, "f", .space = SWP_SPACE_REGISTERS, .bytes = 2048, .most_slots = 1);
        swp_work(l, "LOAD", .latency = 600, .completion = SWP_COMPLETION_COUNTER, .accesses = 2,
                 .uses = {{.unit = global, .cycles = 12}}, .writes = {tiles[i]});
    }
    for (int i = 0; i < 2 * SIDE; i++)
        swp_work(l, "FRAG", .latency = 94, .completion = SWP_COMPLETION_COUNTER, .accesses = 4,
                 .uses = {{.unit = lds, .cycles = 10}}, .reads = {{.value = tiles[i]}},
                 .writes = {fragments[i]});
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int sum = swp_value(l, "c", .space = SWP_SPACE_REGISTERS, .bytes = 4096);
        swp_work(l, "MMA", .latency = MMA_CYCLES, .uses = {{.unit = mma, .cycles = MMA_CYCLES}},
                 .reads = {{.value = fragments[i / SIDE]}, {.value = fragments[SIDE + i % SIDE]}},
                 .updates = {sum});
    }
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* A short load behind two long ones: with as few slots as the interval needs it is always late. */
static swp_loop unequal_loads(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "unequal_loads");
    const int global = swp_loop_add_unit(l, "global_mem", 1);
    const int mma = swp_loop_add_unit(l, "mma_unit", 1);
    static const int64_t latencies[] = {504, 507, 173};
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 1024);
    const int part =
        swp_value(l, "part", .space = SWP_SPACE_REGISTERS, .bytes = 1024, .most_slots = 3);
    int loaded[3];
    swp_loop loop;
    for (int i = 0; i < 3; i++) {
        loaded[i] = swp_value(l, "q", .space = SWP_SPACE_REGISTERS, .bytes = 1024, .most_slots = 4);
        swp_work(l, "LOAD", .latency = latencies[i], .completion = SWP_COMPLETION_COUNTER,
                 .accesses = 1, .uses = {{.unit = global, .cycles = 40}}, .writes = {loaded[i]});
    }
    swp_work(l, "X", .latency = 71, .uses = {{.unit = mma, .cycles = 60}},
             .reads = {{.value = loaded[0]}, {.value = loaded[1]}}, .writes = {part});
    swp_work(l, "ACC", .latency = 96, .uses = {{.unit = mma, .cycles = 89}},
             .reads = {{.value = loaded[1]}, {.value = loaded[2]}, {.value = part}},
             .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static swp_room room_of(swp_context *ctx, const swp_loop *loop, swp_pipeline *given)
{
    const swp_machine machine = swp_machine_default();
    swp_issue_models models = {.machine = &machine};
    swp_room room;
    assert_ok(ctx, swp_pipeline_loop(ctx, loop, given));
    assert_ok(ctx, swp_pipeline_make_room(ctx, &models, given, false, &room));
    assert_true(room.exact && !room.stopped);
    assert_int_equal(room.pipeline->answer.value, given->answer.value);
    assert_int_equal(room.pipeline->interval_proven, given->interval_proven);
    assert_ok(ctx, swp_answer_check(ctx, &room.pipeline->problem.problem, &room.pipeline->answer));
    return room;
}

/* Of its waits, in parts of the interval. */
static double cost_of(const swp_room *room)
{
    const double iterations = (double)room->cycles.passes;
    return (double)room->cycles.cycles / iterations / (double)room->pipeline->answer.value - 1;
}

static void fragments_are_ordered_for_a_counter_that_holds_few(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = gemm(ctx);
    swp_pipeline given;
    const swp_room room = room_of(ctx, &loop, &given);
    assert_int_equal(given.answer.value, SIDE * SIDE * MMA_CYCLES);
    assert_true(cost_of(&room) <= 0.06);
}

static void more_slots_are_taken_where_nothing_else_helps_and_are_not_proven_least(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = unequal_loads(ctx);
    swp_pipeline given;
    const swp_room room = room_of(ctx, &loop, &given);
    const swp_pipeline *p = room.pipeline;
    assert_true(cost_of(&room) <= 0.06);
    assert_true(given.proven[SWP_LEAST_REGISTERS]);
    assert_true(p->bytes[SWP_SPACE_REGISTERS] > given.bytes[SWP_SPACE_REGISTERS]);
    assert_false(p->proven[SWP_LEAST_REGISTERS]);
    for (int v = 0; v < (int)loop.value_count; v++)
        assert_in_range(p->slots[v], given.slots[v], swp_ir_loop_most_slots(&loop, v));
}

/* What is handed out takes what the model says. */
static void derived_waits_cost_what_was_expected(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = unequal_loads(ctx);
    const swp_loop_options options = {.machine = swp_machine_default()};
    swp_pipeline given;
    swp_schedule *schedule = NULL;
    const swp_room room = room_of(ctx, &loop, &given);
    assert_ok(ctx, swp_compile_loop(ctx, &loop, &options, &schedule));
    const double iterations = (double)schedule->sync.passes * schedule->loop.tiles_per_pass;
    const double cycles = (double)schedule->sync.cycles / iterations;
    assert_true(cycles <= (double)given.answer.value * (1 + cost_of(&room) + 0.01));
    swp_schedule_free(schedule);
}

/* Matrix ops of some seconds. */
static void the_cycles_of_a_step_may_be_beyond_32_bits(void **state)
{
    swp_context *ctx = *state;
    enum { TIMES_32_BITS = 3, LOAD = 100 };
    const int64_t cycles = TIMES_32_BITS * ((int64_t)1 << 32);
    swp_loop_builder *l = swp_loop_new(ctx, "long");
    const int mma = swp_loop_add_unit(l, "mma_unit", 1);
    const int part = swp_value(l, "part", .space = SWP_SPACE_REGISTERS, .bytes = 64);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 64);
    swp_loop loop;
    swp_pipeline given;
    swp_work(l, "LOAD", .latency = LOAD, .completion = SWP_COMPLETION_COUNTER, .writes = {part});
    swp_work(l, "MMA", .latency = cycles, .uses = {{.unit = mma, .cycles = cycles}},
             .reads = {{.value = part}}, .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    const swp_room room = room_of(ctx, &loop, &given);
    assert_int_equal(given.answer.value, cycles);
    assert_true(cost_of(&room) >= 0 && cost_of(&room) < 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(fragments_are_ordered_for_a_counter_that_holds_few),
        CONTEXT_TEST(more_slots_are_taken_where_nothing_else_helps_and_are_not_proven_least),
        CONTEXT_TEST(derived_waits_cost_what_was_expected),
        CONTEXT_TEST(the_cycles_of_a_step_may_be_beyond_32_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
