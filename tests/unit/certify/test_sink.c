/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "certify/sink.h"

/* Many of them may follow one another. */
static void a_clause_that_is_true_by_definition_costs_work(void **state)
{
    swp_context *ctx = *state;
    const swp_certificate_step step = {.variables = 1};
    swp_judgement judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)};
    swp_sink sink = swp_certify_sink_open(ctx, &judgement, &step);
    const int clause[] = {1, SWP_TRUE};
    assert_ok(ctx, swp_certify_sink_clause(&sink, clause, 2));
    assert_int_equal(sink.formula.clauses, 0);
    assert_int_equal(judgement.budget.work, 3);
}

static void a_literal_that_is_false_by_definition_disappears(void **state)
{
    swp_context *ctx = *state;
    const swp_certificate_step step = {.variables = 1, .formula = {"1 0\n", 4, {"proofs", 3, 1}}};
    swp_judgement judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)};
    swp_sink sink = swp_certify_sink_open(ctx, &judgement, &step);
    int variable = 0;
    assert_ok(ctx, swp_certify_sink_variable(&sink, &variable));
    const int clause[] = {SWP_FALSE, variable};
    assert_ok(ctx, swp_certify_sink_clause(&sink, clause, 2));
    assert_ok(ctx, swp_certify_sink_close(&sink));
    assert_int_equal(swp_certify_sink_clause(&sink, clause, 2), SWP_INVALID);
    assert_non_null(judgement.why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_clause_that_is_true_by_definition_costs_work),
        CONTEXT_TEST(a_literal_that_is_false_by_definition_disappears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
