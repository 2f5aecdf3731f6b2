/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that have no schedule at the larger of their bounds. SWP_WRITE names a file for them, one a
 * line; SWP_CASES is their number, SWP_OPS the least and the most ops, such as 40-60.
 */
#include "fixture.h"
#include "hard_loop.h"

#include <stdio.h>
#include <stdlib.h>

static void range_of_ops(int *least, int *most)
{
    const char *text = getenv("SWP_OPS");
    char *end = NULL;
    *least = 10;
    *most = 16;
    if (text) {
        *least = (int)strtol(text, &end, 10);
        *most = *end == '-' ? (int)strtol(end + 1, NULL, 10) : *least;
    }
}

static void write_line(swp_context *ctx, const swp_problem *problem, FILE *file)
{
    char *text = NULL;
    assert_ok(ctx, swp_problem_json(ctx, problem, &text, NULL));
    (void)fprintf(file, "%s\n", text);
}

static void loops_above_their_bounds_are_solved(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(41);
    const size_t cases = random_sample(60);
    const char *path = getenv("SWP_WRITE");
    FILE *file = path ? fopen(path, "w") : NULL;
    size_t optimal = 0;
    int least = 0;
    int most = 0;
    range_of_ops(&least, &most);
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        const swp_limits limits = {.work = 1000000};
        test_random random = random_for_case(seed, i);
        swp_problem problem = hard_loop(ctx, &random, least, most);
        const int64_t bound = plain_loop_bound(&problem);
        swp_answer answer;
        char name[64];
        (void)snprintf(name, sizeof name, "hard/%d-%d/%zu", least, most, i);
        problem.name = name;
        swp_context_set_limits(ctx, &limits);
        assert_ok(ctx, swp_solve_problem(ctx, &problem, &answer));
        assert_true(answer.value > bound);
        if (answer.status == SWP_ANSWER_OPTIMAL) {
            optimal++;
            assert_int_equal(answer.bound_kind, SWP_BOUND_REFUTATION);
        } else
            assert_int_equal(answer.status, SWP_ANSWER_FEASIBLE);
        if (file)
            write_line(ctx, &problem, file);
        swp_context_free(ctx);
    }
    if (file)
        (void)fclose(file);
    printf("%zu of %zu loops of %d to %d ops proven optimal\n", optimal, cases, least, most);
    if (most <= 16)
        assert_int_equal(optimal, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_above_their_bounds_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
