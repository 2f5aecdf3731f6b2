/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that no schedule can express, which only the C API can describe. */
#include "fixture.h"
#include "swp/loop_compile.h"
#include "swp/simulate.h"

static swp_loop multiplying(swp_context *ctx, int64_t latency, int64_t cycles)
{
    swp_loop_builder *l = swp_loop_new(ctx, "long");
    const int mma = swp_loop_add_unit(l, "mma_unit", 1);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 64);
    swp_loop loop;
    swp_work(l, "MMA", .latency = latency, .uses = {{.unit = mma, .cycles = cycles}},
             .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

/* The most is taken; one cycle more, as a latency or on a unit, is not, up to the most of a problem. */
static void an_op_takes_no_more_cycles_than_a_schedule_adds_up(void **state)
{
    swp_context *ctx = *state;
    const int64_t beyond[][2] = {{SWP_MOST_STEP_CYCLES + 1, 1},
                                 {1, SWP_MOST_STEP_CYCLES + 1},
                                 {SWP_PROBLEM_MOST / 4, SWP_PROBLEM_MOST / 4}};
    swp_schedule *schedule = NULL;
    const swp_loop most = multiplying(ctx, SWP_MOST_STEP_CYCLES, SWP_MOST_STEP_CYCLES);
    assert_ok(ctx, swp_compile_loop(ctx, &most, NULL, &schedule));
    assert_int_equal(schedule->pipeline->answer.value, SWP_MOST_STEP_CYCLES);
    swp_schedule_free(schedule);
    for (size_t i = 0; i < COUNT_OF(beyond); i++) {
        const swp_loop loop = multiplying(ctx, beyond[i][0], beyond[i][1]);
        swp_pipeline pipeline;
        assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &pipeline));
        assert_status(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule), SWP_INVALID);
        assert_diag(ctx, "E0327", "and one of a schedule 1000000000 at most");
        swp_context_clear_diags(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_op_takes_no_more_cycles_than_a_schedule_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
