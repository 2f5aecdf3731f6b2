/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "problems.h"

#include "solve/modulo_core.h"

static swp_modulo_core core_of(swp_context *ctx, const swp_problem *p, int64_t interval)
{
    static swp_problem_graph graph;
    swp_modulo_core core;
    bool fits = false;
    assert_ok(ctx, swp_problem_check(ctx, p));
    assert_ok(ctx, swp_problem_graph_new(ctx, p, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_modulo_core_new(ctx, &graph, &core, &fits));
    assert_true(fits);
    swp_solve_modulo_core_set(&core, interval);
    return core;
}

static void only_ops_that_hold_something_are_nodes(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p =
        problem_of(ctx, SWP_PROBLEM_MODULO, "1", "1: 1:r1x0 1:r1x1 1:r1x2", "0>1 1>2 2>3");
    const swp_modulo_core core = core_of(ctx, &p, 3);
    assert_int_equal(core.count, 2);
    assert_int_equal(core.nodes[0], -1);
    assert_int_equal(core.nodes[1], -1);
    /* Without a cycle nothing ties them. */
    assert_int_equal(core.first[core.count], 0);
}

static void arcs_are_the_longest_paths_of_a_component(void **state)
{
    swp_context *ctx = *state;
    /* Ops 0 and 2 hold r; from 0 to 2 by way of 1 takes 2 + 3, and back 1 - 2 * interval. */
    const swp_problem p =
        problem_of(ctx, SWP_PROBLEM_MODULO, "1", "2:r1x1 3: 1:r1x1", "0>1 1>2 2>0/2 0>2");
    const swp_modulo_core core = core_of(ctx, &p, 4);
    assert_int_equal(core.count, 2);
    const int node = core.nodes[0];
    const int other = core.nodes[2];
    assert_int_equal(core.arcs[core.first[node]].to, other);
    assert_int_equal(core.arcs[core.first[node]].delay, 5);
    assert_int_equal(core.arcs[core.first[other]].delay, 1 - 8);
    assert_int_equal(core.back_arcs[core.first[node]].to, other);
    assert_int_equal(core.back_arcs[core.first[node]].delay, 1 - 8);
    assert_int_equal(core.back_arcs[core.first[other]].delay, 5);
}

static void later_components_are_delayed_by_whole_intervals(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MODULO, "1 1", "5:r1x1 1:s1x1 1:", "0>1 1>2");
    swp_modulo_core core = core_of(ctx, &p, 4);
    int64_t node_times[2];
    int64_t times[3] = {0, 0, 0};
    node_times[core.nodes[0]] = 1;
    node_times[core.nodes[1]] = 3;
    for (int c = 0; c < core.graph->component_count; c++)
        swp_solve_modulo_core_settle(&core, c, node_times, times);
    assert_int_equal(times[0], 1);
    assert_int_equal(times[1], 7); /* 6 or later, in slot 3 */
    assert_int_equal(times[2], 8); /* holds nothing: at once */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(only_ops_that_hold_something_are_nodes),
        CONTEXT_TEST(arcs_are_the_longest_paths_of_a_component),
        CONTEXT_TEST(later_components_are_delayed_by_whole_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
