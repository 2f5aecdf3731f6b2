/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small problems whose cycles are multiplied until they come near the most that a problem may have, and
 * small problems under limits: what is claimed stays true.
 */
#include "fixture.h"
#include "interruption.h"
#include "plain_problem.h"
#include "random_problem.h"

#include <stdio.h>

enum { MOST_VALUE = 22, MOST_ASKED_AFTER = 16 };

static const problem_shape shapes[] = {
    {SWP_PROBLEM_MAKESPAN, 5, 2, 4, 4, 0},
    {SWP_PROBLEM_MODULO, 5, 2, 3, 4, 0},
    {SWP_PROBLEM_MAKESPAN, 4, 2, 3, 4, 50},
    {SWP_PROBLEM_MODULO, 4, 2, 3, 3, 50},
};

/* The same with all cycles and delays so many times as long. */
static swp_problem stretched(swp_context *ctx, const swp_problem *problem, int64_t factor)
{
    swp_problem out = *problem;
    swp_problem_op *ops = swp_context_take(ctx, (problem->op_count + 1) * sizeof *ops);
    swp_problem_edge *edges = swp_context_take(ctx, (problem->edge_count + 1) * sizeof *edges);
    for (size_t i = 0; i < problem->op_count; i++) {
        const swp_problem_op *from = &problem->ops[i];
        swp_problem_use *uses = swp_context_take(ctx, (from->use_count + 1) * sizeof *uses);
        for (size_t u = 0; u < from->use_count; u++) {
            uses[u] = from->uses[u];
            uses[u].cycles *= factor;
        }
        ops[i] = (swp_problem_op){from->name, from->latency * factor, uses, from->use_count};
    }
    for (size_t i = 0; i < problem->edge_count; i++) {
        edges[i] = problem->edges[i];
        edges[i].delay *= factor;
    }
    out.ops = ops;
    out.edges = edges;
    return out;
}

static bool has_times(const swp_answer *answer)
{
    return answer->status == SWP_ANSWER_OPTIMAL || answer->status == SWP_ANSWER_FEASIBLE;
}

/* The most that keeps the reach within what a problem may have. */
static int64_t largest_factor(const swp_problem *problem)
{
    const int64_t reach = swp_problem_reach(problem);
    return SWP_PROBLEM_MOST / (reach > 0 ? reach : 1);
}

/*
 * A makespan grows by just the factor: in a schedule that nothing can start sooner in, times are sums
 * of cycles. An interval grows by no more; it may come between two multiples.
 */
static void judge_stretched(swp_context *ctx, const swp_problem *problem, int64_t optimum)
{
    const int64_t factor = largest_factor(problem);
    const swp_problem large = stretched(ctx, problem, factor);
    const swp_limits limits = {.work = 2000};
    swp_answer answer;
    swp_context_set_limits(ctx, &limits);
    assert_ok(ctx, swp_solve_problem(ctx, &large, &answer));
    assert_int_not_equal(answer.status, SWP_ANSWER_INFEASIBLE);
    assert_true(answer.bound <= optimum * factor);
    if (problem->kind == SWP_PROBLEM_MAKESPAN && has_times(&answer))
        assert_true(answer.value >= optimum * factor);
    if (answer.status == SWP_ANSWER_OPTIMAL)
        assert_true(answer.value <= optimum * factor);
}

static void judge_limited(swp_context *ctx, const swp_problem *problem, int64_t optimum,
                          test_random *random)
{
    interruption i = {.from = (size_t)random_int(random, 1, 4)};
    swp_answer answer;
    interrupt_with(ctx, &i);
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        const swp_limits limits = {.work = (uint64_t)random_int(random, 1, 40)};
        if (!interrupted)
            swp_context_set_limits(ctx, &limits);
        else
            interrupt_with(ctx, &i);
        assert_ok(ctx, swp_solve_problem(ctx, problem, &answer));
        assert_int_not_equal(answer.status, SWP_ANSWER_INFEASIBLE);
        assert_true(answer.bound <= optimum);
        assert_true(!has_times(&answer) || answer.value >= optimum);
        assert_true(answer.status != SWP_ANSWER_OPTIMAL || answer.value == optimum);
    }
    assert_true(i.asked <= i.from + MOST_ASKED_AFTER);
}

static void judge_many(bool stretch, uint64_t from, size_t count)
{
    const uint64_t seed = random_seed(from);
    const size_t cases = random_sample(count);
    size_t judged = 0;
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(seed, i);
        const swp_problem problem = random_problem(ctx, &random, &shapes[i % COUNT_OF(shapes)]);
        const int64_t optimum = plain_optimum(&problem, MOST_VALUE);
        if (optimum >= 0) {
            judged++;
            if (stretch)
                judge_stretched(ctx, &problem, optimum);
            else
                judge_limited(ctx, &problem, optimum, &random);
        }
        swp_context_free(ctx);
    }
    (void)printf("%zu of %zu problems\n", judged, cases);
    assert_true(judged > cases / 2);
}

static void cycles_near_the_most_change_nothing(void **state)
{
    (void)state;
    judge_many(true, 51, 600);
}

static void limits_leave_true_answers(void **state)
{
    (void)state;
    judge_many(false, 52, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_near_the_most_change_nothing),
        cmocka_unit_test(limits_leave_true_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
