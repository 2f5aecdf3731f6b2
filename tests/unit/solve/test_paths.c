/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "problems.h"

#include "solve/paths.h"

/* Ops 0 and 1 are a component: one of them has an edge out of it, the other sees that one only. */
static void paths_leave_a_component_behind_a_path_inside_it(void **state)
{
    static const char *const edges[2] = {"0>1=-5 1>0=-2 0>2", "0>1=-2 1>0=-5 1>2"};
    swp_context *ctx = *state;
    for (int out = 0; out < 2; out++) {
        const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "1: 1: 7:", edges[out]);
        swp_problem_graph graph;
        int64_t tails[3] = {1, 1, 7};
        assert_ok(ctx, swp_problem_graph_new(ctx, &p, 0, &graph));
        assert_true(swp_solve_paths_to(&graph, 0, -1, tails));
        assert_int_equal(tails[out], 1 + 7);
        assert_int_equal(tails[1 - out], -2 + 1 + 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(paths_leave_a_component_behind_a_path_inside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
