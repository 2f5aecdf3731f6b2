/* SPDX-License-Identifier: Apache-2.0 */
/* The loop dependence graph (docs/scheduling.md, "The lower bound"). */
#include "fixture.h"
#include "ops.h"
#include "swp/graph.h"
#include "swp/reference.h"

/* Ops of tags 10, 11, ... and these latencies. */
static swp_loop_body graph_of(swp_context *ctx, const int *latencies, size_t count,
                              const swp_edge *edges, size_t edge_count)
{
    swp_op ops[8];
    swp_edge_list list = {0};
    swp_loop_body body;
    for (size_t i = 0; i < count; i++) {
        ops[i] = plain_op(SWP_COMPUTE, SWP_MMA_UNIT, latencies[i]);
        ops[i].tag = 10 + (int)i;
    }
    for (size_t i = 0; i < edge_count; i++)
        assert_ok(ctx, swp_edge_list_push(ctx, &list, edges[i]));
    assert_ok(ctx, swp_loop_body_init(ctx, ops, count, &list, &body));
    return body;
}

/* 0 -> 1 -> 3 and 0 -> 2 -> 3; an edge of a later iteration counts for nothing. */
static swp_loop_body diamond(swp_context *ctx)
{
    const int latencies[] = {10, 20, 5, 7};
    const swp_edge edges[] = {{0, 1, SWP_FLOW, 0},
                              {0, 2, SWP_ANTI, 0},
                              {1, 3, SWP_FLOW, 0},
                              {2, 3, SWP_FLOW, 0},
                              {3, 0, SWP_FLOW, 1}};
    return graph_of(ctx, latencies, 4, edges, 5);
}

static void asap_is_the_longest_path_to_an_op(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_body body = diamond(ctx);
    int64_t asap[4];
    assert_ok(ctx, swp_loop_body_compute_asap(ctx, &body, asap));
    const int64_t expected[] = {0, 10, 10, 30};
    assert_memory_equal(asap, expected, sizeof expected);
}

/* 3 must start by 50 - 7, 1 by 43 - 20, 2 by 43 - 5, 0 by 23 - 10. */
static void alap_is_the_latest_start_that_meets_the_makespan(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_body body = diamond(ctx);
    int64_t alap[4];
    assert_ok(ctx, swp_loop_body_compute_alap(ctx, &body, 50, alap));
    const int64_t expected[] = {13, 23, 38, 43};
    assert_memory_equal(alap, expected, sizeof expected);
}

static void an_overridden_latency_counts(void **state)
{
    swp_context *ctx = *state;
    swp_loop_body body = diamond(ctx);
    int64_t asap[4];
    body.nodes[2].latency = 100;
    assert_ok(ctx, swp_loop_body_compute_asap(ctx, &body, asap));
    assert_int_equal(asap[3], 110);
}

static void the_graph_copies_its_body_and_edges(void **state)
{
    swp_context *ctx = *state;
    swp_op ops[] = {mma_op(0, 0), mma_op(0, 1)};
    swp_edge_list edges = {0};
    swp_loop_body body;
    assert_ok(ctx, swp_edge_list_push(ctx, &edges, (swp_edge){0, 1, SWP_FLOW, 0}));
    assert_ok(ctx, swp_loop_body_init(ctx, ops, 2, &edges, &body));
    ops[0].latency = 99;
    edges.items[0].producer = 7;
    assert_int_equal(body.nodes[0].latency, 16);
    assert_int_equal(body.nodes[0].op.latency, 16);
    assert_edges(&body.edges, "0>1 flow0");
}

static void expect_refused(swp_context *ctx, swp_edge edge, const char *code, const char *text)
{
    const int latencies[] = {1, 1, 1};
    const swp_loop_body body = graph_of(ctx, latencies, 3, &edge, 1);
    swp_context_clear_diags(ctx);
    assert_status(ctx, swp_loop_body_validate(ctx, &body), SWP_INVALID);
    assert_diag(ctx, code, text);
}

static void edges_to_ops_that_do_not_exist_are_refused(void **state)
{
    expect_refused(*state, (swp_edge){0, 3, SWP_FLOW, 0}, "E0302", "3");
    expect_refused(*state, (swp_edge){3, 0, SWP_FLOW, 1}, "E0302", "3");
    expect_refused(*state, (swp_edge){-1, 0, SWP_FLOW, 0}, "E0302", "-1");
    expect_refused(*state, (swp_edge){0, INT32_MIN, SWP_FLOW, 0}, "E0302", "-2147483648");
}

static void a_self_loop_is_refused_at_distance_0_only(void **state)
{
    swp_context *ctx = *state;
    const int latencies[] = {1};
    const swp_edge later = {0, 0, SWP_FLOW, 1};
    expect_refused(ctx, (swp_edge){1, 1, SWP_FLOW, 0}, "E0303", "op11");
    const swp_loop_body body = graph_of(ctx, latencies, 1, &later, 1);
    assert_ok(ctx, swp_loop_body_validate(ctx, &body));
}

static void a_negative_distance_is_refused(void **state)
{
    expect_refused(*state, (swp_edge){0, 1, SWP_FLOW, -1}, "E0305", "-1");
}

/* 4 -> 1 -> 3 -> 4 in a graph where 0 and 2 are not on the cycle. */
static void a_cycle_is_named_op_by_op(void **state)
{
    swp_context *ctx = *state;
    const int latencies[] = {1, 1, 1, 1, 1};
    const swp_edge edges[] = {{0, 1, SWP_FLOW, 0},
                              {4, 1, SWP_FLOW, 0},
                              {1, 3, SWP_ANTI, 0},
                              {3, 4, SWP_FLOW, 0},
                              {3, 2, SWP_FLOW, 0}};
    const swp_loop_body body = graph_of(ctx, latencies, 5, edges, 5);
    assert_status(ctx, swp_loop_body_validate(ctx, &body), SWP_INVALID);
    assert_diag(ctx, "E0304", "op11");
    assert_diag(ctx, "E0304", "op13");
    assert_diag(ctx, "E0304", "op14");
    assert_false(has_diag(ctx, "E0304", "op10"));
    assert_false(has_diag(ctx, "E0304", "op12"));
}

static void a_cycle_over_iterations_is_no_cycle(void **state)
{
    swp_context *ctx = *state;
    const swp_loop_body body = diamond(ctx);
    assert_ok(ctx, swp_loop_body_validate(ctx, &body));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(asap_is_the_longest_path_to_an_op),
        CONTEXT_TEST(alap_is_the_latest_start_that_meets_the_makespan),
        CONTEXT_TEST(an_overridden_latency_counts),
        CONTEXT_TEST(the_graph_copies_its_body_and_edges),
        CONTEXT_TEST(edges_to_ops_that_do_not_exist_are_refused),
        CONTEXT_TEST(a_self_loop_is_refused_at_distance_0_only),
        CONTEXT_TEST(a_negative_distance_is_refused),
        CONTEXT_TEST(a_cycle_is_named_op_by_op),
        CONTEXT_TEST(a_cycle_over_iterations_is_no_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
