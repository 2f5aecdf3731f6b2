/* SPDX-License-Identifier: Apache-2.0 */
/* Instances shifted in other ways: two that share the matrix unit all the time can only take turns. */
#include "fixture.h"

#include "builtins.h"
#include "pipeline/reshift.h"

static void instances_take_turns_or_are_not_found(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compile_builtin(ctx, "gemm_ws");
    const swp_pipeline *given = schedule->pipeline;
    swp_pipeline other;
    bool found = false;
    for (int part = 0; part < SWP_PIPELINE_SHIFT_PARTS; part++) {
        assert_ok(ctx, swp_pipeline_reshift(ctx, given, given->slots, given->stages, part, &other,
                                            &found));
        assert_int_equal(found, part == SWP_PIPELINE_SHIFT_PARTS / 2);
        if (!found)
            continue;
        assert_int_equal(other.answer.value, given->answer.value);
        assert_int_equal(other.shifts[0], given->answer.value / 2);
    }
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_TEST(instances_take_turns_or_are_not_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
