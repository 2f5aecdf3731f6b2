/* SPDX-License-Identifier: Apache-2.0 */
/* Every rule of both tables of docs/descriptions.md, "edges", each on the smallest body that shows it. */
#include "fixture.h"
#include "ops.h"
#include "swp/graph.h"

static void expect_derived(swp_context *ctx, swp_op_list body, const swp_pipeline_config *config,
                           const char *text)
{
    swp_edge_list edges = {0};
    assert_ok(ctx, swp_derive_edges_from_ops(ctx, body.items, body.count, config, &edges));
    assert_edges(&edges, text);
}

static swp_pipeline_config double_buffer(void)
{
    return swp_pipeline_config_default();
}

static swp_pipeline_config single_buffer(void)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.depth = 1;
    config.num_partitions = 1;
    config.loop_carried = swp_loop_carried_fragment_zero();
    return config;
}

static void a_fragment_feeds_the_mmas_of_its_row_or_column_in_its_half(void **state)
{
    const swp_pipeline_config config = double_buffer();
    expect_derived(*state,
                   OPS(frag_op(0, 0, 1), mma_op(1, 0), mma_op(0, 1), load_op(0, 1, 0, SWP_K0),
                       frag_op(1, 1, 1), mma_op(2, 1), mma_op(1, 2), load_op(0, 0, 0, SWP_K0)),
                   &config, "0>1 flow0, 4>5 flow0, 7>0 flow1, 0>7 anti0");
}

static void the_match_fields_swap_rows_and_columns(void **state)
{
    swp_pipeline_config config = double_buffer();
    config.ch0_match_field = 1;
    config.ch1_match_field = 0;
    expect_derived(*state, OPS(frag_op(0, 0, 1), mma_op(2, 1), frag_op(1, 1, 0), mma_op(0, 3)),
                   &config, "0>1 flow0, 2>3 flow0");
}

static void a_cross_stage_fragment_gets_no_edge_from_the_first_rule(void **state)
{
    const swp_pipeline_config config = double_buffer();
    expect_derived(*state, OPS(frag_op(0, 1, 0), mma_op(0, 0), frag_op(0, 0, 1), mma_op(1, 1)),
                   &config, "");
}

static void equal_mmas_of_the_halves_follow_each_other_round_the_loop(void **state)
{
    const swp_pipeline_config config = double_buffer();
    expect_derived(*state, OPS(mma_op(0, 0), mma_op(0, 1), mma_op(0, 1), mma_op(1, 0)), &config,
                   "1>2 flow0, 2>1 flow1");
}

static void a_load_feeds_fragments_of_its_channel_and_stage(void **state)
{
    const swp_pipeline_config config = double_buffer();
    /* Not the subtile; distance 0 only at K_PREV; ANTI only where the load is not at K_PREV. */
    expect_derived(*state,
                   OPS(load_op(0, 1, 5, SWP_K_PREV), load_op(0, 1, 0, SWP_K0),
                       load_op(1, 1, 0, SWP_K0), frag_op(0, 1, 0), load_op(0, 0, 0, SWP_K0),
                       load_op(0, 1, 0, SWP_K_NONE)),
                   &config, "0>3 flow0, 1>3 flow1, 5>3 flow1, 3>1 anti0, 3>5 anti0");
}

/* F1, C0, barrier, S, L, C1, barrier, F0: the single-buffer body of two fragments. */
static void the_single_buffer_table_gives_its_eight_edges(void **state)
{
    const swp_pipeline_config config = single_buffer();
    expect_derived(*state,
                   OPS(frag_op(0, 0, 1), mma_op(0, 0), swp_op_barrier(), store_op(0, 0, 0),
                       load_op(0, 0, 0, SWP_K_NONE), mma_op(0, 1), swp_op_barrier(),
                       frag_op(0, 0, 0)),
                   &config,
                   "0>5 flow0, 2>3 flow0, 3>6 flow0, 6>7 flow0, 0>2 anti0, 7>1 flow1, 4>3 flow1, "
                   "7>3 anti1");
}

static void a_single_buffer_fragment_feeds_the_first_match_only(void **state)
{
    const swp_pipeline_config config = single_buffer();
    expect_derived(*state, OPS(frag_op(0, 0, 1), mma_op(0, 1), mma_op(3, 1), mma_op(0, 2)), &config,
                   "0>1 flow0");
}

static void the_selector_says_which_fragment_is_loop_carried(void **state)
{
    swp_pipeline_config config = single_buffer();
    config.loop_carried = (swp_loop_carried){SWP_FRAGMENT_LOAD, 2};
    expect_derived(*state, OPS(frag_op(0, 0, 0), frag_op(0, 0, 2), mma_op(0, 0), mma_op(0, 2)),
                   &config, "0>2 flow0, 1>3 flow1");
}

static void the_tables_have_five_and_eight_rules(void **state)
{
    (void)state;
    size_t count = 0;
    assert_non_null(swp_double_buffer_edge_rules(&count));
    assert_int_equal(count, 5);
    assert_non_null(swp_single_buffer_edge_rules(&count));
    assert_int_equal(count, 8);
}

static void expect_rule(swp_context *ctx, swp_op_list body, const swp_edge_rule *rule,
                        const char *text)
{
    const swp_pipeline_config config = single_buffer();
    swp_edge_list edges = {0};
    assert_ok(ctx, swp_apply_edge_rules(ctx, body.items, body.count, &config, rule, 1, &edges));
    assert_edges(&edges, text);
}

static void no_rule_gives_an_edge_from_an_op_to_itself(void **state)
{
    const swp_edge_rule rule = swp_edge_rule_any(SWP_COMPUTE, SWP_COMPUTE, SWP_OUTPUT, 2);
    expect_rule(*state, OPS(mma_op(0, 0), mma_op(0, 1), mma_op(0, 2)), &rule,
                "0>1 output2, 0>2 output2, 1>0 output2, 1>2 output2, 2>0 output2, 2>1 output2");
}

static void halves_restrict_a_rule(void **state)
{
    const swp_op_list body = OPS(frag_op(0, 0, 0), mma_op(0, 0), frag_op(0, 0, 0), mma_op(0, 0));
    swp_edge_rule rule = swp_edge_rule_any(SWP_FRAGMENT_LOAD, SWP_COMPUTE, SWP_FLOW, 0);
    expect_rule(*state, body, &rule, "0>1 flow0, 0>3 flow0, 2>1 flow0, 2>3 flow0");
    rule.same_half = true;
    expect_rule(*state, body, &rule, "0>1 flow0, 2>3 flow0");
    rule.same_half = false;
    rule.cross_half = true;
    expect_rule(*state, body, &rule, "0>3 flow0, 2>1 flow0");
    rule.producer_half = 1;
    expect_rule(*state, body, &rule, "2>1 flow0");
}

/* Of three ops the first alone is in half 0: 0 < 3/2, and neither 1 nor 2 is below 1. */
static void the_half_of_an_odd_body_is_rounded_down(void **state)
{
    swp_edge_rule rule = swp_edge_rule_any(SWP_COMPUTE, SWP_COMPUTE, SWP_FLOW, 0);
    rule.same_half = true;
    expect_rule(*state, OPS(mma_op(0, 0), mma_op(0, 0), mma_op(0, 0)), &rule,
                "1>2 flow0, 2>1 flow0");
}

static void the_k_filter_looks_at_the_consumer(void **state)
{
    const swp_op_list body =
        OPS(frag_op(0, 0, 0), load_op(0, 0, 0, SWP_K_PREV), load_op(0, 0, 0, SWP_K1));
    swp_edge_rule rule = swp_edge_rule_any(SWP_FRAGMENT_LOAD, SWP_GLOBAL_LOAD, SWP_ANTI, 0);
    expect_rule(*state, body, &rule, "0>1 anti0, 0>2 anti0");
    rule.k_offset_filter = SWP_K_ONLY_PREV;
    expect_rule(*state, body, &rule, "0>1 anti0");
    rule.k_offset_filter = SWP_K_NOT_PREV;
    expect_rule(*state, body, &rule, "0>2 anti0");
}

static void ordinals_pick_the_nth_op_of_a_role(void **state)
{
    const swp_op_list body =
        OPS(mma_op(0, 0), frag_op(0, 0, 0), frag_op(0, 0, 1), mma_op(0, 1), frag_op(0, 0, 2));
    swp_edge_rule rule = swp_edge_rule_any(SWP_FRAGMENT_LOAD, SWP_COMPUTE, SWP_FLOW, 0);
    rule.producer_ordinal = 2;
    expect_rule(*state, body, &rule, "4>0 flow0, 4>3 flow0");
    rule.consumer_ordinal = 1;
    expect_rule(*state, body, &rule, "4>3 flow0");
    rule.producer_ordinal = 3;
    expect_rule(*state, body, &rule, "");
}

static void matches_compare_the_fields_they_name(void **state)
{
    const swp_op_list body =
        OPS(load_op(0, 0, 0, SWP_K0), frag_op(1, 0, 0), frag_op(0, 1, 0), frag_op(0, 0, 1));
    swp_edge_rule rule = swp_edge_rule_any(SWP_GLOBAL_LOAD, SWP_FRAGMENT_LOAD, SWP_FLOW, 0);
    rule.match_channel = true;
    expect_rule(*state, body, &rule, "0>2 flow0, 0>3 flow0");
    rule.match_channel = false;
    rule.match_stage = true;
    expect_rule(*state, body, &rule, "0>1 flow0, 0>3 flow0");
    rule.match_stage = false;
    rule.match_subtile = true;
    expect_rule(*state, body, &rule, "0>1 flow0, 0>2 flow0");
    rule.match_subtile = false;
    rule.first_match_only = true;
    expect_rule(*state, body, &rule, "0>1 flow0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_fragment_feeds_the_mmas_of_its_row_or_column_in_its_half),
        CONTEXT_TEST(the_match_fields_swap_rows_and_columns),
        CONTEXT_TEST(a_cross_stage_fragment_gets_no_edge_from_the_first_rule),
        CONTEXT_TEST(equal_mmas_of_the_halves_follow_each_other_round_the_loop),
        CONTEXT_TEST(a_load_feeds_fragments_of_its_channel_and_stage),
        CONTEXT_TEST(the_single_buffer_table_gives_its_eight_edges),
        CONTEXT_TEST(a_single_buffer_fragment_feeds_the_first_match_only),
        CONTEXT_TEST(the_selector_says_which_fragment_is_loop_carried),
        cmocka_unit_test(the_tables_have_five_and_eight_rules),
        CONTEXT_TEST(no_rule_gives_an_edge_from_an_op_to_itself),
        CONTEXT_TEST(halves_restrict_a_rule),
        CONTEXT_TEST(the_half_of_an_odd_body_is_rounded_down),
        CONTEXT_TEST(the_k_filter_looks_at_the_consumer),
        CONTEXT_TEST(ordinals_pick_the_nth_op_of_a_role),
        CONTEXT_TEST(matches_compare_the_fields_they_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
