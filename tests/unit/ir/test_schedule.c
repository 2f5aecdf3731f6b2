/* SPDX-License-Identifier: Apache-2.0 */
/* What a compiled schedule hands out. */
#include "fixture.h"
#include "ops.h"
#include "swp/kernels.h"

static void phases_and_names_are_found(void **state)
{
    swp_context *ctx = *state;
    swp_pingpong kernel;
    swp_schedule *s = NULL;
    swp_pingpong_init(&kernel);
    const swp_pipeline_schedule definition = swp_pingpong_schedule(&kernel);
    assert_ok(ctx, swp_compile_schedule(ctx, &definition, &s));
    assert_ptr_equal(swp_schedule_phase(s, SWP_PROLOGUE), &s->prologue);
    assert_ptr_equal(swp_schedule_phase(s, SWP_KERNEL), &s->kernel);
    assert_ptr_equal(swp_schedule_phase(s, SWP_EPILOGUE), &s->epilogue);
    assert_string_equal(swp_schedule_op_name(s, SWP_MMA), "MMA");
    assert_string_equal(swp_schedule_op_name(s, 99), "op99");
    assert_string_equal(swp_schedule_op_name(s, SWP_TAG_WAIT_LGKM), "wait_lgkm");
    assert_string_equal(swp_schedule_op_name(s, 200), "?");
    assert_string_equal(swp_schedule_op_name(s, -1), "?");
    swp_schedule_free(s);
}

static void no_schedule_is_freed_without_harm(void **state)
{
    (void)state;
    swp_schedule_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(phases_and_names_are_found),
        cmocka_unit_test(no_schedule_is_freed_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
