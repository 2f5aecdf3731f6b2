/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "large_problem.h"
#include "problems.h"
#include "swp/certify.h"

#include <stdio.h>
#include <string.h>

/* Two ops that cannot run together, in a formula that numbers its variables as it likes. */
static const char *const apart =
    "{\"swp\":1,\"certificate\":\"test\",\"problem\":\"makespan\",\"status\":\"optimal\","
    "\"value\":2,\"steps\":1}\n"
    "{\"step\":\"refutation\",\"scope\":\"value\",\"value\":1,\"references\":[],\"fixed\":null,"
    "\"alike\":[],\"groups\":[[[0],[1]]],\"variables\":3,\"clauses\":4,\"lines\":1}\n"
    "1 0\n-1 2 0\n3 0\n-3 -2 0\n0\n";

static swp_certificate_report check(swp_context *ctx, const swp_problem *problem, int64_t value,
                                    const int64_t *times, const char *text)
{
    const swp_answer answer = {.status = times ? SWP_ANSWER_OPTIMAL : SWP_ANSWER_INFEASIBLE,
                               .value = value,
                               .bound = value,
                               .times = times,
                               .time_count = times ? problem->op_count : 0};
    const swp_problem_text whole = {text, strlen(text), {"proofs", 1, 1}};
    swp_certificate certificate;
    swp_certificate_report report;
    assert_ok(ctx, swp_certificate_read(ctx, &whole, &certificate));
    assert_ok(ctx, swp_certificate_check(ctx, problem, &answer, &certificate, &report));
    return report;
}

static const int64_t one_after_the_other[] = {0, 1};

static void a_formula_of_another_shape_is_refused_at_its_first_clause(void **state)
{
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "1:r1x1 1:r1x1", "");
    const swp_certificate_report report = check(*state, &problem, 2, one_after_the_other, apart);
    assert_int_equal(report.verdict, SWP_CERTIFICATE_REFUSED);
    assert_int_equal(report.place.line, 3);
    assert_string_equal(report.why, "clause 1 is `1 0`, but that of the problem is `2 0` "
                                    "(resource 0 in cycle 0)");
}

/*
 * Both ops start at 0, by their windows, and hold cycle 0: variables 2 and 3 say so. A sum of 1 after
 * the first (1) becomes too much with the second.
 */
static void the_same_by_the_rules_is_accepted(void **state)
{
    const char *const text =
        "{\"swp\":1,\"certificate\":\"test\",\"problem\":\"makespan\",\"status\":\"optimal\","
        "\"value\":2,\"steps\":1}\n"
        "{\"step\":\"refutation\",\"scope\":\"value\",\"value\":1,\"references\":[],"
        "\"fixed\":null,\"alike\":[],\"groups\":[[[0],[1]]],\"variables\":3,\"clauses\":4,"
        "\"lines\":1}\n"
        "2 0\n-2 1 0\n3 0\n-3 -1 0\n0\n";
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "1:r1x1 1:r1x1", "");
    const swp_certificate_report report = check(*state, &problem, 2, one_after_the_other, text);
    assert_null(report.why);
    assert_int_equal(report.verdict, SWP_CERTIFICATE_ACCEPTED);
    assert_int_equal(report.proven, 2);
    assert_int_equal(report.clauses, 4);
}

/* Two cycles of one unit each, no more than one cycle apart. */
static void an_infeasible_answer_needs_a_step(void **state)
{
    const swp_problem problem =
        problem_of(*state, SWP_PROBLEM_MODULO, "1", "1:r1x2 1:r1x2", "0>1=-1 1>0=-1");
    const swp_certificate_report report =
        check(*state, &problem, 0, NULL,
              "{\"swp\":1,\"certificate\":\"test\",\"problem\":\"modulo\",\"status\":"
              "\"infeasible\",\"value\":null,\"steps\":0}\n");
    assert_int_equal(report.verdict, SWP_CERTIFICATE_REFUSED);
    assert_string_equal(report.why, "no step proves that there is no schedule");
}

static const char *const by_path =
    "{\"swp\":1,\"certificate\":\"test\",\"problem\":\"makespan\",\"status\":\"optimal\","
    "\"value\":2,\"steps\":1}\n"
    "{\"step\":\"path\",\"op\":0,\"edges\":[0]}\n";

static void a_path_that_reaches_the_value_is_enough(void **state)
{
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "1: 1:", "0>1");
    const swp_certificate_report report = check(*state, &problem, 2, one_after_the_other, by_path);
    assert_int_equal(report.verdict, SWP_CERTIFICATE_ACCEPTED);
    char *text = NULL;
    assert_ok(*state, swp_certificate_text(*state, &report, &text, NULL));
    assert_string_equal(text, "test: accepted, optimal at 2, proven 2; 1 step\n");
}

static void a_value_above_what_is_proven_is_refused(void **state)
{
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "1: 2:", "0>1=-1");
    static const int64_t times[] = {0, 0};
    const swp_certificate_report report = check(*state, &problem, 2, times, by_path);
    assert_int_equal(report.verdict, SWP_CERTIFICATE_REFUSED);
    assert_string_equal(report.why, "the value is 2, but the steps prove only that it is at least "
                                    "1");
}

static void a_certificate_for_another_problem_or_value_is_refused(void **state)
{
    swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "1: 1:", "0>1");
    static const int64_t late[] = {0, 2};
    swp_certificate_report report = check(*state, &problem, 3, late, by_path);
    assert_string_equal(report.why, "the certificate is for the value 2, but the answer's is 3");
    problem.name = "other";
    report = check(*state, &problem, 2, one_after_the_other, by_path);
    assert_string_equal(report.why, "the certificate is for `test`, not for `other`");
    problem = problem_of(*state, SWP_PROBLEM_MODULO, "1", "1: 1:", "0>1");
    report = check(*state, &problem, 2, one_after_the_other, by_path);
    assert_string_equal(report.why, "the certificate is for a problem of the other kind");
}

/* What may be refuted only one interval after the other. */
static void negative_delays_ask_for_every_interval(void **state)
{
    const char *const text =
        "{\"swp\":1,\"certificate\":\"test\",\"problem\":\"modulo\",\"status\":\"optimal\","
        "\"value\":3,\"steps\":1}\n"
        "{\"step\":\"refutation\",\"scope\":\"value\",\"value\":2,\"references\":[0],"
        "\"fixed\":0,\"alike\":[],\"groups\":[[]],\"variables\":0,\"clauses\":0,\"lines\":0}\n";
    const swp_problem problem =
        problem_of(*state, SWP_PROBLEM_MODULO, "1", "3: 1:", "0>1 1>0/1=-1");
    static const int64_t times[] = {0, 3};
    const swp_certificate_report report = check(*state, &problem, 3, times, text);
    assert_int_equal(report.verdict, SWP_CERTIFICATE_REFUSED);
    assert_string_equal(report.why, "with negative delays 2 can be refuted only after all below "
                                    "it, but values from 1 on are not");
}

static void a_feasible_answer_without_a_proof_is_unproven(void **state)
{
    const swp_problem problem = problem_of(*state, SWP_PROBLEM_MAKESPAN, "1", "1: 1:", "0>1");
    const swp_answer answer = {.status = SWP_ANSWER_FEASIBLE,
                               .value = 3,
                               .bound = 2,
                               .times = (int64_t[]){0, 2},
                               .time_count = 2};
    swp_certificate_report report;
    assert_ok(*state, swp_certificate_check(*state, &problem, &answer, NULL, &report));
    assert_int_equal(report.verdict, SWP_CERTIFICATE_UNPROVEN);
    assert_string_equal(report.why, "the bound is 2, but the steps prove only 0");
}

typedef struct bad {
    const char *text;
    const char *message;
} bad;

#define HEADER                                                                                     \
    "{\"swp\":1,\"certificate\":\"test\",\"problem\":\"makespan\",\"status\":\"optimal\","         \
    "\"value\":2,\"steps\":1}\n"

static const bad bads[] = {
    {"", "the file ends where a certificate is expected"},
    {"[]\n", "must be an object, but is an array"},
    {"{\"swp\":2,\"certificate\":3,\"problem\":\"x\",\"status\":\"optimal\",\"value\":2,"
     "\"steps\":-1,\"stesp\":0}\n",
     "stesp: is no key of this format"},
    {HEADER, "the file ends before 1 steps"},
    {HEADER "{\"step\":\"path\",\"op\":0}\n", "edges: is missing"},
    {HEADER "{\"step\":\"path\",\"op\":0,\"edges\":[0,-1]}\n", "edges[1]"},
    {HEADER "{\"step\":\"guess\"}\n", "step: "},
    {HEADER "{\"step\":\"path\",\"op\":0,\"edges\":[]}\n{}\n",
     "the certificate goes on after its last step"},
    {HEADER "{\"step\":\"refutation\",\"scope\":\"value\",\"value\":1,\"references\":[],"
            "\"fixed\":null,\"alike\":[],\"groups\":[],\"variables\":1,\"clauses\":2,\"lines\":0}\n"
            "1 0\n",
     "clauses: is 2, but the file ends after 1 lines"},
    {HEADER
     "{\"step\":\"refutation\",\"scope\":\"value\",\"value\":null,\"references\":[],"
     "\"fixed\":null,\"alike\":[],\"groups\":[],\"variables\":1,\"clauses\":0,\"lines\":0}\n",
     "value: has to be a number in the scope `value`, and null in `component`"},
};

static void what_is_no_certificate_is_refused_with_its_place(void **state)
{
    for (size_t i = 0; i < COUNT_OF(bads); i++) {
        const swp_problem_text whole = {bads[i].text, strlen(bads[i].text), {"proofs", 1, 1}};
        swp_certificate certificate;
        swp_context_clear_diags(*state);
        assert_status(*state, swp_certificate_read(*state, &whole, &certificate), SWP_INVALID);
        assert_diag(*state, "E0832", bads[i].message);
    }
}

static void a_file_is_cut_where_its_certificates_end(void **state)
{
    char text[2048];
    (void)snprintf(text, sizeof text, "%s%s", apart, by_path);
    swp_certificate_parts parts = {0};
    assert_ok(*state, swp_certificate_split(*state, text, strlen(text), "proofs", &parts));
    assert_int_equal(parts.count, 2);
    assert_int_equal(parts.items[0].text.length, strlen(apart));
    assert_int_equal(parts.items[1].text.place.line, 8);
    assert_string_equal(parts.items[1].name, "test");
}

/* Before any step the times themselves are judged: that counts too. */
static void a_limit_of_work_ends_the_check_of_the_times(void **state)
{
    swp_context *ctx = *state;
    const large_shape shape = {SWP_PROBLEM_MAKESPAN, 1000, 1, 1000, 1, false, 0};
    const swp_problem problem = large_problem(ctx, &shape);
    const swp_limits limits = {.work = 500};
    swp_certificate_report report;
    swp_answer answer;
    assert_ok(ctx, swp_solve_problem(ctx, &problem, &answer));
    answer.status = SWP_ANSWER_FEASIBLE;
    swp_context_set_limits(ctx, &limits);
    assert_ok(ctx, swp_certificate_check(ctx, &problem, &answer, NULL, &report));
    assert_int_equal(report.verdict, SWP_CERTIFICATE_STOPPED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_formula_of_another_shape_is_refused_at_its_first_clause),
        CONTEXT_TEST(the_same_by_the_rules_is_accepted),
        CONTEXT_TEST(an_infeasible_answer_needs_a_step),
        CONTEXT_TEST(a_path_that_reaches_the_value_is_enough),
        CONTEXT_TEST(a_value_above_what_is_proven_is_refused),
        CONTEXT_TEST(a_certificate_for_another_problem_or_value_is_refused),
        CONTEXT_TEST(negative_delays_ask_for_every_interval),
        CONTEXT_TEST(a_feasible_answer_without_a_proof_is_unproven),
        CONTEXT_TEST(what_is_no_certificate_is_refused_with_its_place),
        CONTEXT_TEST(a_file_is_cut_where_its_certificates_end),
        CONTEXT_TEST(a_limit_of_work_ends_the_check_of_the_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
