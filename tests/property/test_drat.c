/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DRAT checker against a plain one, on random formulas: with random steps, and with the proofs of
 * the program `cadical`, where that is installed, and one step of them changed.
 */
/* open_memstream() */
#define _POSIX_C_SOURCE 200809L

#include "cadical.h"
#include "certify/drat.h"
#include "fixture.h"
#include "plain_proof.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static plain_formula random_formula(test_random *random, int variables, int clauses, int width)
{
    plain_formula formula = {0};
    for (int i = 0; i < clauses; i++) {
        int clause[4];
        const int count = random_int(random, width > 2 ? 2 : 1, width);
        for (int l = 0; l < count; l++)
            clause[l] = random_int(random, 1, variables) * (random_chance(random, 50) ? 1 : -1);
        plain_add(&formula, clause, (size_t)count);
    }
    return formula;
}

static swp_certify_formula formula_of(swp_context *ctx, const plain_formula *plain, int variables)
{
    swp_certify_formula formula = {.variables = variables};
    const int *from = plain->literals;
    for (const int *to = from; to != plain->literals + plain->count; to++) {
        if (*to)
            continue;
        assert_ok(ctx, swp_certify_formula_add(ctx, &formula, from, (size_t)(to - from)));
        from = to + 1;
    }
    return formula;
}

/* Three different variables a clause: few models, and proofs that are not soon at their end. */
static plain_formula hard_formula(test_random *random, int variables, int clauses)
{
    plain_formula formula = {0};
    for (int i = 0; i < clauses; i++) {
        int clause[3];
        for (int l = 0; l < 3; l++) {
            clause[l] = random_int(random, 1, variables);
            for (int before = 0; before < l; before++)
                if (clause[before] == clause[l]) {
                    clause[l] = clause[l] % variables + 1;
                    before = -1;
                }
        }
        for (int l = 0; l < 3; l++)
            clause[l] *= random_chance(random, 50) ? 1 : -1;
        plain_add(&formula, clause, 3);
    }
    return formula;
}

static swp_status check_proof(swp_context *ctx, const swp_certify_formula *formula,
                              const swp_drat_proof *proof, swp_drat_report *report)
{
    swp_budget budget = swp_budget_start(ctx, 0);
    return swp_certify_drat_check(ctx, formula, proof, &budget, report);
}

/* What the plain checker and ours say, which must be alike; and that no model is lost. */
static plain_verdict judge(const plain_formula *plain, int variables, const char *text,
                           size_t index)
{
    swp_context *ctx = swp_context_new(NULL);
    assert_non_null(ctx);
    const swp_certify_formula formula = formula_of(ctx, plain, variables);
    const swp_drat_proof proof = {text, strlen(text), SWP_DRAT_TEXT, {"proof", 1, 0}};
    swp_drat_report report;
    assert_ok(ctx, check_proof(ctx, &formula, &proof, &report));
    size_t step = 0;
    static const swp_drat_answer answers[] = {[PLAIN_REFUTED] = SWP_DRAT_REFUTED,
                                              [PLAIN_REFUSED] = SWP_DRAT_STEP_REFUSED,
                                              [PLAIN_INCOMPLETE] = SWP_DRAT_INCOMPLETE};
    const plain_verdict verdict = plain_check(plain, variables, text, &step);
    if (report.answer != answers[verdict] || report.step != step) {
        for (size_t i = 0; i < plain->count; i++)
            printf(plain->literals[i] ? "%d " : "%d\n", plain->literals[i]);
        fail_msg("case %zu: plainly %d at step %zu, but %d at %zu\n%s", index, (int)verdict, step,
                 (int)report.answer, report.step, text);
    }
    if (report.answer == SWP_DRAT_REFUTED && plain_satisfiable(plain, variables))
        fail_msg("case %zu: refuted, but there is a model\n%s", index, text);
    swp_context_free(ctx);
    return verdict;
}

/* Steps of which some follow, some are RAT, and some delete what there is. */
static char *random_proof(test_random *random, const plain_formula *formula, int variables)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    for (int steps = random_int(random, 1, 12); steps > 0; steps--) {
        if (random_chance(random, 30)) {
            const int *at = formula->literals + random_int(random, 0, (int)formula->count - 1);
            while (at != formula->literals && at[-1])
                at--;
            (void)fprintf(stream, "d ");
            for (; *at; at++)
                (void)fprintf(stream, "%d ", *at);
        } else {
            for (int l = random_int(random, 0, 3) + random_int(random, 0, 2); l > 0; l--)
                (void)fprintf(stream, "%d ",
                              random_int(random, 1, variables) *
                                  (random_chance(random, 50) ? 1 : -1));
        }
        (void)fprintf(stream, "0\n");
    }
    (void)fclose(stream);
    return text;
}

static void random_steps_are_judged_as_plainly(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(1);
    const size_t cases = random_sample(20000);
    size_t counts[3] = {0};
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        const int variables = random_int(&random, 1, 6);
        plain_formula formula =
            random_formula(&random, variables, random_int(&random, 1, 5 * variables), 3);
        char *proof = random_proof(&random, &formula, variables);
        counts[judge(&formula, variables, proof, i)]++;
        free(proof);
        plain_free(&formula);
    }
    printf("%zu refuted, %zu refused, %zu incomplete\n", counts[PLAIN_REFUTED],
           counts[PLAIN_REFUSED], counts[PLAIN_INCOMPLETE]);
    assert_true(counts[PLAIN_REFUTED] > cases / 20 && counts[PLAIN_REFUSED] > cases / 20 &&
                counts[PLAIN_INCOMPLETE] > cases / 100);
}

/* The proof with one literal negated, one dropped, or one line dropped, doubled or turned round. */
static char *mutated(test_random *random, const char *proof, size_t length)
{
    char *text = NULL;
    size_t ignored = 0;
    FILE *stream = open_memstream(&text, &ignored);
    assert_non_null(stream);
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += proof[i] == '\n';
    const int chosen = random_int(random, 0, (int)lines - 1);
    const int how = random_int(random, 0, 4);
    int line = 0;
    for (const char *at = proof; *at; line++) {
        const size_t size = strcspn(at, "\n");
        const bool deletion = *at == 'd';
        const char *body = at + 2 * deletion;
        if (line != chosen || how == 3)
            (void)fprintf(stream, "%.*s\n", (int)size, at);
        if (line == chosen && how == 0)
            (void)fprintf(stream, "%s%s%.*s\n", deletion ? "d " : "",
                          *body == '0' ? "" : (*body == '-' ? "" : "-"),
                          (int)(size - (size_t)(body - at) - (*body == '-')),
                          body + (*body == '-'));
        if (line == chosen && how == 1)
            (void)fprintf(stream, "%s%.*s\n", deletion ? "" : "d ",
                          (int)(size - (size_t)(body - at)), body);
        if (line == chosen && how == 2) {
            const char *rest = *body == '0' ? body : body + strcspn(body, " ") + 1;
            (void)fprintf(stream, "%s%.*s\n", deletion ? "d " : "", (int)(at + size - rest), rest);
        }
        if (line == chosen && how == 3)
            (void)fprintf(stream, "%.*s\n", (int)size, at);
        at += size + 1;
    }
    (void)fclose(stream);
    return text;
}

static void proofs_of_a_solver_are_judged_as_plainly(void **state)
{
    (void)state;
    if (!have_cadical())
        skip();
    const uint64_t seed = random_seed(2);
    const size_t cases = random_sample(60);
    size_t counts[3] = {0};
    size_t proofs = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        const int variables = random_int(&random, 20, 40);
        plain_formula formula = hard_formula(&random, variables, 9 * variables / 2);
        size_t length = 0;
        char *proof = cadical_proof(formula.literals, formula.count, variables, false, &length);
        if (proof) {
            proofs++;
            assert_int_equal(judge(&formula, variables, proof, i), PLAIN_REFUTED);
            for (int m = 0; m < 40; m++) {
                char *changed = mutated(&random, proof, length);
                counts[judge(&formula, variables, changed, i)]++;
                free(changed);
            }
        }
        free(proof);
        plain_free(&formula);
    }
    printf("%zu proofs; changed: %zu refuted all the same, %zu refused, %zu incomplete\n", proofs,
           counts[PLAIN_REFUTED], counts[PLAIN_REFUSED], counts[PLAIN_INCOMPLETE]);
    assert_true(proofs > cases / 4 && counts[PLAIN_REFUSED] > proofs);
}

/* Larger than a plain checker can take, and both formats. */
static void long_proofs_of_a_solver_are_accepted(void **state)
{
    swp_context *ctx = *state;
    if (!have_cadical())
        skip();
    test_random random = random_for_case(random_seed(3), 0);
    plain_formula formula = hard_formula(&random, 110, 110 * 6);
    const swp_certify_formula f = formula_of(ctx, &formula, 110);
    for (int binary = 0; binary < 2; binary++) {
        size_t length = 0;
        char *bytes = cadical_proof(formula.literals, formula.count, 110, binary != 0, &length);
        assert_non_null(bytes);
        const swp_drat_proof proof = {
            bytes, length, binary ? SWP_DRAT_BINARY : SWP_DRAT_TEXT, {"proof", 1, 0}};
        swp_drat_report report;
        assert_ok(ctx, check_proof(ctx, &f, &proof, &report));
        assert_int_equal(report.answer, SWP_DRAT_REFUTED);
        assert_int_equal(report.unknown_deletions, 0);
        free(bytes);
    }
    plain_free(&formula);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_steps_are_judged_as_plainly),
        cmocka_unit_test(proofs_of_a_solver_are_judged_as_plainly),
        CONTEXT_TEST(long_proofs_of_a_solver_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
