/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exact search without any heuristic before it, its formulas and its certificates, on small random
 * problems: against enumeration, and through the independent checker.
 */
#include "fixture.h"
#include "plain_problem.h"
#include "random_problem.h"

#include "solve/bounds.h"
#include "solve/exact.h"
#include "solve/formula.h"
#include "swp/certificate.h"
#include "swp/certify.h"

#include <stdio.h>
#include <string.h>

/* Enumeration goes no further. */
enum { MOST_INTERVAL = 9, MOST_MAKESPAN = 22 };

static const problem_shape shapes[] = {
    {SWP_PROBLEM_MODULO, 5, 2, 3, 4, 0},
    {SWP_PROBLEM_MODULO, 4, 2, 3, 3, 50},
    {SWP_PROBLEM_MAKESPAN, 5, 2, 4, 4, 0},
    {SWP_PROBLEM_MAKESPAN, 4, 2, 3, 4, 50},
};

static int64_t most_value(const swp_problem *problem)
{
    return problem->kind == SWP_PROBLEM_MODULO ? MOST_INTERVAL : MOST_MAKESPAN;
}

typedef void judge(swp_context *ctx, const swp_problem *problem);

static void judge_many(judge *each, size_t cases, uint64_t seed)
{
    const uint64_t from = random_seed(seed);
    for (size_t i = 0; i < random_sample(cases); i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(from, i);
        const swp_problem problem = random_problem(ctx, &random, &shapes[i % COUNT_OF(shapes)]);
        each(ctx, &problem);
        swp_context_free(ctx);
    }
}

static void search_only(swp_context *ctx, const swp_problem *problem, swp_answer *answer)
{
    swp_problem_graph graph;
    swp_budget budget = swp_budget_start(ctx, (int)problem->op_count);
    *answer = (swp_answer){.status = SWP_ANSWER_UNKNOWN};
    assert_ok(ctx, swp_problem_graph_new(ctx, problem, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_bounds(ctx, &graph, &budget, answer));
    assert_ok(ctx, swp_solve_exact(ctx, problem, 0, &budget, answer));
    answer->work = budget.work;
    assert_ok(ctx, swp_answer_check(ctx, problem, answer));
}

static void judge_search(swp_context *ctx, const swp_problem *problem)
{
    swp_answer answer;
    search_only(ctx, problem, &answer);
    const int64_t optimum = plain_optimum(problem, most_value(problem));
    const swp_answer_status wanted =
        optimum < 0 && !answer.times ? SWP_ANSWER_INFEASIBLE : SWP_ANSWER_OPTIMAL;
    if (answer.status != wanted || (optimum >= 0 && answer.value != optimum) ||
        (optimum < 0 && answer.times && answer.value <= most_value(problem))) {
        print_problem(ctx, problem);
        fail_msg("%s at %lld, but the optimum is %lld", swp_answer_status_name(answer.status),
                 (long long)answer.value, (long long)optimum);
    }
}

static void the_search_alone_finds_the_optimum(void **state)
{
    (void)state;
    judge_many(judge_search, 3000, 41);
}

static void judge_formula(swp_context *ctx, const swp_problem_graph *graph, int64_t value)
{
    swp_budget budget = swp_budget_start(ctx, 0);
    int64_t *times = swp_context_take(ctx, (graph->problem->op_count + 1) * sizeof *times);
    swp_encoding encoding;
    swp_encoding_state state;
    swp_formula formula;
    swp_sat_result result = SWP_SAT_REFUTED;
    assert_ok(ctx, swp_solve_encode_value(ctx, graph, value, &encoding, &state));
    if (state == SWP_ENCODING_READY)
        assert_ok(
            ctx, swp_solve_formula_decide(ctx, &encoding, &budget, NULL, times, &formula, &result));
    const bool exists = plain_has_schedule(graph->problem, value);
    if (result != (exists ? SWP_SAT_SATISFIED : SWP_SAT_REFUTED)) {
        print_problem(ctx, graph->problem);
        fail_msg("the formula of %lld has %s model, but there is %s schedule", (long long)value,
                 result == SWP_SAT_SATISFIED ? "a" : "no", exists ? "a" : "no");
    }
}

/* From the bound on: what lies below it is not asked of formulas. */
static void judge_formulas(swp_context *ctx, const swp_problem *problem)
{
    swp_problem_graph graph;
    swp_answer answer = {0};
    swp_budget budget = swp_budget_start(ctx, 0);
    assert_ok(ctx, swp_problem_graph_new(ctx, problem, INT64_MAX, &graph));
    assert_ok(ctx, swp_solve_bounds(ctx, &graph, &budget, &answer));
    for (int64_t value = answer.bound; value <= answer.bound + 3 && value <= most_value(problem);
         value++)
        judge_formula(ctx, &graph, value);
}

static void a_formula_has_a_model_where_there_is_a_schedule(void **state)
{
    (void)state;
    judge_many(judge_formulas, 1500, 42);
}

static char *certificate_of(swp_context *ctx, const swp_problem *problem, const swp_answer *answer,
                            size_t *length)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_ok(ctx, swp_certificate_write(ctx, problem, answer, stream));
    assert_int_equal(ferror(stream), 0);
    *length = (size_t)ftell(stream);
    char *text = swp_context_take(ctx, *length + 1);
    rewind(stream);
    assert_int_equal(fread(text, 1, *length, stream), *length);
    (void)fclose(stream);
    return text;
}

static void judge_certificate(swp_context *ctx, const swp_problem *problem)
{
    swp_answer answer;
    size_t length = 0;
    size_t again_length = 0;
    swp_certificate certificate;
    swp_certificate_report report;
    search_only(ctx, problem, &answer);
    const char *text = certificate_of(ctx, problem, &answer, &length);
    const char *again = certificate_of(ctx, problem, &answer, &again_length);
    assert_int_equal(length, again_length);
    assert_memory_equal(text, again, length);
    const swp_problem_text whole = {.text = text, .length = length};
    assert_ok(ctx, swp_certificate_read(ctx, &whole, &certificate));
    assert_ok(ctx, swp_certificate_check(ctx, problem, &answer, &certificate, &report));
    if (report.verdict != SWP_CERTIFICATE_ACCEPTED) {
        print_problem(ctx, problem);
        fail_msg("%s: %s", swp_certificate_verdict_name(report.verdict), report.why);
    }
}

static void certificates_are_accepted_and_the_same_each_time(void **state)
{
    (void)state;
    judge_many(judge_certificate, 1000, 43);
}

/* Makes a problem that is closed by no bound and takes some conflicts. */
static swp_problem hard_problem(swp_context *ctx)
{
    const problem_shape shape = {SWP_PROBLEM_MAKESPAN, 30, 3, 8, 9, 0};
    for (size_t i = 0;; i++) {
        test_random random = random_for_case(44, i);
        const swp_problem problem = random_problem(ctx, &random, &shape);
        swp_answer answer;
        if (problem.op_count < 24)
            continue;
        search_only(ctx, &problem, &answer);
        if (answer.bound_kind == SWP_BOUND_REFUTATION && answer.work > 300)
            return problem;
    }
}

static void a_work_limit_gives_the_same_answer_each_time(void **state)
{
    swp_context *ctx = *state;
    const swp_problem problem = hard_problem(ctx);
    swp_answer full;
    search_only(ctx, &problem, &full);
    for (uint64_t work = 1; work < full.work; work = 2 * work + 1) {
        const swp_limits limits = {.work = work};
        swp_answer first;
        swp_answer second;
        swp_context_set_limits(ctx, &limits);
        search_only(ctx, &problem, &first);
        search_only(ctx, &problem, &second);
        assert_int_equal(first.status, second.status);
        assert_int_equal(first.bound, second.bound);
        assert_true(first.bound <= full.value);
        assert_true(first.times && first.value >= full.value && first.value == second.value);
        assert_memory_equal(first.times, second.times, problem.op_count * sizeof *first.times);
    }
}

static bool interrupt(void *user)
{
    return ++*(int *)user > 3;
}

static void an_interruption_leaves_a_true_answer(void **state)
{
    swp_context *ctx = *state;
    const swp_problem problem = hard_problem(ctx);
    int polls = 0;
    const swp_limits limits = {.interrupted = interrupt, .user = &polls};
    swp_answer answer;
    swp_context_set_limits(ctx, &limits);
    search_only(ctx, &problem, &answer);
    assert_true(polls > 3 && polls < 50);
    assert_int_equal(answer.status, SWP_ANSWER_FEASIBLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_alone_finds_the_optimum),
        cmocka_unit_test(a_formula_has_a_model_where_there_is_a_schedule),
        cmocka_unit_test(certificates_are_accepted_and_the_same_each_time),
        CONTEXT_TEST(a_work_limit_gives_the_same_answer_each_time),
        CONTEXT_TEST(an_interruption_leaves_a_true_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
