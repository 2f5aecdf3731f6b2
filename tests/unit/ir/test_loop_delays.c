/* SPDX-License-Identifier: Apache-2.0 */
/* When an update follows what it changes (docs/loops.md, "Matrix ops that accumulate in order"). */
#include "fixture.h"

#include "ir/loop_dataflow.h"

enum { FIRST, SECOND, OPS, LATENCY = 140 };

typedef struct sums {
    swp_loop_op_args ops[OPS]; /* names, and what they read and update, are set below */
    int most_slots;
} sums;

static sums two_wgmmas(void)
{
    const swp_loop_op_args op = {.latency = LATENCY, .completion = SWP_COMPLETION_MATRIX_GROUP};
    return (sums){.ops = {op, op}};
}

/* Cycles from one op of the iteration to the other, or from the second to the next iteration's first. */
static int64_t delay(swp_context *ctx, const sums *s, int from, swp_loop_edge_kind kind)
{
    swp_loop_builder *l = swp_loop_new(ctx, "sums");
    const int a = swp_value(l, "A", .space = SWP_SPACE_SHARED);
    const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS, .most_slots = s->most_slots);
    const int slots[] = {1, 1};
    swp_loop loop;
    swp_loop_problem p;
    (void)swp_loop_add_role(l, (swp_loop_role){.name = "one"});
    (void)swp_loop_add_role(l, (swp_loop_role){.name = "other"});
    for (int i = 0; i < OPS; i++) {
        swp_loop_op_args op = s->ops[i];
        op.name = i == FIRST ? "FIRST" : "SECOND";
        op.reads[0].value = a;
        op.updates[0] = c;
        swp_loop_add_op(l, op);
    }
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_ok(ctx, swp_loop_dependences(ctx, &loop, slots, &p));
    for (size_t e = 0; e < p.problem.edge_count; e++)
        if (p.problem.edges[e].producer == from && p.edges[e].kind == kind &&
            p.edges[e].value == c - 1)
            return p.problem.edges[e].delay;
    fail_msg("no such edge");
    return -1;
}

static void expect(const sums *s, int64_t within, int64_t across)
{
    swp_context *ctx = swp_context_new(NULL);
    assert_int_equal(delay(ctx, s, FIRST, SWP_LOOP_READS), within);
    assert_int_equal(delay(ctx, s, SECOND, SWP_LOOP_READS), across);
    assert_int_equal(delay(ctx, s, FIRST, SWP_LOOP_REPLACES), within);
    assert_int_equal(delay(ctx, s, SECOND, SWP_LOOP_REPLACES), across);
    assert_int_equal(delay(ctx, s, SECOND, SWP_LOOP_REWRITES), across);
    swp_context_free(ctx);
}

static void wgmmas_follow_each_other_in_their_accumulator(void **state)
{
    sums s = two_wgmmas();
    (void)state;
    expect(&s, 1, 1);
    s.ops[FIRST].completion = s.ops[SECOND].completion = SWP_COMPLETION_GROUP;
    expect(&s, 1, 1);
}

static void the_later_result_is_there_no_sooner(void **state)
{
    sums s = two_wgmmas();
    (void)state;
    s.ops[SECOND].latency = 100;
    expect(&s, 40, 1);
}

static void what_may_move_is_waited_for_from_iteration_to_iteration(void **state)
{
    sums s = two_wgmmas();
    (void)state;
    s.most_slots = 2;
    expect(&s, 1, LATENCY);
}

static void nothing_else_is_in_order(void **state)
{
    static const swp_completion others[] = {SWP_COMPLETION_MATRIX_MBARRIER,
                                            SWP_COMPLETION_COPY_GROUP};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        sums s = two_wgmmas();
        s.ops[SECOND].completion = others[i];
        expect(&s, LATENCY, LATENCY);
    }
    sums apart = two_wgmmas();
    apart.ops[SECOND].role = 2; /* roles count from 1 */
    expect(&apart, LATENCY, LATENCY);
}

static void a_latency_of_its_own_goes_before(void **state)
{
    sums s = two_wgmmas();
    (void)state;
    s.ops[SECOND].update_latencies[0] = 32;
    expect(&s, 32, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wgmmas_follow_each_other_in_their_accumulator),
        cmocka_unit_test(the_later_result_is_there_no_sooner),
        cmocka_unit_test(what_may_move_is_waited_for_from_iteration_to_iteration),
        cmocka_unit_test(nothing_else_is_in_order),
        cmocka_unit_test(a_latency_of_its_own_goes_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
