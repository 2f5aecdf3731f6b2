/* SPDX-License-Identifier: Apache-2.0 */
/* Pipelines whose interval is longer than their order needs. */
#include "fixture.h"
#include "pipeline/stages.h"
#include "pipeline/tighten.h"

enum { LEAST = 16, LONG = 50, LATENCY = 100 };

static swp_loop load_and_multiply(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "load_and_multiply");
    const int memory = swp_loop_add_unit(l, "global_mem", 1);
    const int mma = swp_loop_add_unit(l, "mma_unit", 1);
    const int part =
        swp_value(l, "part", .space = SWP_SPACE_REGISTERS, .bytes = 4, .most_slots = 8);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    swp_loop loop;
    swp_work(l, "LOAD", .latency = LATENCY, .completion = SWP_COMPLETION_COUNTER,
             .uses = {{.unit = memory, .cycles = 10}}, .writes = {part});
    swp_work(l, "MMA", .latency = LEAST, .uses = {{.unit = mma, .cycles = LEAST}},
             .reads = {{.value = part}}, .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* As a limit may leave it: the least interval is there to be found, and nobody knows. */
static swp_pipeline stretched(swp_context *ctx, const swp_loop *loop)
{
    const int64_t times[] = {0, 2 * LONG + 10};
    swp_pipeline p;
    assert_ok(ctx, swp_pipeline_loop(ctx, loop, &p));
    assert_int_equal(p.answer.value, LEAST);
    assert_ok(ctx, swp_pipeline_retime(ctx, &p, p.slots, LONG, times, &p));
    assert_int_equal(p.answer.value, LONG);
    p.interval_proven = false;
    return p;
}

static swp_pipeline tightened(swp_context *ctx, const swp_loop *loop, bool in_order)
{
    const swp_machine machine = swp_machine_default();
    swp_pipeline p = stretched(ctx, loop);
    bool found = false;
    assert_ok(ctx, swp_pipeline_tighten(ctx, &machine, &p, in_order, &p, &found));
    assert_true(found);
    assert_ok(ctx, swp_answer_check(ctx, &p.problem.problem, &p.answer));
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++)
        assert_int_equal(p.proven[i], i == SWP_LEAST_SHARED); /* the loop has none */
    return p;
}

/* The MMA stands two steps behind its load, and in each step behind the next one's: 100 cycles are within 3 steps less one. */
static void an_order_shows_its_least_interval(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = load_and_multiply(ctx);
    const swp_pipeline p = tightened(ctx, &loop, true);
    assert_int_equal(p.answer.value, 34);
    assert_false(p.interval_proven);
}

static void the_order_of_units_alone_shows_a_lesser_one(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = load_and_multiply(ctx);
    const swp_pipeline p = tightened(ctx, &loop, false);
    assert_int_equal(p.answer.value, LEAST);
    assert_true(p.interval_proven && p.answer.status == SWP_ANSWER_OPTIMAL);
}

static void what_is_proven_least_is_left_alone(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = swp_machine_default();
    const swp_loop loop = load_and_multiply(ctx);
    swp_pipeline p = stretched(ctx, &loop);
    bool found = true;
    p.interval_proven = true;
    assert_ok(ctx, swp_pipeline_tighten(ctx, &machine, &p, true, &p, &found));
    assert_false(found);
    assert_int_equal(p.answer.value, LONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_order_shows_its_least_interval),
        CONTEXT_TEST(the_order_of_units_alone_shows_a_lesser_one),
        CONTEXT_TEST(what_is_proven_least_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
