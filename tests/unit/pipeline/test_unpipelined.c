/* SPDX-License-Identifier: Apache-2.0 */
/* One op after the other: times that the problem takes, in which no two ops overlap, and no iterations do. */
#include "fixture.h"

#include "builtins.h"
#include "pipeline/unpipelined.h"

static void nothing_overlaps(void **state)
{
    static const char *const names[] = {"gemm_ws", "attention_ws"};
    swp_context *ctx = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        swp_schedule *schedule = compile_builtin(ctx, names[i]);
        const swp_pipeline *given = schedule->pipeline;
        swp_pipeline other;
        bool found = false;
        assert_ok(ctx, swp_pipeline_unpipelined(ctx, given, &other, &found));
        assert_true(found);
        assert_int_equal(other.stages, 1);
        assert_true(other.answer.value > given->answer.value);
        assert_false(other.interval_proven);
        for (size_t op = 0; op + 1 < other.loop->op_count; op++)
            assert_true(other.answer.times[op + 1] >=
                        other.answer.times[op] + other.loop->ops[op].latency);
        swp_schedule_free(schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_TEST(nothing_overlaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
