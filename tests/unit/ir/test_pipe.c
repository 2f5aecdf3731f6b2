/* SPDX-License-Identifier: Apache-2.0 */
/* The body builder, pipes and entries (docs/descriptions.md, "body"). */
#include "fixture.h"
#include "ops.h"
#include "swp/body.h"
#include "swp/reference.h"

static void expect_logical(const swp_op *found, int tag, int channel, int stage, int subtile,
                           swp_k_offset k_offset)
{
    const swp_op expected = swp_op_logical(tag, channel, stage, subtile, k_offset);
    assert_true(same_op(found, &expected));
}

static void a_body_collects_logical_ops_in_order(void **state)
{
    swp_context *ctx = *state;
    swp_body *b = swp_body_new(ctx);
    swp_op_list ops = {0};
    swp_load(b, 0, .channel = 1, .stage = 1, .subtile = 2, .k_offset = SWP_K_PREV);
    swp_store(b, 1, .channel = 0, .stage = 1);
    swp_frag(b, 2, .channel = 1, .stage = 1, .subtile = 1);
    swp_compute(b, 3, .stage = 4, .subtile = 5);
    swp_body_barrier(b);
    assert_ok(ctx, swp_body_done(b, &ops));
    assert_int_equal(ops.count, 5);
    expect_logical(&ops.items[0], 0, 1, 1, 2, SWP_K_PREV);
    expect_logical(&ops.items[1], 1, 0, 1, 0, SWP_K_NONE);
    expect_logical(&ops.items[2], 2, 1, 1, 1, SWP_K_NONE);
    assert_int_equal(ops.items[3].stage, 4);
    assert_int_equal(ops.items[3].subtile, 5);
    assert_int_equal(ops.items[3].k_offset, SWP_K_NONE);
    const swp_op barrier = swp_op_barrier();
    assert_true(same_op(&ops.items[4], &barrier));
}

static void a_fan_counts_its_subtiles(void **state)
{
    swp_context *ctx = *state;
    swp_body *b = swp_body_new(ctx);
    swp_op_list ops = {0};
    swp_fan(b, 3, 7, .channel = 1, .stage = 1);
    assert_ok(ctx, swp_body_done(b, &ops));
    assert_int_equal(ops.count, 3);
    for (int i = 0; i < 3; i++)
        expect_logical(&ops.items[i], 7, 1, 1, i, SWP_K_NONE);
}

static void a_fan_of_none_is_refused_once_the_body_is_done(void **state)
{
    swp_context *ctx = *state;
    swp_body *b = swp_body_new(ctx);
    swp_op_list ops = {0};
    swp_fan(b, 0, 8, .channel = 1);
    swp_fan(b, 1, 8, .channel = 1);
    assert_status(ctx, swp_body_done(b, &ops), SWP_INVALID);
    assert_diag(ctx, "E0301", NULL);
}

static void a_grid_goes_row_by_row(void **state)
{
    swp_context *ctx = *state;
    swp_body *b = swp_body_new(ctx);
    swp_op_list ops = {0};
    swp_grid(b, 2, 3, 5);
    assert_ok(ctx, swp_body_done(b, &ops));
    assert_int_equal(ops.count, 6);
    for (int i = 0; i < 6; i++)
        expect_logical(&ops.items[i], 5, -1, i / 3, i % 3, SWP_K_NONE);
}

static void extend_appends_ops_as_they_are(void **state)
{
    swp_context *ctx = *state;
    swp_body *b = swp_body_new(ctx);
    swp_op_list ops = {0};
    const swp_op ready[] = {frag_op(1, 0, 1), mma_op(1, 0)};
    swp_load(b, 0, .channel = 0);
    swp_body_extend(b, ready, 2);
    assert_ok(ctx, swp_body_done(b, &ops));
    assert_int_equal(ops.count, 3);
    assert_true(same_op(&ops.items[1], &ready[0]));
    assert_true(same_op(&ops.items[2], &ready[1]));
}

static void pipes_chain_and_join(void **state)
{
    swp_context *ctx = *state;
    swp_pipe *first = swp_pipe_then(swp_pipe_then(swp_pipe_new(ctx), mma_op(0, 0)), mma_op(0, 1));
    const swp_pipe *second = swp_pipe_then(swp_pipe_new(ctx), mma_op(1, 0));
    swp_op_list ops = {0};
    assert_ptr_equal(swp_pipe_join(first, second), first);
    assert_ok(ctx, swp_pipe_ops(first, &ops));
    assert_ops(&ops, "M00 M01 M10");
    assert_ok(ctx, swp_pipe_ops(second, &ops));
    assert_ops(&ops, "M10");
}

static void a_pipe_joined_with_itself_stands_twice(void **state)
{
    swp_context *ctx = *state;
    swp_pipe *pipe = swp_pipe_new(ctx);
    swp_op_list ops = {0};
    for (int i = 0; i < 8; i++)
        pipe = swp_pipe_then(pipe, mma_op(i, 0));
    assert_ok(ctx, swp_pipe_ops(swp_pipe_join(pipe, pipe), &ops));
    assert_ops(&ops, "M00 M10 M20 M30 M40 M50 M60 M70 M00 M10 M20 M30 M40 M50 M60 M70");
}

static void a_pipe_is_annotated_with_costs(void **state)
{
    swp_context *ctx = *state;
    swp_pipe *pipe = swp_pipe_new(ctx);
    swp_op_list ops = {0};
    const swp_cost_model model = swp_mi355x_cost_model();
    pipe = swp_pipe_then(pipe, swp_op_logical(5, -1, 0, 0, SWP_K_NONE));
    pipe = swp_pipe_then(pipe, swp_op_barrier());
    assert_ok(ctx, swp_pipe_ops(swp_annotate_pipe(pipe, &model), &ops));
    assert_int_equal(ops.items[0].role, SWP_COMPUTE);
    assert_int_equal(ops.items[0].latency, 16);
    assert_int_equal(ops.items[1].role, SWP_SYNC);
}

static void entries_of_a_pipe_count_from_their_offset(void **state)
{
    swp_context *ctx = *state;
    swp_pipe *pipe = swp_pipe_then(swp_pipe_then(swp_pipe_new(ctx), mma_op(0, 0)), mma_op(0, 1));
    swp_entry_list entries = {0};
    assert_ok(ctx, swp_pipe_entries(pipe, SWP_EPILOGUE, 5, &entries));
    assert_int_equal(entries.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(entries.items[i].time_slot, 5 + i);
        assert_int_equal(entries.items[i].phase, SWP_EPILOGUE);
        assert_int_equal(entries.items[i].op.subtile, i);
        assert_false(entries.items[i].is_prefetch);
    }
}

static void an_entry_builder_numbers_from_zero(void **state)
{
    swp_context *ctx = *state;
    swp_entry_builder builder = swp_entry_builder_new(ctx, SWP_PROLOGUE);
    assert_ok(ctx, swp_entry_builder_emit(&builder, load_op(0, 0, 1, SWP_K0), true));
    assert_ok(ctx, swp_entry_builder_emit(&builder, swp_op_wait_vm(2), false));
    assert_entries(&builder.entries, "LA01@k0* vm2");
    assert_int_equal(builder.entries.items[1].phase, SWP_PROLOGUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_body_collects_logical_ops_in_order),
        CONTEXT_TEST(a_fan_counts_its_subtiles),
        CONTEXT_TEST(a_fan_of_none_is_refused_once_the_body_is_done),
        CONTEXT_TEST(a_grid_goes_row_by_row),
        CONTEXT_TEST(extend_appends_ops_as_they_are),
        CONTEXT_TEST(pipes_chain_and_join),
        CONTEXT_TEST(a_pipe_joined_with_itself_stands_twice),
        CONTEXT_TEST(a_pipe_is_annotated_with_costs),
        CONTEXT_TEST(entries_of_a_pipe_count_from_their_offset),
        CONTEXT_TEST(an_entry_builder_numbers_from_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
