/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a loop explained: where a dependence or a unit is said to hold an op, issuing it a cycle sooner
 * breaks a dependence or fills a unit; where nothing does, it breaks nothing.
 */
#include "fixture.h"
#include "plain_loop.h"
#include "random_loop.h"
#include "swp/explain.h"
#include "swp/loop_compile.h"

#include <stdio.h>

enum { MOST_OPS = 16 };

static bool edges_hold(const swp_pipeline *p, const int64_t *times)
{
    for (size_t i = 0; i < p->problem.problem.edge_count; i++) {
        const swp_problem_edge *e = &p->problem.problem.edges[i];
        if (times[e->consumer] < times[e->producer] + e->delay - p->answer.value * e->distance)
            return false;
    }
    return true;
}

static void check_reason(const swp_pipeline *p, const swp_order_reason_list *all, size_t at)
{
    const swp_order_reason *reason = &all->items[at];
    int64_t times[MOST_OPS];
    for (size_t i = 0; i < p->loop->op_count; i++)
        times[i] = p->answer.times[i] + p->answer.value - ((int)i == reason->op);
    const bool edges = edges_hold(p, times);
    const bool units = plain_fits(p->loop, times, p->answer.value);
    /* An edge of an op to itself is as tight wherever the op stands. */
    if (reason->hold == SWP_HELD_BY_EDGE) {
        const swp_problem_edge *e = &p->problem.problem.edges[reason->edge];
        assert_int_equal(e->producer, all->items[reason->holder].op);
        assert_int_equal(e->consumer, reason->op);
        assert_true(!edges || e->producer == e->consumer);
    }
    if (reason->hold == SWP_HELD_BY_UNIT)
        assert_false(units);
    if (reason->hold == SWP_HELD_BY_NOTHING)
        assert_true(edges && units);
}

static void each_reason_bars_the_cycle_before(void **state)
{
    static const loop_shape shape = {
        .most_ops = 8, .most_values = 5, .most_cycles = 6, .most_slots = 3};
    const uint64_t seed = random_seed(3);
    const size_t cases = random_cases(1000);
    size_t held[SWP_ORDER_HOLD_COUNT] = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        const swp_loop loop = random_loop(ctx, &random, &shape);
        swp_order_reason_list reasons;
        swp_pipeline p;
        if (swp_pipeline_loop(ctx, &loop, &p) == SWP_OK) {
            const swp_schedule schedule = {.pipeline = &p};
            assert_ok(ctx, swp_explain_order(ctx, &schedule, &reasons));
            assert_int_equal(reasons.count, loop.op_count);
            for (size_t r = 0; r < reasons.count; r++) {
                check_reason(&p, &reasons, r);
                held[reasons.items[r].hold]++;
            }
        }
        swp_context_free(ctx);
    }
    (void)printf("%zu ops held by nothing, %zu by edges, %zu by units\n", held[SWP_HELD_BY_NOTHING],
                 held[SWP_HELD_BY_EDGE], held[SWP_HELD_BY_UNIT]);
    assert_true(held[SWP_HELD_BY_NOTHING] > 0 && held[SWP_HELD_BY_EDGE] > 0 &&
                held[SWP_HELD_BY_UNIT] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_reason_bars_the_cycle_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
