/* SPDX-License-Identifier: Apache-2.0 */
/* Prices of orders, and the better ones that a local search finds. */
#include "fixture.h"
#include "pipeline/reorder.h"

enum { LONG_LATENCY = 400, SHORT_LATENCY = 40, WORK = 60 };

/* A short load behind a long one on one counter, and the other way round if that is better. */
static swp_loop two_loads(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "two_loads");
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS, .bytes = 4, .most_slots = 8);
    const int b = swp_value(l, "b", .space = SWP_SPACE_REGISTERS, .bytes = 4, .most_slots = 2);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 4);
    swp_loop loop;
    swp_work(l, "LONG", .latency = LONG_LATENCY, .completion = SWP_COMPLETION_COUNTER,
             .writes = {a});
    swp_work(l, "SHORT", .latency = SHORT_LATENCY, .completion = SWP_COMPLETION_COUNTER,
             .writes = {b});
    swp_work(l, "WORK", .latency = WORK, .uses = {{.unit = unit, .cycles = WORK}},
             .reads = {{.value = a}, {.value = b}}, .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static swp_priced priced(swp_context *ctx, const swp_loop *loop, swp_pipeline *p)
{
    const swp_machine machine = swp_machine_default();
    swp_issue_models models = {.machine = &machine};
    swp_priced out;
    assert_ok(ctx, swp_pipeline_loop(ctx, loop, p));
    assert_ok(ctx, swp_pipeline_price(ctx, &models, p, &out));
    assert_true(out.exact);
    return out;
}

static void no_step_takes_less_than_the_interval(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = two_loads(ctx);
    swp_pipeline p;
    const swp_priced given = priced(ctx, &loop, &p);
    assert_int_equal(p.answer.value, WORK);
    assert_true(given.pipeline == &p);
    assert_true(given.cycles.cycles >= p.answer.value * given.cycles.passes);
}

static void what_is_found_costs_no_more_and_has_times(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = swp_machine_default();
    swp_issue_models models = {.machine = &machine};
    const swp_loop loop = two_loads(ctx);
    swp_budget budget = swp_budget_start(ctx, 0);
    swp_pipeline p;
    swp_priced found;
    const swp_priced given = priced(ctx, &loop, &p);
    assert_ok(ctx,
              swp_pipeline_reorder(ctx, &models, &budget, &given, p.slots, p.stages + 1, &found));
    assert_true(swp_solve_ratio_compare(found.cycles, given.cycles) <= 0);
    assert_int_equal(found.pipeline->answer.value, p.answer.value);
    assert_true(found.pipeline->stages <= p.stages + 1);
    assert_ok(ctx,
              swp_answer_check(ctx, &found.pipeline->problem.problem, &found.pipeline->answer));
}

/* One slot fewer is too few where the interval needs them all; as many as it has are enough. */
static void slots_are_given_up_where_nothing_is_lost(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = swp_machine_default();
    swp_issue_models models = {.machine = &machine};
    const swp_loop loop = two_loads(ctx);
    swp_pipeline p;
    swp_priced out;
    bool enough = false;
    const swp_priced given = priced(ctx, &loop, &p);
    assert_ok(ctx, swp_pipeline_with_slots(ctx, &models, &given, p.slots, &enough, &out));
    assert_true(enough);
    const int fewer[] = {1, 1, 1};
    assert_ok(ctx, swp_pipeline_with_slots(ctx, &models, &given, fewer, &enough, &out));
    assert_false(enough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(no_step_takes_less_than_the_interval),
        CONTEXT_TEST(what_is_found_costs_no_more_and_has_times),
        CONTEXT_TEST(slots_are_given_up_where_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
