/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "problems.h"

#define TIMES(...) ((const int64_t[]){__VA_ARGS__})

static swp_answer optimal(int64_t value, const int64_t *times, size_t count)
{
    return (swp_answer){.status = SWP_ANSWER_OPTIMAL,
                        .value = value,
                        .bound = value,
                        .times = times,
                        .time_count = count};
}

static void refused(swp_context *ctx, const swp_problem *problem, swp_answer answer,
                    const char *text)
{
    assert_status(ctx, swp_answer_check(ctx, problem, &answer), SWP_INVALID);
    assert_diag(ctx, "E0826", text);
    swp_context_clear_diags(ctx);
}

static void taken(swp_context *ctx, const swp_problem *problem, swp_answer answer)
{
    assert_ok(ctx, swp_answer_check(ctx, problem, &answer));
}

static void a_makespan_is_judged_by_edges_resources_and_end(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "2", "2:r2x2 3:r1x3 1:r1x1", "0>1");
    taken(ctx, &p, optimal(5, TIMES(0, 2, 2), 3));
    refused(ctx, &p, optimal(5, TIMES(1, 2, 3), 3), "edge 0");
    refused(ctx, &p, optimal(5, TIMES(0, 2, 1), 3), "at 1, 3 of `r`");
    refused(ctx, &p, optimal(6, TIMES(0, 2, 2), 3), "ends at 5");
    refused(ctx, &p, optimal(5, TIMES(0, 2, -1), 3), "no time");
    refused(ctx, &p, optimal(5, TIMES(0, 2), 2), "2 times");
}

static void a_use_ends_before_the_next_begins(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "1", "1:r1x2 1:r1x2", "");
    taken(ctx, &p, optimal(3, TIMES(2, 0), 2));
    refused(ctx, &p, optimal(2, TIMES(1, 0), 2), "at 1, 2 of `r`");
}

static void slots_are_counted_modulo_the_interval(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MODULO, "1", "1:r1x2 1:r1x1", "0>1");
    taken(ctx, &p, optimal(3, TIMES(0, 5), 2));
    refused(ctx, &p, optimal(3, TIMES(0, 4), 2), "cycle 1");
    /* From cycle 2 the use goes round to cycle 0. */
    taken(ctx, &p, optimal(3, TIMES(2, 4), 2));
    refused(ctx, &p, optimal(3, TIMES(2, 3), 2), "cycle 0");
}

static void a_use_longer_than_the_interval_meets_itself(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MODULO, "5", "1:r2x5", "");
    taken(ctx, &p, optimal(3, TIMES(1), 1));
    refused(ctx, &p, optimal(2, TIMES(1), 1), "6 of `r`");
}

static void distances_loosen_edges(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MODULO, "", "4: 1:", "0>1 1>0/1=1");
    taken(ctx, &p, optimal(5, TIMES(0, 4), 2));
    refused(ctx, &p, optimal(4, TIMES(0, 4), 2), "edge 1");
    refused(ctx, &p, optimal(0, TIMES(0, 4), 2), "no initiation interval");
}

static void claims_need_their_proof(void **state)
{
    swp_context *ctx = *state;
    const swp_problem p = problem_of(ctx, SWP_PROBLEM_MAKESPAN, "", "2:", "");
    swp_answer answer = optimal(2, TIMES(0), 1);
    answer.bound = 1;
    refused(ctx, &p, answer, "called optimal");
    answer.status = SWP_ANSWER_FEASIBLE;
    taken(ctx, &p, answer);
    answer.bound = 3;
    refused(ctx, &p, answer, "the bound is 3");
    answer.status = SWP_ANSWER_INFEASIBLE;
    refused(ctx, &p, answer, "`infeasible`");
    answer.times = NULL;
    taken(ctx, &p, answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_makespan_is_judged_by_edges_resources_and_end),
        CONTEXT_TEST(a_use_ends_before_the_next_begins),
        CONTEXT_TEST(slots_are_counted_modulo_the_interval),
        CONTEXT_TEST(a_use_longer_than_the_interval_meets_itself),
        CONTEXT_TEST(distances_loosen_edges),
        CONTEXT_TEST(claims_need_their_proof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
