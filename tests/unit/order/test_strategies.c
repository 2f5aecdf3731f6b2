/* SPDX-License-Identifier: Apache-2.0 */
/* The table of strategies. */
#include "fixture.h"
#include "graphs.h"
#include "ops.h"
#include "swp/solve.h"

static swp_status order_by(swp_context *ctx, swp_strategy strategy, const swp_loop_body *body,
                           swp_solution *solution)
{
    size_t count = 0;
    swp_pipeline_config config = swp_pipeline_config_default();
    const swp_schedule_config schedule = swp_schedule_config_default();
    const swp_order_problem problem = {body, &config, &schedule};
    const swp_strategy_row *rows = swp_strategies(&count);
    config.m_mmas = config.n_mmas = 1;
    for (size_t i = 0; i < count; i++)
        if (rows[i].strategy == strategy)
            return rows[i].order(ctx, &problem, solution);
    return SWP_INVALID;
}

static void there_is_a_row_for_each_name(void **state)
{
    (void)state;
    size_t count = 0;
    const swp_strategy_row *rows = swp_strategies(&count);
    assert_int_equal(count, 3);
    assert_string_equal(rows[0].name, "identity");
    assert_string_equal(rows[1].name, "greedy");
    assert_string_equal(rows[2].name, "csp");
}

/* The fragment that its MMA waits for stands behind it. */
static void identity_checks_nothing(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    const swp_loop_body body = graph_with(
        ctx, OPS(unit_op('M', 1), unit_op('F', 1), unit_op('F', 1), unit_op('M', 1)), "1>0");
    assert_ok(ctx, order_by(ctx, SWP_IDENTITY, &body, &s));
    assert_order(&s.order, "0 1 2 3");
    assert_int_equal(s.evaluation.makespan, -1);
    assert_ok(ctx, order_by(ctx, SWP_GREEDY, &body, &s));
    assert_order(&s.order, "1 0 2 3");
    assert_ok(ctx, order_by(ctx, SWP_CSP, &body, &s));
    assert_order(&s.order, "1 0 2 3");
    assert_int_equal(s.evaluation.makespan, 3);
}

/* Greedy leaves the load behind its half's only COMPUTE; csp may move it. */
static void csp_orders_what_greedy_cannot(void **state)
{
    swp_context *ctx = *state;
    swp_solution s = {0};
    const swp_loop_body body = graph_with(
        ctx, OPS(unit_op('M', 1), unit_op('L', 1), unit_op('F', 1), unit_op('M', 1)), "");
    assert_status(ctx, order_by(ctx, SWP_GREEDY, &body, &s), SWP_INVALID);
    assert_ok(ctx, order_by(ctx, SWP_CSP, &body, &s));
    assert_order(&s.order, "1 0 2 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_row_for_each_name),
        CONTEXT_TEST(identity_checks_nothing),
        CONTEXT_TEST(csp_orders_what_greedy_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
