/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of issue of a load and its use, worked out by hand. */
#include "fixture.h"
#include "ir/loop_dataflow.h"
#include "pipeline/issue_order.h"

enum { LOAD, USE, OPS, LATENCY = 100, SLOTS = 3 };

static swp_loop load_and_use(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "load_and_use");
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int part = swp_value(l, "part", .space = SWP_SPACE_REGISTERS, .most_slots = SLOTS);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    swp_loop loop;
    swp_work(l, "LOAD", .latency = LATENCY, .completion = SWP_COMPLETION_COUNTER, .writes = {part});
    swp_work(l, "USE", .latency = 40, .uses = {{.unit = unit, .cycles = 40}},
             .reads = {{.value = part}}, .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static swp_issue_order order_of(swp_context *ctx, int first, int second)
{
    swp_issue_order order;
    assert_ok(ctx, swp_pipeline_issue_order_new(ctx, OPS, &order));
    order.ops[0] = first;
    order.ops[1] = second;
    order.at[first] = 0;
    order.at[second] = 1;
    return order;
}

/* The use of iteration i stands in the step of the load of i + 2 or more, behind it if in the same cycle. */
static void the_order_is_that_of_the_cycles(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = load_and_use(ctx);
    swp_pipeline p;
    swp_issue_order order;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &p));
    assert_ok(ctx, swp_pipeline_issue_order_new(ctx, OPS, &order));
    swp_pipeline_issue_order_of(&p, &order);
    for (int i = 0; i < OPS; i++) {
        assert_int_equal(order.at[order.ops[i]], i);
        assert_int_equal(order.stage[i], p.stage[i]);
    }
    const int64_t first = p.answer.times[order.ops[0]] % p.answer.value;
    assert_true(first <= p.answer.times[order.ops[1]] % p.answer.value);
    assert_true(swp_pipeline_issue_order_is_all_legal(&p.problem.problem, &order));
}

static void before_the_first_op_of_a_step_comes_the_last_of_the_step_before(void **state)
{
    swp_issue_order order = order_of(*state, USE, LOAD);
    swp_issued o = swp_pipeline_issued_before(&order, OPS, (swp_issued){LOAD, 0});
    assert_true(o.op == USE && o.steps == 0);
    o = swp_pipeline_issued_before(&order, OPS, o);
    assert_true(o.op == LOAD && o.steps == 1);
}

/* In one stage the use stands behind its load; in a later one anywhere, up to where its slot is loaded again. */
static void what_depends_on_an_op_stands_behind_it(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = load_and_use(ctx);
    const int slots[] = {SLOTS, 1};
    swp_loop_problem problem;
    assert_ok(ctx, swp_loop_dependences(ctx, &loop, slots, &problem));
    for (int stage = -1; stage <= SLOTS + 1; stage++)
        for (int first = LOAD; first <= USE; first++) {
            swp_issue_order order = order_of(ctx, first, 1 - first);
            order.stage[USE] = stage;
            const bool is_behind = stage > 0 || (stage == 0 && first == LOAD);
            const bool is_before = stage < SLOTS || (stage == SLOTS && first == USE);
            assert_int_equal(swp_pipeline_issue_order_is_all_legal(&problem.problem, &order),
                             is_behind && is_before);
            assert_int_equal(swp_pipeline_issue_order_is_legal(&problem.problem, &order, LOAD),
                             is_behind && is_before);
        }
}

static void a_copy_is_one_of_its_own(void **state)
{
    const swp_issue_order order = order_of(*state, USE, LOAD);
    swp_issue_order copy = order_of(*state, LOAD, USE);
    swp_pipeline_issue_order_copy(&order, OPS, &copy);
    order.ops[0] = LOAD;
    assert_int_equal(copy.ops[0], USE);
    assert_int_equal(copy.at[LOAD], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_order_is_that_of_the_cycles),
        CONTEXT_TEST(before_the_first_op_of_a_step_comes_the_last_of_the_step_before),
        CONTEXT_TEST(what_depends_on_an_op_stands_behind_it),
        CONTEXT_TEST(a_copy_is_one_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
