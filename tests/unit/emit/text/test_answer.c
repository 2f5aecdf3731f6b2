/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "problems.h"

#include <string.h>

static void expect(swp_context *ctx, const swp_problem *problem, const swp_answer *answer,
                   const char *wanted)
{
    char *text = NULL;
    size_t length = 0;
    assert_ok(ctx, swp_answer_text(ctx, problem, answer, &text, &length));
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, wanted);
}

static void the_load_is_the_one_of_the_bound(void **state)
{
    swp_context *ctx = *state;
    /* Of the second use only the 5 cycles of its op's latency are sure to lie within the makespan. */
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "5:r1x5 5:r1x10", "");
    swp_answer answer;
    assert_ok(ctx, swp_solve_problem(ctx, &p, &answer));
    answer.seconds = 0;
    expect(ctx, &p, &answer,
           "test: makespan 10, optimal (0.00 s)\n"
           "  bound 10: resource `r` carries 10, 1 a cycle at most\n"
           "  op                                0\n"
           "  op                                5\n");
}

static void a_cycle_is_named_and_summed(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MODULO, "", "3: 4:", "0>1 1>0/2");
    swp_answer answer;
    assert_ok(ctx, swp_solve_problem(ctx, &p, &answer));
    answer.seconds = 0;
    answer.times = (const int64_t[]){0, 5};
    expect(ctx, &p, &answer,
           "test: initiation interval 4, optimal (0.00 s)\n"
           "  bound 4: `op` -> `op` -> `op`, 7 cycles in 2 iterations\n"
           "  op                                0   cycle 0 of iteration 0\n"
           "  op                                5   cycle 1 of iteration 1\n");
}

static void what_a_limit_leaves_open_is_said(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "3:", "");
    swp_answer answer = {.status = SWP_ANSWER_FEASIBLE,
                         .value = 9,
                         .bound = 5,
                         .times = (const int64_t[]){6},
                         .time_count = 1,
                         .bound_kind = SWP_BOUND_REFUTATION};
    expect(ctx, &p, &answer,
           "test: makespan 9, stopped; the least is 5 to 9 (0.00 s)\n"
           "  bound 5: the search refuted less\n"
           "  op                                6\n");
    answer = (swp_answer){.status = SWP_ANSWER_UNKNOWN, .bound = 5};
    expect(
        ctx, &p, &answer,
        "test: stopped before any schedule was found; the least makespan is 5 or more (0.00 s)\n");
    answer = (swp_answer){.status = SWP_ANSWER_INFEASIBLE};
    expect(ctx, &p, &answer, "test: infeasible: no makespan has a schedule (0.00 s)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_load_is_the_one_of_the_bound),
        CONTEXT_TEST(a_cycle_is_named_and_summed),
        CONTEXT_TEST(what_a_limit_leaves_open_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
