/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "plain_problem.h"
#include "problems.h"
#include "random_problem.h"

#include "solve/bounds.h"

static swp_answer bound_of(swp_context *ctx, const swp_problem *problem)
{
    swp_answer answer = {0};
    swp_problem_graph graph;
    swp_budget budget = swp_budget_start(ctx, (int)problem->op_count);
    assert_ok(ctx, swp_problem_check(ctx, problem));
    assert_ok(ctx, swp_problem_graph_new(ctx, problem, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_bounds(ctx, &graph, &budget, &answer));
    return answer;
}

static void nothing_takes_no_time(void **state)
{
    swp_context *ctx = *state;
    swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "", "");
    assert_int_equal(bound_of(ctx, &p).bound, 0);
    p.kind = SWP_PROBLEM_MODULO;
    assert_int_equal(bound_of(ctx, &p).bound, 1);
    assert_int_equal(bound_of(ctx, &p).bound_kind, SWP_BOUND_NONE);
}

static void the_busiest_resource_bounds(void **state)
{
    swp_context *ctx = *state;
    /* r carries 2 * 3 + 1 * 1 = 7 of 2, s 3 of 1. */
    swp_problem p = problem_of(ctx, SWP_PROBLEM_MODULO, "2 1", "3:r2x3 1:r1x1+s1x3", "");
    swp_answer answer = bound_of(ctx, &p);
    assert_int_equal(answer.bound, 4);
    assert_int_equal(answer.bound_kind, SWP_BOUND_RESOURCE);
    assert_int_equal(answer.bound_resource, 0);
    /* A makespan ends before what outlasts its op: 7 still, but 1 of s. */
    p.kind = SWP_PROBLEM_MAKESPAN;
    assert_int_equal(bound_of(ctx, &p).bound, 4);
}

static void a_use_that_outlasts_its_op_ends_no_makespan(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "1:r1x9", "");
    assert_int_equal(bound_of(ctx, &p).bound, 1);
}

static void the_longest_path_bounds(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p =
        problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "2: 3: 1: 4:", "0>1 1>2=5 0>2 3>2=-1");
    const swp_answer answer = bound_of(ctx, &p);
    assert_int_equal(answer.bound, 8);
    assert_int_equal(answer.bound_kind, SWP_BOUND_PATH);
    assert_int_equal(answer.bound_edge_count, 2);
    assert_int_equal(answer.bound_edges[0], 0);
    assert_int_equal(answer.bound_edges[1], 1);
}

static void the_critical_cycle_bounds(void **state)
{
    swp_context *ctx = *state;
    /* 7 cycles in 2 iterations need 4; 3 in one need 3. */
    const swp_problem p =
        problem_of(ctx, SWP_PROBLEM_MODULO, "", "3: 4: 1:", "0>1 1>0/2 1>2 2>1/2=2 0>0/1");
    const swp_answer answer = bound_of(ctx, &p);
    assert_int_equal(answer.bound, 4);
    assert_int_equal(answer.bound_kind, SWP_BOUND_CYCLE);
    assert_int_equal(answer.bound_edge_count, 2);
}

/* The witness says what the bound says; enumeration finds nothing below. */
static void check_witness(const swp_problem *p, const swp_answer *answer)
{
    int64_t delay = 0;
    int64_t distance = 0;
    for (size_t i = 0; i < answer->bound_edge_count; i++) {
        const swp_problem_edge *edge = &p->edges[answer->bound_edges[i]];
        const bool last = i + 1 == answer->bound_edge_count;
        delay += edge->delay;
        distance += edge->distance;
        if (!last || answer->bound_kind == SWP_BOUND_CYCLE)
            assert_int_equal(p->edges[answer->bound_edges[last ? 0 : i + 1]].producer,
                             edge->consumer);
        else
            assert_int_equal(delay + p->ops[edge->consumer].latency, answer->bound);
    }
    if (answer->bound_kind == SWP_BOUND_CYCLE)
        assert_int_equal((delay + distance - 1) / distance, answer->bound);
}

static void bounds_are_below_every_schedule(void **state)
{
    (void)state;
    static const problem_shape shapes[] = {{SWP_PROBLEM_MODULO, 4, 2, 3, 4, 30},
                                           {SWP_PROBLEM_MAKESPAN, 4, 2, 3, 4, 30}};
    const uint64_t seed = random_seed(7);
    const size_t cases = random_cases(600);
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(seed, i);
        const swp_problem p = random_problem(ctx, &random, &shapes[i % COUNT_OF(shapes)]);
        const swp_answer answer = bound_of(ctx, &p);
        check_witness(&p, &answer);
        assert_int_equal(plain_optimum(&p, answer.bound - 1), -1);
        swp_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(nothing_takes_no_time),
        CONTEXT_TEST(the_busiest_resource_bounds),
        CONTEXT_TEST(a_use_that_outlasts_its_op_ends_no_makespan),
        CONTEXT_TEST(the_longest_path_bounds),
        CONTEXT_TEST(the_critical_cycle_bounds),
        CONTEXT_TEST(bounds_are_below_every_schedule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
