/* SPDX-License-Identifier: Apache-2.0 */
#include "certify/answer.h"
#include "fixture.h"
#include "problems.h"

/* NULL where the answer is right, else why not. */
static const char *judge(swp_context *ctx, const swp_problem *problem, int64_t value,
                         const int64_t *times, size_t count)
{
    const swp_answer answer = {.status = SWP_ANSWER_OPTIMAL,
                               .value = value,
                               .bound = value,
                               .times = times,
                               .time_count = count};
    swp_judgement judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)};
    const swp_status status = swp_certify_judge_answer(ctx, &judgement, problem, &answer);
    assert_true(status == (judgement.why ? SWP_INVALID : SWP_OK));
    return judgement.why;
}

static void a_makespan_is_judged_by_edges_resources_and_its_end(void **state)
{
    const swp_problem problem =
        problem_of(*state, SWP_PROBLEM_MAKESPAN, "2", "3:r1x3 2:r2x1 1:", "0>2");
    assert_null(judge(*state, &problem, 5, (int64_t[]){0, 3, 3}, 3));
    assert_string_equal(judge(*state, &problem, 6, (int64_t[]){0, 3, 3}, 3),
                        "the value is 6, but the last op ends at 5");
    assert_string_equal(judge(*state, &problem, 5, (int64_t[]){0, 3, 2}, 3),
                        "edge 0: op 2 (`op`) starts at 2, but has to start 3 after op 0 (`op`), "
                        "which starts at 0");
    assert_string_equal(judge(*state, &problem, 4, (int64_t[]){0, 2, 3}, 3),
                        "3 of resource `r` are held at time 2, but there are 2");
    assert_string_equal(judge(*state, &problem, 5, (int64_t[]){0, -1, 3}, 3),
                        "op 1 (`op`) starts at -1, which is out of range");
    assert_string_equal(judge(*state, &problem, 5, (int64_t[]){0, 3}, 2),
                        "there are 2 times, but 3 ops");
}

/* One op for 5 cycles at an interval of 3 holds two slots twice and the other once. */
static void uses_wrap_round_the_interval(void **state)
{
    swp_problem problem = problem_of(*state, SWP_PROBLEM_MODULO, "2", "1:r1x5", "0>0/1");
    assert_null(judge(*state, &problem, 3, (int64_t[]){7}, 1));
    assert_string_equal(judge(*state, &problem, 2, (int64_t[]){7}, 1),
                        "3 of resource `r` are held at cycle 1, but there are 2");
    problem = problem_of(*state, SWP_PROBLEM_MODULO, "2", "1:r1x5 1:r1x1", "");
    assert_null(judge(*state, &problem, 3, (int64_t[]){7, 6}, 2));
    assert_string_equal(judge(*state, &problem, 3, (int64_t[]){7, 8}, 2),
                        "3 of resource `r` are held at cycle 2, but there are 2");
    assert_string_equal(judge(*state, &problem, 0, (int64_t[]){7, 8}, 2),
                        "the interval is 0, but must be 1 or more");
}

static void numbers_that_do_not_fit_are_no_schedule(void **state)
{
    const swp_problem problem =
        problem_of(*state, SWP_PROBLEM_MODULO, "1", "1: 1:", "0>1/1000000 1>0/0=-5");
    assert_non_null(judge(*state, &problem, INT64_MAX, (int64_t[]){0, INT64_MAX}, 2));
    assert_null(judge(*state, &problem, INT64_MAX, (int64_t[]){4, 0}, 2));
    assert_string_equal(judge(*state, &problem, INT64_MAX, (int64_t[]){0, 6}, 2),
                        "edge 1: op 0 (`op`) starts at 0, but has to start -5 after op 1 (`op`), "
                        "which starts at 6");
}

static void a_bound_has_to_agree_with_the_status(void **state)
{
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "3:", "");
    swp_judgement judgement = {.ctx = *state, .budget = swp_budget_start(*state, 0)};
    const int64_t times[] = {0};
    swp_answer answer = {.value = 3, .bound = 2, .times = times, .time_count = 1};
    assert_int_equal(swp_certify_judge_answer(*state, &judgement, &problem, &answer), SWP_INVALID);
    assert_string_equal(judgement.why, "the answer is called optimal at 3, but the bound is 2");
    answer.status = SWP_ANSWER_FEASIBLE;
    assert_int_equal(swp_certify_judge_answer(*state, &judgement, &problem, &answer), SWP_OK);
    answer.bound = 4;
    assert_int_equal(swp_certify_judge_answer(*state, &judgement, &problem, &answer), SWP_INVALID);
    answer.status = SWP_ANSWER_INFEASIBLE;
    assert_int_equal(swp_certify_judge_answer(*state, &judgement, &problem, &answer), SWP_INVALID);
    assert_string_equal(judgement.why, "the answer has times, but no schedule by its status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_makespan_is_judged_by_edges_resources_and_its_end),
        CONTEXT_TEST(uses_wrap_round_the_interval),
        CONTEXT_TEST(numbers_that_do_not_fit_are_no_schedule),
        CONTEXT_TEST(a_bound_has_to_agree_with_the_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
