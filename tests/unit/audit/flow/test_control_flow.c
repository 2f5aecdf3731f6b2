/* SPDX-License-Identifier: Apache-2.0 */
/* Basic blocks, natural loops, and post-dominators. */
#include "fixture.h"

#include "audit/flow/control_flow.h"
#include "audit/languages.h"

#include <string.h>

static swp_flow flow_of(swp_context *ctx, const char *text)
{
    swp_flow flow;
    swp_machine_code *code = swp_context_take(ctx, sizeof *code);
    assert_ok(ctx, swp_audit_read_code(ctx, (swp_slice){text, strlen(text)}, "k.s", code));
    assert_ok(ctx, swp_flow_build(ctx, "k.s", code, &code->functions.items[0], &flow));
    return flow;
}

#define HEAD ".amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\nk:\n"

static void a_straight_function_is_one_block(void **state)
{
    const swp_flow flow = flow_of(*state, HEAD "s_nop 0\ns_nop 1\ns_endpgm\n");
    assert_int_equal(flow.block_count, 1);
    assert_int_equal(flow.loop_count, 0);
    assert_int_equal(flow.blocks[0].successor_count, 0);
    assert_int_equal(flow.blocks[0].post_dominator, SWP_NO_BLOCK);
}

static void both_paths_of_a_branch_reconverge(void **state)
{
    /* 0: branch; 1: not taken; 2: taken; 3: after both */
    const swp_flow flow = flow_of(*state, HEAD "s_cbranch_scc1 a\n"
                                               "s_nop 1\ns_branch b\n"
                                               "a: s_nop 2\n"
                                               "b: s_endpgm\n");
    assert_int_equal(flow.block_count, 4);
    assert_int_equal(flow.blocks[0].post_dominator, 3);
    assert_int_equal(flow.blocks[1].post_dominator, 3);
    assert_int_equal(flow.blocks[2].post_dominator, 3);
}

/* The loop is left from its header: the latch leads nowhere but back. */
static void a_loop_that_is_left_at_its_header_is_post_dominated_by_what_follows(void **state)
{
    /* 0: header; 1: latch; 2: behind the loop */
    const swp_flow flow = flow_of(*state, HEAD "a: s_cbranch_scc1 b\n"
                                               "s_nop 1\ns_branch a\n"
                                               "b: s_endpgm\n");
    assert_int_equal(flow.blocks[0].post_dominator, 2);
    assert_int_equal(flow.blocks[1].post_dominator, 0);
    assert_int_equal(flow.blocks[2].post_dominator, SWP_NO_BLOCK);
}

static void what_leads_to_no_end_has_no_post_dominator(void **state)
{
    /* 0: branch; 1: end; 2: a loop without an end */
    const swp_flow flow = flow_of(*state, HEAD "s_cbranch_scc1 a\ns_endpgm\na: s_branch a\n");
    assert_int_equal(flow.blocks[0].post_dominator, 1);
    assert_int_equal(flow.blocks[2].post_dominator, SWP_NO_BLOCK);
}

static void what_nothing_leads_to_is_not_reached(void **state)
{
    const swp_flow flow = flow_of(*state, HEAD "s_branch a\nb: s_nop 1\na: s_endpgm\n");
    assert_int_equal(flow.reached_count, 2);
    assert_false(flow.blocks[1].reached);
}

/* A block counts once for its loop, however many back edges there are. */
static void a_loop_with_two_back_edges_is_within_its_outer_one(void **state)
{
    /* 0: outer header; 1: inner header; 2: goes back; 3: goes back too; 4: end of the outer one */
    const swp_flow flow = flow_of(*state, HEAD "outer: s_nop 1\n"
                                               "inner: s_nop 2\ns_cbranch_scc1 a\n"
                                               "s_cbranch_vccz inner\n"
                                               "a: s_nop 3\ns_cbranch_vccnz inner\n"
                                               "s_cbranch_scc0 outer\n"
                                               "s_endpgm\n");
    const int inner = flow.blocks[2].loop;
    const int outer = flow.blocks[0].loop;
    assert_int_equal(flow.loop_count, 2);
    assert_int_equal(flow.loops[inner].header, 1);
    assert_int_equal(flow.loops[inner].blocks, 3);
    assert_int_equal(flow.loops[outer].blocks, 5);
    assert_int_equal(flow.loops[inner].outer, outer);
    assert_true(flow.loops[inner].innermost && !flow.loops[outer].innermost);
}

static void loops_nest(void **state)
{
    /* 0; 1: outer header; 2: inner loop; 3: end of the outer one; 4 */
    const swp_flow flow = flow_of(*state, HEAD "s_nop 0\n"
                                               "outer: s_nop 1\n"
                                               "inner: s_nop 2\ns_cbranch_scc1 inner\n"
                                               "s_cbranch_scc0 outer\n"
                                               "s_endpgm\n");
    assert_int_equal(flow.block_count, 5);
    assert_int_equal(flow.loop_count, 2);
    const int inner = flow.blocks[2].loop;
    const int outer = flow.blocks[1].loop;
    assert_int_not_equal(inner, outer);
    assert_int_equal(flow.loops[inner].header, 2);
    assert_int_equal(flow.loops[inner].outer, outer);
    assert_true(flow.loops[inner].innermost);
    assert_false(flow.loops[outer].innermost);
    assert_int_equal(flow.loops[outer].blocks, 3);
    assert_true(swp_flow_in_loop(&flow, outer, 2));
    assert_false(swp_flow_in_loop(&flow, inner, 3));
    assert_int_equal(flow.blocks[4].loop, -1);
    assert_true(swp_flow_is_back_edge(&flow, 3, 1));
    assert_false(swp_flow_is_back_edge(&flow, 3, 4));
}

static void a_loop_may_have_two_back_edges(void **state)
{
    const swp_flow flow = flow_of(*state, HEAD "a: s_nop 0\ns_cbranch_scc1 a\n"
                                               "s_nop 1\ns_cbranch_scc0 a\n"
                                               "s_endpgm\n");
    assert_int_equal(flow.loop_count, 1);
    assert_int_equal(flow.blocks[0].loop, flow.blocks[1].loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_straight_function_is_one_block),
        CONTEXT_TEST(both_paths_of_a_branch_reconverge),
        CONTEXT_TEST(a_loop_that_is_left_at_its_header_is_post_dominated_by_what_follows),
        CONTEXT_TEST(what_leads_to_no_end_has_no_post_dominator),
        CONTEXT_TEST(what_nothing_leads_to_is_not_reached),
        CONTEXT_TEST(a_loop_with_two_back_edges_is_within_its_outer_one),
        CONTEXT_TEST(loops_nest),
        CONTEXT_TEST(a_loop_may_have_two_back_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
