/* SPDX-License-Identifier: Apache-2.0 */
/* open_memstream() */
#define _POSIX_C_SOURCE 200809L

#include "certify/drat.h"
#include "faulty.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A formula from DIMACS without its head. */
static swp_certify_formula formula_of(swp_context *ctx, int variables, const char *text)
{
    swp_certify_formula formula = {.variables = variables};
    int clause[16];
    size_t count = 0;
    for (char *end = NULL; *text; text = end + strspn(end, " \n")) {
        const int literal = (int)strtol(text, &end, 10);
        clause[count] = literal;
        if (literal) {
            count++;
        } else {
            assert_ok(ctx, swp_certify_formula_add(ctx, &formula, clause, count));
            count = 0;
        }
    }
    return formula;
}

static swp_status check_proof(swp_context *ctx, const swp_certify_formula *formula,
                              const swp_drat_proof *proof, swp_drat_report *report)
{
    swp_budget budget = swp_budget_start(ctx, 0);
    return swp_certify_drat_check(ctx, formula, proof, &budget, report);
}

static swp_drat_report report_on(swp_context *ctx, int variables, const char *formula,
                                 const char *proof)
{
    const swp_certify_formula f = formula_of(ctx, variables, formula);
    const swp_drat_proof p = {proof, strlen(proof), SWP_DRAT_TEXT, {"proof", 1, 0}};
    swp_drat_report report;
    assert_ok(ctx, check_proof(ctx, &f, &p, &report));
    return report;
}

/* All eight clauses of three variables but for names: no model. */
static const char *const square = "1 2 0 1 -2 0 -1 2 0 -1 -2 0";
/* The example of Wetzler, Heule and Hunt (SAT 2014): no model, and -1 does not follow by RUP. */
static const char *const rat = "1 2 -3 0 -1 -2 3 0 2 3 -4 0 -2 -3 4 0 -1 -3 -4 0 1 3 4 0 "
                               "-1 2 4 0 1 -2 -4 0";

static void a_unit_that_follows_ends_the_proof(void **state)
{
    const swp_drat_report report = report_on(*state, 2, square, "1 0\n0\n");
    assert_int_equal(report.answer, SWP_DRAT_REFUTED);
    assert_int_equal(report.step, 1);
    assert_int_equal(report.steps, 2);
    assert_int_equal(report.additions, 1);
}

static void a_formula_may_refute_itself(void **state)
{
    assert_int_equal(report_on(*state, 0, "0", "").answer, SWP_DRAT_REFUTED);
    assert_int_equal(report_on(*state, 1, "1 0 -1 0", "").answer, SWP_DRAT_REFUTED);
    assert_int_equal(report_on(*state, 3, "1 0 -1 2 0 -2 3 0 -3 -1 0", "").answer,
                     SWP_DRAT_REFUTED);
    assert_int_equal(report_on(*state, 2, "1 1 0 -1 2 -1 0 -2 -2 0", "").answer, SWP_DRAT_REFUTED);
}

static void a_formula_with_a_model_is_never_refuted(void **state)
{
    assert_int_equal(report_on(*state, 0, "", "").answer, SWP_DRAT_INCOMPLETE);
    const swp_drat_report report = report_on(*state, 2, "1 2 0", "0\n");
    assert_int_equal(report.answer, SWP_DRAT_STEP_REFUSED);
    assert_string_equal(report.why, "the clause () does not follow by unit propagation");
}

static void a_clause_may_be_rat_on_its_first_literal(void **state)
{
    swp_drat_report report = report_on(*state, 4, rat, "-1 0\nd -1 2 4 0\n2 0\n0\n");
    assert_int_equal(report.answer, SWP_DRAT_REFUTED);
    assert_int_equal(report.rat, 1);
    assert_int_equal(report.deletions, 1);
    /* (1 2) is RAT on 2 and not on 1: the order of literals counts. */
    const char *const formula = "-1 3 0";
    assert_int_equal(report_on(*state, 3, formula, "2 1 0\n").answer, SWP_DRAT_INCOMPLETE);
    report = report_on(*state, 3, formula, "1 2 0\n");
    assert_int_equal(report.answer, SWP_DRAT_STEP_REFUSED);
    assert_string_equal(report.why,
                        "the clause (1 2) does not follow by unit propagation, nor does "
                        "its resolvent on 1 with (-1 3)");
}

/* 3 stands for "1 and 2": three clauses, each RAT on the new variable. */
static void a_proof_may_define_variables(void **state)
{
    const char *const definition = "3 -1 -2 0\n-3 1 0\n-3 2 0\n";
    swp_drat_report report = report_on(*state, 2, "1 2 0", definition);
    assert_int_equal(report.answer, SWP_DRAT_INCOMPLETE);
    assert_int_equal(report.rat, 3);
    /* Once defined, the other value is no more free. */
    report = report_on(*state, 2, "1 2 0", "3 -1 -2 0\n-3 1 0\n-3 2 0\n3 0\n");
    assert_int_equal(report.answer, SWP_DRAT_STEP_REFUSED);
    assert_int_equal(report.step, 4);
}

static void a_refused_step_is_named(void **state)
{
    const swp_drat_report report =
        report_on(*state, 3, "1 2 0 -1 3 0", "c comment\n\n2 3 0\nd 1 2 0\n1 0\n");
    assert_int_equal(report.answer, SWP_DRAT_STEP_REFUSED);
    assert_int_equal(report.step, 3);
    assert_int_equal(report.line, 5);
}

static void steps_that_all_follow_may_refute_nothing(void **state)
{
    const swp_drat_report report = report_on(*state, 3, "1 2 0 -1 3 0", "2 3 0\nd 2 3 0\n");
    assert_int_equal(report.answer, SWP_DRAT_INCOMPLETE);
    assert_int_equal(report.step, 2);
}

/* What (-1) made true stays, so CaDiCaL may delete the clause that it came from. */
static void a_deleted_reason_stays_true(void **state)
{
    assert_int_equal(report_on(*state, 2, "-1 0 1 2 0", "d -1 0\nd 1 2 0\n2 0\n").answer,
                     SWP_DRAT_INCOMPLETE);
    assert_int_equal(
        report_on(*state, 3, "-1 0 1 2 3 0 1 2 -3 0 1 -2 3 0 1 -2 -3 0", "d -1 0\n2 0\n").answer,
        SWP_DRAT_REFUTED);
}

/* Else 1 would be RAT for want of a clause with -1, and refute a formula with a model. */
static void a_literal_false_by_a_deleted_clause_is_no_pivot(void **state)
{
    const swp_drat_report report = report_on(*state, 2, "-1 0 1 2 0", "d -1 0\n1 0\n");
    assert_int_equal(report.answer, SWP_DRAT_STEP_REFUSED);
    assert_string_equal(report.why, "the clause (1) does not follow by unit propagation, and its "
                                    "first literal is known to be false");
}

static void deletions_find_clauses_in_any_order_and_count_the_others(void **state)
{
    swp_drat_report report = report_on(*state, 3, "1 2 3 0 1 2 3 0",
                                       "d 3 1 2 2 0\nd 2 3 1 0\n"
                                       "d 1 2 3 0\nd 1 -2 0\n");
    assert_int_equal(report.deletions, 2);
    assert_int_equal(report.unknown_deletions, 2);
    /* A deleted clause can no more be built on. */
    report = report_on(*state, 2, square, "d 1 2 0\n1 0\n");
    assert_int_equal(report.answer, SWP_DRAT_STEP_REFUSED);
}

static void a_clause_with_a_literal_and_its_negation_says_nothing(void **state)
{
    const swp_drat_report report =
        report_on(*state, 3, "1 -1 0 2 3 0", "3 -3 0\nd 3 -3 0\nd 1 -1 0\n");
    assert_int_equal(report.answer, SWP_DRAT_INCOMPLETE);
    assert_int_equal(report.unknown_deletions, 0);
}

static void long_clauses_are_cut_short_in_words(void **state)
{
    const swp_drat_report report = report_on(*state, 10, "-1 10 0", "1 2 3 4 5 6 7 8 9 10 0\n");
    assert_string_equal(report.why, "the clause (1 2 3 4 5 6 7 8 … 2 more) does not follow by unit "
                                    "propagation, nor does its resolvent on 1 with (-1 10)");
}

/* Enough deletions that the living clauses move many times, and are still found and watched. */
static void clauses_survive_the_deletion_of_others(void **state)
{
    enum { ROUNDS = 60000 };
    swp_context *ctx = *state;
    char *proof = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&proof, &length);
    assert_non_null(stream);
    for (int i = 0; i < ROUNDS; i++)
        (void)fprintf(stream, "3 1 2 %d 0\nd %d 2 1 3 0\n", 4 + i % 50, 4 + i % 50);
    (void)fprintf(stream, "1 2 3 0\n2 1 0\n1 0\n");
    (void)fclose(stream);
    const swp_certify_formula f = formula_of(ctx, 53, "1 2 3 0 1 2 -3 0 1 -2 0 -1 2 0 -1 -2 0");
    const swp_drat_proof p = {proof, length, SWP_DRAT_TEXT, {"proof", 1, 0}};
    swp_drat_report report;
    assert_ok(ctx, check_proof(ctx, &f, &p, &report));
    assert_int_equal(report.answer, SWP_DRAT_REFUTED);
    assert_int_equal(report.step, 2 * ROUNDS + 3);
    assert_int_equal(report.deletions, ROUNDS);
    free(proof);
}

static void limits_stop_a_check(void **state)
{
    swp_context *ctx = *state;
    swp_context_set_limits(ctx, &(swp_limits){.work = 1});
    const swp_drat_report report = report_on(ctx, 4, rat, "-1 0\nd -1 2 4 0\n2 0\n0\n");
    assert_int_equal(report.answer, SWP_DRAT_STOPPED);
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    bool finished = false;
    for (size_t fail_at = 4; !finished; fail_at++) {
        faulty_memory memory = {.fail_at = fail_at};
        const swp_allocator allocator = faulty_allocator(&memory);
        swp_context *ctx = swp_context_new(&allocator);
        if (!ctx)
            continue;
        swp_certify_formula f = {.variables = 4};
        const int clauses[][2] = {{1, 2}, {1, -2}, {-1, 2}, {-1, -2}};
        swp_status status = SWP_OK;
        for (size_t i = 0; i < 4 && status == SWP_OK; i++)
            status = swp_certify_formula_add(ctx, &f, clauses[i], 2);
        const swp_drat_proof p = {"1 4 0\n1 0\n", 10, SWP_DRAT_TEXT, {"proof", 1, 0}};
        swp_drat_report report;
        if (status == SWP_OK)
            status = check_proof(ctx, &f, &p, &report);
        finished = memory.failed == 0;
        assert_status(ctx, status, finished ? SWP_OK : SWP_OUT_OF_MEMORY);
        if (finished)
            assert_int_equal(report.answer, SWP_DRAT_REFUTED);
        swp_context_free(ctx);
        assert_int_equal(memory.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_unit_that_follows_ends_the_proof),
        CONTEXT_TEST(a_formula_may_refute_itself),
        CONTEXT_TEST(a_formula_with_a_model_is_never_refuted),
        CONTEXT_TEST(a_clause_may_be_rat_on_its_first_literal),
        CONTEXT_TEST(a_proof_may_define_variables),
        CONTEXT_TEST(a_refused_step_is_named),
        CONTEXT_TEST(steps_that_all_follow_may_refute_nothing),
        CONTEXT_TEST(a_deleted_reason_stays_true),
        CONTEXT_TEST(a_literal_false_by_a_deleted_clause_is_no_pivot),
        CONTEXT_TEST(deletions_find_clauses_in_any_order_and_count_the_others),
        CONTEXT_TEST(a_clause_with_a_literal_and_its_negation_says_nothing),
        CONTEXT_TEST(long_clauses_are_cut_short_in_words),
        CONTEXT_TEST(clauses_survive_the_deletion_of_others),
        CONTEXT_TEST(limits_stop_a_check),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
