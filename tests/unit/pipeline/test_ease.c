/* SPDX-License-Identifier: Apache-2.0 */
/* Times of the same pipeline that leave room for counters and waits. */
#include "fixture.h"
#include "pipeline/ease.h"
#include "swp/loop.h"

enum { LOADS = 4, ACCESSES = 4, LATENCY = 40, INTERVAL = 256 };

/*
 * Of the load from global memory. With the long one the last op of the unit begins 762 cycles after it at the soonest,
 * in the third stage; any slack takes it into the fourth.
 */
enum { SHORT_LOAD = 300, LONG_LOAD = 3 * INTERVAL - 6 - 3 * INTERVAL / LOADS - LATENCY };

/* Fragments, each for one of the ops that keep a unit busy; nothing says that they are counted. */
static swp_loop counted_loop(swp_context *ctx, int64_t load)
{
    swp_loop_builder *l = swp_loop_new(ctx, "counted");
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED, .bytes = 1024);
    int fragments[LOADS];
    swp_loop loop;
    swp_work(l, "LOAD", .latency = load, .completion = SWP_COMPLETION_COUNTER, .accesses = 1,
             .writes = {tile});
    for (int i = 0; i < LOADS; i++) {
        fragments[i] = swp_value(l, "fragment", .bytes = 64, .most_slots = 1);
        swp_work(l, "FRAG", .latency = LATENCY, .completion = SWP_COMPLETION_COUNTER,
                 .accesses = ACCESSES, .reads = {{.value = tile}}, .writes = {fragments[i]});
    }
    for (int i = 0; i < LOADS; i++)
        swp_work(l, "MMA", .latency = INTERVAL / LOADS,
                 .uses = {{.unit = unit, .cycles = INTERVAL / LOADS}},
                 .reads = {{.value = fragments[i]}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* The most accesses in flight at the begin of any fragment load. */
static int most_in_flight(const swp_pipeline *p)
{
    int most = 0;
    for (int i = 1; i <= LOADS; i++) {
        int now = 0;
        for (int j = 1; j <= LOADS; j++) {
            const int64_t apart = p->answer.times[i] - p->answer.times[j];
            const int64_t since = (apart % p->answer.value + p->answer.value) % p->answer.value;
            now += since < LATENCY ? ACCESSES : 0;
        }
        most = now > most ? now : most;
    }
    return most;
}

static void what_is_in_flight_keeps_within_the_counters(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = counted_loop(ctx, SHORT_LOAD);
    swp_machine machine = swp_machine_default();
    swp_pipeline p;
    swp_pipeline eased;
    bool found = false;
    machine.lgkm_max = ACCESSES;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
    assert_int_equal(p.answer.value, INTERVAL);
    assert_ok(ctx, swp_pipeline_ease(ctx, &machine, &p, p.stages + 1, &eased, &found));
    assert_true(found);
    assert_int_equal(most_in_flight(&eased), ACCESSES);
    assert_int_equal(eased.answer.value, INTERVAL);
    assert_ok(ctx, swp_answer_check(ctx, &eased.problem.problem, &eased.answer));
    for (size_t v = 0; v < loop.value_count; v++)
        assert_int_equal(eased.slots[v], p.slots[v]);
    for (size_t i = 0; i < loop.op_count; i++)
        assert_int_equal(eased.stage[i], eased.answer.times[i] / INTERVAL);
}

static void more_stages_are_not_proven_least(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = counted_loop(ctx, LONG_LOAD);
    const swp_machine machine = swp_machine_default();
    swp_pipeline p;
    swp_pipeline eased;
    bool found = false;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
    assert_true(p.proven[SWP_LEAST_STAGES]);
    assert_int_equal(p.stages, 3);
    assert_ok(ctx, swp_pipeline_ease(ctx, &machine, &p, p.stages, &eased, &found));
    assert_true(found && eased.stages == 3 && eased.proven[SWP_LEAST_STAGES]);
    assert_ok(ctx, swp_pipeline_ease(ctx, &machine, &p, p.stages + 1, &eased, &found));
    assert_true(found && eased.stages == 4 && !eased.proven[SWP_LEAST_STAGES]);
}

/* No times help an op that alone is more than its counter holds. */
static void an_op_beyond_its_counter_is_no_reason_to_find_nothing(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = counted_loop(ctx, SHORT_LOAD);
    swp_machine machine = swp_machine_default();
    swp_pipeline p;
    swp_pipeline eased;
    bool found = false;
    machine.lgkm_max = ACCESSES - 1;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
    assert_ok(ctx, swp_pipeline_ease(ctx, &machine, &p, p.stages + 1, &eased, &found));
    assert_true(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(what_is_in_flight_keeps_within_the_counters),
        CONTEXT_TEST(more_stages_are_not_proven_least),
        CONTEXT_TEST(an_op_beyond_its_counter_is_no_reason_to_find_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
