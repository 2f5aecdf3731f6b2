/* SPDX-License-Identifier: Apache-2.0 */
/* The question behind the search: can this prefix be completed within a makespan? */
#include "fixture.h"
#include "graphs.h"
#include "ops.h"
#include "order/branch_and_bound.h"

/* F 20 -> M 16, and a free M 16: 36 with the free MMA beside the fragment, else 52. */
typedef struct question {
    swp_dag dag;
    swp_budget budget;
    swp_decider decider;
} question;

static const swp_search search = {.max_vgpr = SWP_NO_VGPR_LIMIT};

static void open_question(swp_context *ctx, question *q)
{
    swp_op ops[] = {unit_op('F', 20), unit_op('M', 16), unit_op('M', 16)};
    ops[0].vgpr_def = 8;
    const swp_loop_body body = graph_with(ctx, list_of(ops, 3), "0>1");
    const swp_limits none = {0};
    static swp_limits limits;
    limits = none;
    q->budget = swp_budget_start(ctx, 0);
    q->budget.limits = &limits;
    assert_ok(ctx, swp_order_dag_build(ctx, &body, &search, &q->dag));
    assert_ok(ctx, swp_order_decider_new(ctx, &q->dag, &search, &q->budget, &q->decider));
}

static void expect_answer(swp_context *ctx, question *q, int64_t makespan, int64_t max_vgpr,
                          swp_decision expected)
{
    int order[3] = {-1, -1, -1};
    swp_decision answer = SWP_UNDECIDED;
    const int placed = q->decider.partial.count;
    assert_ok(ctx,
              swp_order_branch_and_bound(ctx, &q->decider, makespan, max_vgpr, order, &answer));
    assert_int_equal(answer, expected);
    assert_int_equal(q->decider.partial.count, placed);
    if (answer == SWP_FOUND)
        assert_int_equal(order[0] + order[1] + order[2], 3);
}

static void the_optimum_is_found_and_a_cycle_less_is_refuted(void **state)
{
    question q;
    open_question(*state, &q);
    expect_answer(*state, &q, 36, 100, SWP_FOUND);
    expect_answer(*state, &q, 35, 100, SWP_REFUTED);
    expect_answer(*state, &q, 36, 8, SWP_FOUND);
    expect_answer(*state, &q, 36, 7, SWP_REFUTED);
    swp_order_decider_free(&q.decider);
}

static void a_prefix_counts(void **state)
{
    question q;
    open_question(*state, &q);
    swp_order_partial_place(&q.decider.partial, 0);
    expect_answer(*state, &q, 36, 100, SWP_FOUND);
    swp_order_partial_place(&q.decider.partial, 1);
    expect_answer(*state, &q, 51, 100, SWP_REFUTED);
    expect_answer(*state, &q, 52, 100, SWP_FOUND);
    swp_order_decider_free(&q.decider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_optimum_is_found_and_a_cycle_less_is_refuted),
        CONTEXT_TEST(a_prefix_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
