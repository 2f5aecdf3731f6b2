/* SPDX-License-Identifier: Apache-2.0 */
/* Cross-stage rotation (docs/descriptions.md, "edges"). */
#include "fixture.h"
#include "ops.h"
#include "swp/graph.h"

/* 0 and 4 are cross-stage: subtile 0, the other half's stage. */
static swp_op_list rotating_body(swp_op ops[8])
{
    const swp_op body[8] = {frag_op(0, 1, 0), mma_op(0, 0), mma_op(0, 1), mma_op(1, 0),
                            frag_op(1, 0, 0), mma_op(0, 0), mma_op(0, 1), mma_op(1, 0)};
    for (int i = 0; i < 8; i++)
        ops[i] = body[i];
    return (swp_op_list){ops, 8, 8};
}

static void a_cross_stage_fragment_follows_its_half_and_feeds_the_other(void **state)
{
    swp_context *ctx = *state;
    swp_op ops[8];
    const swp_op_list body = rotating_body(ops);
    swp_edge_list edges = {0};
    assert_ok(ctx, swp_derive_cross_stage_rotation_edges(ctx, body.items, body.count, &edges));
    assert_edges(&edges, "1>0 anti0, 2>0 anti0, 0>5 flow0, 0>6 flow0, "
                         "4>1 flow1, 4>3 flow1, 5>4 anti0, 7>4 anti0");
}

static void other_fragments_get_no_rotation_edges(void **state)
{
    swp_context *ctx = *state;
    const swp_op_list body = OPS(frag_op(0, 0, 0), mma_op(0, 0), frag_op(0, 0, 1), mma_op(0, 0));
    swp_edge_list edges = {0};
    assert_ok(ctx, swp_derive_cross_stage_rotation_edges(ctx, body.items, body.count, &edges));
    assert_edges(&edges, "");
}

static void rotation_edges_are_added_to_those_there_are(void **state)
{
    swp_context *ctx = *state;
    const swp_op_list body = OPS(frag_op(0, 1, 0), mma_op(0, 0));
    swp_edge_list edges = {0};
    assert_ok(ctx, swp_edge_list_push(ctx, &edges, (swp_edge){1, 0, SWP_OUTPUT, 3}));
    assert_ok(ctx, swp_derive_cross_stage_rotation_edges(ctx, body.items, body.count, &edges));
    assert_edges(&edges, "1>0 output3, 0>1 flow0");
}

static void the_filter_drops_flow_from_a_cross_stage_fragment_within_its_half(void **state)
{
    swp_context *ctx = *state;
    swp_op ops[8];
    const swp_op_list body = rotating_body(ops);
    const swp_edge given[] = {{0, 1, SWP_FLOW, 0}, {0, 5, SWP_FLOW, 0}, {1, 0, SWP_ANTI, 0},
                              {0, 2, SWP_ANTI, 0}, {4, 7, SWP_FLOW, 0}, {4, 1, SWP_FLOW, 1}};
    swp_edge_list edges = {0};
    for (size_t i = 0; i < COUNT_OF(given); i++)
        assert_ok(ctx, swp_edge_list_push(ctx, &edges, given[i]));
    swp_filter_spurious_cross_stage_flow(body.items, body.count, &edges);
    assert_edges(&edges, "0>5 flow0, 1>0 anti0, 0>2 anti0, 4>1 flow1");
}

static void the_filter_leaves_fragments_of_their_own_stage_alone(void **state)
{
    swp_context *ctx = *state;
    const swp_op_list body = OPS(frag_op(0, 0, 0), mma_op(0, 0), frag_op(0, 0, 1), mma_op(1, 0));
    swp_edge_list edges = {0};
    assert_ok(ctx, swp_edge_list_push(ctx, &edges, (swp_edge){0, 1, SWP_FLOW, 0}));
    assert_ok(ctx, swp_edge_list_push(ctx, &edges, (swp_edge){2, 3, SWP_FLOW, 0}));
    swp_filter_spurious_cross_stage_flow(body.items, body.count, &edges);
    assert_edges(&edges, "0>1 flow0, 2>3 flow0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_cross_stage_fragment_follows_its_half_and_feeds_the_other),
        CONTEXT_TEST(other_fragments_get_no_rotation_edges),
        CONTEXT_TEST(rotation_edges_are_added_to_those_there_are),
        CONTEXT_TEST(the_filter_drops_flow_from_a_cross_stage_fragment_within_its_half),
        CONTEXT_TEST(the_filter_leaves_fragments_of_their_own_stage_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
