/* SPDX-License-Identifier: Apache-2.0 */
/* What keeps the ops of an order where they are, followed by hand through the resource model. */
#include "fixture.h"
#include "ops.h"

#include "swp/swp.h"

enum { LOAD, FRAG, FIRST_MMA, SECOND_MMA, OPS };

/* A load of 200 cycles, then its fragment of 20, then two MMAs of 16 that both need the fragment. */
typedef struct small {
    swp_schedule schedule;
    swp_op body[OPS];
    swp_edge edges[4];
    int order[OPS];
} small;

static void build(small *s)
{
    *s = (small){.body = {plain_op(SWP_GLOBAL_LOAD, SWP_GLOBAL_MEM, 200),
                          plain_op(SWP_FRAGMENT_LOAD, SWP_LDS, 20),
                          plain_op(SWP_COMPUTE, SWP_MMA_UNIT, 16),
                          plain_op(SWP_COMPUTE, SWP_MMA_UNIT, 16)},
                 .edges = {{LOAD, FRAG, SWP_FLOW, 0},
                           {FRAG, FIRST_MMA, SWP_FLOW, 0},
                           {FRAG, SECOND_MMA, SWP_ANTI, 0},
                           {SECOND_MMA, LOAD, SWP_ANTI, 1}},
                 .order = {LOAD, FRAG, FIRST_MMA, SECOND_MMA}};
    s->schedule.body = (swp_op_list){s->body, OPS, OPS};
    s->schedule.edges = (swp_edge_list){s->edges, 4, 4};
    s->schedule.order = (swp_order){s->order, OPS, OPS};
}

static void assert_reason(const swp_order_reason *reason, int op, int64_t start,
                          swp_order_constraint constraint, int binding_op)
{
    assert_int_equal(reason->op, op);
    assert_int_equal(reason->start, start);
    assert_int_equal(reason->constraint, constraint);
    assert_int_equal(reason->binding_op, binding_op);
}

static void edges_and_units_hold_ops(void **state)
{
    small s;
    swp_order_reason_list list;
    build(&s);
    assert_ok(*state, swp_explain_order(*state, &s.schedule, &list));
    assert_int_equal(list.count, OPS);
    assert_null(list.unexplained);
    assert_reason(&list.items[0], LOAD, 0, SWP_BOUND_BY_NOTHING, -1);
    assert_int_equal(list.items[0].after, -1);
    assert_reason(&list.items[1], FRAG, 200, SWP_BOUND_BY_EDGE, 0);
    assert_int_equal(list.items[1].after, 0);
    assert_reason(&list.items[2], FIRST_MMA, 220, SWP_BOUND_BY_EDGE, 1);
    assert_int_equal(list.items[2].kind, SWP_FLOW);
    /* Its fragment is there at 220, the unit is free at 236. */
    assert_reason(&list.items[3], SECOND_MMA, 236, SWP_BOUND_BY_UNIT, 2);
    assert_int_equal(list.items[3].after, 1);
    assert_int_equal(list.items[3].kind, SWP_ANTI);
    for (int i = 0; i < OPS; i++)
        assert_int_equal(list.items[i].late, -1);
}

/* Load and fragment, 20 cycles each from 0, finish at once. */
static void of_two_that_hold_an_op_the_later_one_is_told(void **state)
{
    small s;
    swp_order_reason_list list;
    build(&s);
    s.body[LOAD].latency = 20;
    s.edges[0] = (swp_edge){FRAG, FIRST_MMA, SWP_FLOW, 0};
    s.edges[1] = (swp_edge){LOAD, FIRST_MMA, SWP_ANTI, 0};
    s.schedule.edges.count = 2;
    assert_ok(*state, swp_explain_order(*state, &s.schedule, &list));
    assert_reason(&list.items[2], FIRST_MMA, 20, SWP_BOUND_BY_EDGE, 1);
    assert_int_equal(list.items[2].after, 1);
    assert_int_equal(list.items[2].kind, SWP_FLOW);
}

static void the_port_is_a_unit_where_it_costs(void **state)
{
    small s;
    swp_order_reason_list list;
    build(&s);
    s.schedule.edges.count = 0;
    s.schedule.schedule.lds_contention_penalty = 30;
    assert_ok(*state, swp_explain_order(*state, &s.schedule, &list));
    assert_reason(&list.items[1], FRAG, 30, SWP_BOUND_BY_UNIT, 0);
    assert_int_equal(list.items[1].after, -1);
}

/* An identity order may break edges, as the published fourwave's does. */
static void an_op_before_its_producer_says_so(void **state)
{
    small s;
    swp_order_reason_list list;
    build(&s);
    s.order[0] = FRAG;
    s.order[1] = LOAD;
    assert_ok(*state, swp_explain_order(*state, &s.schedule, &list));
    assert_reason(&list.items[0], FRAG, 0, SWP_BOUND_BY_NOTHING, -1);
    assert_int_equal(list.items[0].late, 1);
    assert_int_equal(list.items[1].late, -1);
}

static void no_order_has_no_reasons(void **state)
{
    small s;
    swp_order_reason_list list;
    build(&s);
    s.schedule.order.count = 0;
    assert_ok(*state, swp_explain_order(*state, &s.schedule, &list));
    assert_int_equal(list.count, 0);
    assert_null(list.unexplained);
}

static void what_makes_no_sense_is_said_and_is_no_error(void **state)
{
    swp_context *ctx = *state;
    small s;
    swp_order_reason_list list;
    size_t count = 1;
    build(&s);
    s.order[3] = LOAD;
    assert_ok(ctx, swp_explain_order(ctx, &s.schedule, &list));
    assert_int_equal(list.count, 0);
    assert_non_null(list.unexplained);
    build(&s);
    s.edges[3].distance = 0;
    assert_ok(ctx, swp_explain_order(ctx, &s.schedule, &list));
    assert_non_null(list.unexplained);
    (void)swp_context_diags(ctx, &count);
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(edges_and_units_hold_ops),
        CONTEXT_TEST(of_two_that_hold_an_op_the_later_one_is_told),
        CONTEXT_TEST(the_port_is_a_unit_where_it_costs),
        CONTEXT_TEST(an_op_before_its_producer_says_so),
        CONTEXT_TEST(no_order_has_no_reasons),
        CONTEXT_TEST(what_makes_no_sense_is_said_and_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
