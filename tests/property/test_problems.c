/* SPDX-License-Identifier: Apache-2.0 */
/* Answers to small random problems against enumeration of all schedules. */
#include "fixture.h"
#include "plain_problem.h"
#include "random_problem.h"

#include <stdio.h>

/* Bounds of `value`: enumeration goes no further. */
enum { MOST_INTERVAL = 9, MOST_MAKESPAN = 24 };

typedef struct tally {
    size_t optimal;
    size_t infeasible;
    size_t open;
} tally;

static void judge(swp_context *ctx, const swp_problem *problem, int64_t most, tally *counts)
{
    swp_answer answer;
    assert_ok(ctx, swp_solve_problem(ctx, problem, &answer));
    const int64_t optimum = plain_optimum(problem, most);
    if (optimum >= 0) {
        assert_int_not_equal(answer.status, SWP_ANSWER_INFEASIBLE);
        assert_true(answer.bound <= optimum);
        assert_true(!answer.times || answer.value >= optimum);
    } else
        assert_true(!answer.times || answer.value > most);
    if (answer.status == SWP_ANSWER_OPTIMAL)
        counts->optimal++;
    else if (answer.status == SWP_ANSWER_INFEASIBLE)
        counts->infeasible++;
    else {
        if (counts->open++ < 3)
            print_problem(ctx, problem);
    }
}

static void solve_many(const problem_shape *shape, int64_t most, size_t cases, uint64_t seed)
{
    tally counts = {0};
    const uint64_t from = random_seed(seed);
    for (size_t i = 0; i < random_sample(cases); i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(from, i);
        const swp_problem problem = random_problem(ctx, &random, shape);
        judge(ctx, &problem, most, &counts);
        swp_context_free(ctx);
    }
    printf("%zu optimal, %zu infeasible, %zu open\n", counts.optimal, counts.infeasible,
           counts.open);
    assert_int_equal(counts.open, 0);
}

static void modulo_values_are_the_least(void **state)
{
    (void)state;
    const problem_shape shape = {SWP_PROBLEM_MODULO, 4, 2, 2, 4, 0};
    solve_many(&shape, MOST_INTERVAL, 1500, 31);
}

static void modulo_values_with_negative_delays_are_the_least(void **state)
{
    (void)state;
    const problem_shape shape = {SWP_PROBLEM_MODULO, 4, 2, 3, 3, 50};
    solve_many(&shape, MOST_INTERVAL, 1500, 32);
}

static void makespans_are_the_least(void **state)
{
    (void)state;
    const problem_shape shape = {SWP_PROBLEM_MAKESPAN, 5, 2, 3, 4, 0};
    solve_many(&shape, MOST_MAKESPAN, 1500, 33);
}

static void makespans_with_negative_delays_are_the_least(void **state)
{
    (void)state;
    const problem_shape shape = {SWP_PROBLEM_MAKESPAN, 4, 2, 3, 4, 50};
    solve_many(&shape, MOST_MAKESPAN, 1500, 34);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modulo_values_are_the_least),
        cmocka_unit_test(modulo_values_with_negative_delays_are_the_least),
        cmocka_unit_test(makespans_are_the_least),
        cmocka_unit_test(makespans_with_negative_delays_are_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
