/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that no pipeline can take. */
#include "fixture.h"
#include "ir/check_body.h"
#include "ops.h"

static void expect_refused(swp_context *ctx, swp_op_list body, const char *code, const char *text)
{
    const swp_pipeline_config config = swp_pipeline_config_default();
    swp_context_clear_diags(ctx);
    assert_status(ctx, swp_ir_check_body(ctx, body.items, body.count, &config), SWP_INVALID);
    assert_diag(ctx, code, text);
}

static void a_sound_body_passes(void **state)
{
    swp_context *ctx = *state;
    const swp_pipeline_config config = swp_pipeline_config_default();
    const swp_op_list body = OPS(frag_op(0, 0, 0), mma_op(0, 0), swp_op_barrier(), mma_op(0, 0));
    assert_ok(ctx, swp_ir_check_body(ctx, body.items, body.count, &config));
}

static void a_body_needs_a_compute_and_an_even_number_of_ops(void **state)
{
    expect_refused(*state, OPS(frag_op(0, 0, 0), frag_op(0, 1, 0)), "E0306", "2");
    expect_refused(*state, (swp_op_list){0}, "E0306", NULL);
    expect_refused(*state, OPS(frag_op(0, 0, 0), mma_op(0, 0), mma_op(0, 1)), "E0307", "3");
}

static void tags_are_a_kernels_or_the_frameworks(void **state)
{
    static const int tags[] = {-1, 134, 200, 254, 255, 256};
    for (size_t i = 0; i < COUNT_OF(tags); i++) {
        swp_op op = mma_op(0, 0);
        op.tag = tags[i];
        expect_refused(*state, OPS(op, mma_op(0, 0)), "E0301", "op 0");
    }
}

static void channels_are_minus_one_to_one(void **state)
{
    expect_refused(*state, OPS(mma_op(0, 0), frag_op(7, 0, 0)), "E0301", "7");
    expect_refused(*state, OPS(mma_op(0, 0), frag_op(-2, 0, 0)), "E0301", "-2");
}

static void stages_of_lds_end_at_the_depth(void **state)
{
    expect_refused(*state, OPS(mma_op(0, 0), frag_op(0, 2, 0)), "E0301", "2");
    expect_refused(*state, OPS(mma_op(0, 0), load_op(0, 2, 0, SWP_K0)), "E0301", "2");
    swp_context *ctx = *state;
    const swp_pipeline_config config = swp_pipeline_config_default();
    const swp_op_list rows = OPS(mma_op(5, 5), mma_op(5, 5));
    assert_ok(ctx, swp_ir_check_body(ctx, rows.items, rows.count, &config));
}

static void no_number_is_negative(void **state)
{
    swp_op op = mma_op(0, 0);
#define REFUSED(field)                                                                             \
    op = mma_op(0, 0);                                                                             \
    op.field = -3;                                                                                 \
    expect_refused(*state, OPS(mma_op(0, 0), op), "E0301", #field);                                \
    expect_refused(*state, OPS(mma_op(0, 0), op), "E0301", "-3")
    REFUSED(stage);
    REFUSED(subtile);
    REFUSED(latency);
    REFUSED(vgpr_def);
    REFUSED(vgpr_kill);
    REFUSED(vm_cost);
    REFUSED(lgkm_cost);
    REFUSED(wait_value);
#undef REFUSED
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_sound_body_passes),
        CONTEXT_TEST(a_body_needs_a_compute_and_an_even_number_of_ops),
        CONTEXT_TEST(tags_are_a_kernels_or_the_frameworks),
        CONTEXT_TEST(channels_are_minus_one_to_one),
        CONTEXT_TEST(stages_of_lds_end_at_the_depth),
        CONTEXT_TEST(no_number_is_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
