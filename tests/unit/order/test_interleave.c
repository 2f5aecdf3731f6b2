/* SPDX-License-Identifier: Apache-2.0 */
/* mma_block_interleave and double_buffer_reorder (docs/descriptions.md, "reorder"). */
#include "fixture.h"
#include "ops.h"
#include "swp/body.h"
#include "swp/reference.h"

/* Half 0 of ping-pong. */
static const char *const half_0 = "LA11@k_prev LA00@k0 LB00@k0 LB01@k0 FA00 FA01 FB00 FB01 "
                                  "M00 M01 M10 M11";

static size_t fill_half(swp_op *ops, int h)
{
    const swp_k_offset k = h ? SWP_K1 : SWP_K0;
    const swp_op half[] = {load_op(0, 1 - h, 1, h ? SWP_K0 : SWP_K_PREV),
                           load_op(0, h, 0, k),
                           load_op(1, h, 0, k),
                           load_op(1, h, 1, k),
                           frag_op(0, h, 0),
                           frag_op(0, h, 1),
                           frag_op(1, h, 0),
                           frag_op(1, h, 1),
                           mma_op(0, 0),
                           mma_op(0, 1),
                           mma_op(1, 0),
                           mma_op(1, 1)};
    for (size_t i = 0; i < COUNT_OF(half); i++)
        ops[i] = half[i];
    return COUNT_OF(half);
}

static void expect_interleaved(swp_context *ctx, const swp_pipeline_config *config,
                               const char *text)
{
    swp_op ops[16];
    const size_t count = fill_half(ops, 0);
    const swp_op_list given = {ops, count, count};
    swp_op_list out = {0};
    assert_ops(&given, half_0);
    assert_ok(ctx, swp_mma_block_interleave_list(ctx, ops, count, config, &out));
    assert_ops(&out, text);
}

/* Slots: new row 4, else 2. Loads: 4-2-1 = 1, 2-1-1 = 0, 4-1-1 = 2, 2-0-1 = 1. */
static void heavy_and_light_blocks_share_the_loads(void **state)
{
    const swp_pipeline_config config = swp_pipeline_config_default();
    expect_interleaved(*state, &config,
                       "FB00 FA00 LA11@k_prev M00 FB01 M01 FA01 LA00@k0 LB00@k0 M10 LB01@k0 M11");
}

static void max_globals_clamps_to_at_least_one(void **state)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.block_sizing.max_globals = 1;
    expect_interleaved(*state, &config,
                       "FB00 FA00 LA11@k_prev M00 FB01 LA00@k0 M01 FA01 LB00@k0 M10 LB01@k0 M11");
}

/* Uniform 6: 6-2-1 = 3 clamped to 2, then 2. */
static void max_globals_clamps_from_above(void **state)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.block_sizing = swp_block_sizing_uniform(6);
    config.block_sizing.max_globals = 2;
    expect_interleaved(*state, &config,
                       "FB00 FA00 LA11@k_prev LA00@k0 M00 FB01 LB00@k0 LB01@k0 M01 FA01 M10 M11");
}

static void the_fragment_order_may_be_a_before_b(void **state)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.frag_order = SWP_A_BEFORE_B;
    expect_interleaved(*state, &config,
                       "FA00 FB00 LA11@k_prev M00 FB01 M01 FA01 LA00@k0 LB00@k0 M10 LB01@k0 M11");
}

static void fragments_are_taken_whatever_their_stage(void **state)
{
    swp_context *ctx = *state;
    const swp_pipeline_config config = swp_pipeline_config_default();
    const swp_op_list given = OPS(frag_op(1, 1, 0), frag_op(0, 0, 0), mma_op(0, 0));
    swp_op_list out = {0};
    assert_ok(ctx, swp_mma_block_interleave_list(ctx, given.items, given.count, &config, &out));
    assert_ops(&out, "FB10 FA00 M00");
}

static void expect_left_over(swp_context *ctx, swp_op_list given, const swp_pipeline_config *config,
                             const char *name)
{
    swp_op_list out = {0};
    swp_context_clear_diags(ctx);
    assert_status(ctx, swp_mma_block_interleave_list(ctx, given.items, given.count, config, &out),
                  SWP_INVALID);
    assert_diag(ctx, "E0308", name);
}

static void a_load_or_fragment_left_over_is_an_error_that_names_it(void **state)
{
    swp_context *ctx = *state;
    swp_pipeline_config config = swp_pipeline_config_default();
    config.block_sizing.max_globals = 1;
    expect_left_over(ctx, OPS(load_op(0, 0, 0, SWP_K0), load_op(1, 0, 0, SWP_K0), mma_op(0, 0)),
                     &config, "op1");
    expect_left_over(ctx, OPS(frag_op(0, 0, 0), frag_op(0, 0, 1), mma_op(0, 0)), &config, "op3");
    expect_left_over(ctx, OPS(frag_op(1, 0, 0), frag_op(1, 0, 0), mma_op(0, 0)), &config, "op4");
    config.block_sizing = swp_block_sizing_uniform(1);
    expect_left_over(ctx, OPS(load_op(0, 0, 0, SWP_K0), mma_op(0, 0)), &config, "op0");
}

static void no_available_slot_is_none_and_not_negative(void **state)
{
    swp_context *ctx = *state;
    swp_pipeline_config config = swp_pipeline_config_default();
    config.block_sizing = (swp_block_sizing){.heavy = 0, .light = 2, .max_globals = 0};
    const swp_op_list given =
        OPS(load_op(0, 0, 0, SWP_K0), frag_op(0, 0, 0), mma_op(0, 0), mma_op(0, 1));
    swp_op_list out = {0};
    assert_ok(ctx, swp_mma_block_interleave_list(ctx, given.items, given.count, &config, &out));
    assert_ops(&out, "FA00 M00 LA00@k0 M01");
}

static void the_pipe_form_gives_the_same(void **state)
{
    swp_context *ctx = *state;
    const swp_pipeline_config config = swp_pipeline_config_default();
    swp_op ops[16];
    const size_t count = fill_half(ops, 0);
    swp_pipe *pipe = swp_pipe_new(ctx);
    for (size_t i = 0; i < count; i++)
        pipe = swp_pipe_then(pipe, ops[i]);
    swp_op_list out = {0};
    assert_ok(ctx, swp_pipe_ops(swp_mma_block_interleave(ctx, pipe, &config), &out));
    assert_ops(&out, "FB00 FA00 LA11@k_prev M00 FB01 M01 FA01 LA00@k0 LB00@k0 M10 LB01@k0 M11");
}

static void double_buffer_reorder_interleaves_each_half(void **state)
{
    swp_context *ctx = *state;
    swp_pipeline_config config = swp_pipeline_config_default();
    swp_op ops[32];
    size_t count = fill_half(ops, 0);
    count += fill_half(ops + count, 1);
    swp_op_list out = {0};
    config.block_sizing.max_globals = 1;
    assert_ok(ctx, swp_double_buffer_reorder(ctx, ops, count, &config, &out));
    assert_ops(&out, "FB00 FA00 LA11@k_prev M00 FB01 LA00@k0 M01 FA01 LB00@k0 M10 LB01@k0 M11 "
                     "FB10 FA10 LA01@k0 M00 FB11 LA10@k1 M01 FA11 LB10@k1 M10 LB11@k1 M11");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(heavy_and_light_blocks_share_the_loads),
        CONTEXT_TEST(max_globals_clamps_to_at_least_one),
        CONTEXT_TEST(max_globals_clamps_from_above),
        CONTEXT_TEST(the_fragment_order_may_be_a_before_b),
        CONTEXT_TEST(fragments_are_taken_whatever_their_stage),
        CONTEXT_TEST(a_load_or_fragment_left_over_is_an_error_that_names_it),
        CONTEXT_TEST(no_available_slot_is_none_and_not_negative),
        CONTEXT_TEST(the_pipe_form_gives_the_same),
        CONTEXT_TEST(double_buffer_reorder_interleaves_each_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
