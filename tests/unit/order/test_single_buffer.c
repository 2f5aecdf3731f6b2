/* SPDX-License-Identifier: Apache-2.0 */
/* single_buffer_reorder and optimize_within_barriers (docs/descriptions.md, "reorder"). */
#include "fixture.h"
#include "ops.h"
#include "swp/body.h"

static void expect_reordered(swp_context *ctx, swp_op_list given, const char *text)
{
    const swp_pipeline_config config = swp_mi355x_single_buffer();
    swp_op_list out = {0};
    assert_ok(ctx, swp_single_buffer_reorder(ctx, given.items, given.count, &config, &out));
    assert_ops(&out, text);
}

static void the_order_is_frags_compute_stores_loads_computes_frag(void **state)
{
    expect_reordered(*state,
                     OPS(load_op(0, 0, 0, SWP_K_NONE), store_op(0, 0, 0), swp_op_barrier(),
                         frag_op(0, 0, 0), frag_op(0, 0, 1), mma_op(0, 0), mma_op(0, 1)),
                     "FA01 M00 bar S00 LA00 M01 bar FA00");
    expect_reordered(
        *state,
        OPS(load_op(0, 0, 0, SWP_K_NONE), store_op(0, 0, 0), frag_op(0, 0, 0), mma_op(0, 0)),
        "M00 bar S00 LA00 bar FA00");
}

static void a_role_without_a_place_is_refused_not_lost(void **state)
{
    swp_context *ctx = *state;
    const swp_pipeline_config config = swp_mi355x_single_buffer();
    const swp_op_list given = OPS(mma_op(0, 0), plain_op(SWP_VALU_COMPUTE, SWP_VALU, 4));
    swp_op_list out = {0};
    assert_status(ctx, swp_single_buffer_reorder(ctx, given.items, given.count, &config, &out),
                  SWP_INVALID);
    assert_diag(ctx, "E0309", "op 1");
}

static void expect_optimized(swp_context *ctx, swp_op_list given, const char *text)
{
    const swp_pipeline_config config = swp_mi355x_single_buffer();
    swp_op_list out = {0};
    assert_ok(ctx, swp_optimize_within_barriers(ctx, given.items, given.count, &config, &out));
    assert_ops(&out, text);
}

/* F1 M1 M0 takes 20 + 16 + 16, but M0 fits beside the fragment: 36. The first such order is F1 M0 M1. */
static void a_segment_takes_its_best_order(void **state)
{
    expect_optimized(*state, OPS(frag_op(0, 0, 1), mma_op(0, 1), mma_op(0, 0)), "FA01 M00 M01");
}

/* With the barrier between them the two ops cannot change places. */
static void nothing_crosses_a_barrier(void **state)
{
    expect_optimized(*state,
                     OPS(frag_op(0, 0, 1), mma_op(0, 1), swp_op_barrier(), mma_op(0, 0),
                         swp_op_barrier(), swp_op_barrier()),
                     "FA01 M01 bar M00 bar bar");
}

/* The edge from fragment to COMPUTE leaves the segment, so it does not count inside. */
static void edges_between_segments_do_not_count(void **state)
{
    expect_optimized(*state,
                     OPS(frag_op(0, 0, 1), swp_op_barrier(), mma_op(0, 1), store_op(0, 0, 0)),
                     "FA01 bar M01 S00");
}

static void an_empty_body_stays_empty(void **state)
{
    expect_optimized(*state, (swp_op_list){0}, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_order_is_frags_compute_stores_loads_computes_frag),
        CONTEXT_TEST(a_role_without_a_place_is_refused_not_lost),
        CONTEXT_TEST(a_segment_takes_its_best_order),
        CONTEXT_TEST(nothing_crosses_a_barrier),
        CONTEXT_TEST(edges_between_segments_do_not_count),
        CONTEXT_TEST(an_empty_body_stays_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
