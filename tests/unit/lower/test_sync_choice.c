/* SPDX-License-Identifier: Apache-2.0 */
/* Which waits and barriers a body gets where the figures of a target decide. */
#include "fixture.h"
#include "lower/sync_choice.h"
#include "swp/kernels.h"
#include "swp/simulate.h"
#include "swp/verify.h"

/* An sm_80 whose waits and barriers take so many cycles. */
static swp_target with_costs(int64_t wait, int64_t barrier)
{
    swp_target target = *swp_target_find("sm_80");
    target.figures[SWP_TARGET_SYNC_WAIT].value = wait;
    target.figures[SWP_TARGET_SYNC_BARRIER].value = barrier;
    return target;
}

static swp_pingpong pingpong_of_sm_80(void)
{
    swp_pingpong kernel;
    swp_pingpong_init(&kernel);
    kernel.options.target = swp_sm_80_target(4, 4, 1);
    return kernel;
}

static swp_schedule *compile(swp_context *ctx, const swp_pingpong *kernel,
                             const swp_sync_freedom *freedom)
{
    const swp_pipeline_schedule definition = swp_pingpong_schedule(kernel);
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_lower_compile_body(ctx, &definition, freedom, &schedule));
    return schedule;
}

static double cycles_of(swp_context *ctx, const swp_target *target, const swp_schedule *schedule)
{
    const swp_simulate_options options = {.target = target};
    swp_simulation simulation;
    assert_ok(ctx, swp_simulate(ctx, schedule, &options, &simulation));
    return (double)simulation.cycles / simulation.passes;
}

/* Each way, compiled by itself, takes no fewer cycles than what was chosen. */
static void no_way_that_is_open_takes_fewer_cycles(void **state)
{
    swp_context *ctx = *state;
    const int64_t costs[][2] = {{0, 0}, {45, 29}, {6, 400}};
    for (size_t i = 0; i < COUNT_OF(costs); i++) {
        const swp_target target = with_costs(costs[i][0], costs[i][1]);
        const swp_sync_freedom freedom = {
            .figures = &target, .sync = true, .goal = true, .pace = true};
        swp_pingpong kernel = pingpong_of_sm_80();
        swp_schedule *chosen = compile(ctx, &kernel, &freedom);
        const double least = cycles_of(ctx, &target, chosen);
        for (unsigned way = 0; way < 8; way++) {
            kernel.options.schedule.sync = way & 1 ? SWP_SYNC_DERIVED : SWP_SYNC_TEMPLATE;
            kernel.options.schedule.sync_goal = way & 2 ? SWP_SYNC_BARRIERS : SWP_SYNC_CYCLES;
            kernel.options.schedule.sync_pace = (way & 4) != 0;
            swp_schedule *other = compile(ctx, &kernel, NULL);
            assert_true(cycles_of(ctx, &target, other) >= least);
            swp_schedule_free(other);
        }
        swp_schedule_free(chosen);
    }
}

/* What a caller has stated stays, whatever it costs. */
static void what_is_stated_stays(void **state)
{
    swp_context *ctx = *state;
    const swp_target target = with_costs(45, 29);
    const swp_sync_freedom none = {.figures = &target};
    const swp_pingpong kernel = pingpong_of_sm_80();
    swp_schedule *schedule = compile(ctx, &kernel, &none);
    assert_int_equal(schedule->schedule.sync, SWP_SYNC_TEMPLATE);
    assert_true(schedule->schedule.sync_pace);
    swp_schedule_free(schedule);
}

/* The published end of the 4-wave kernel has hazards. */
static void a_safe_way_comes_first(void **state)
{
    swp_context *ctx = *state;
    const swp_target target = with_costs(45, 29);
    const swp_sync_freedom freedom = {.figures = &target, .sync = true};
    const swp_kernel_geometry geometry = {.lgkm_per_load_a = 8, .lgkm_per_load_b = 8};
    swp_pipeline_4wave kernel;
    swp_verdict verdict;
    swp_schedule *ways[2] = {NULL, NULL};
    assert_ok(ctx, swp_pipeline_4wave_init(ctx, &kernel, &geometry, NULL, NULL));
    const swp_pipeline_schedule definition = swp_pipeline_4wave_schedule(&kernel);
    assert_ok(ctx, swp_lower_compile_body(ctx, &definition, NULL, &ways[0]));
    assert_ok(ctx, swp_lower_compile_body(ctx, &definition, &freedom, &ways[1]));
    assert_ok(ctx, swp_verify(ctx, ways[0], NULL, 0, &verdict));
    assert_false(verdict.safe);
    assert_ok(ctx, swp_verify(ctx, ways[1], NULL, 0, &verdict));
    assert_true(verdict.safe);
    assert_int_equal(ways[1]->schedule.sync, SWP_SYNC_DERIVED);
    swp_schedule_free(ways[0]);
    swp_schedule_free(ways[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(no_way_that_is_open_takes_fewer_cycles),
        CONTEXT_TEST(what_is_stated_stays),
        CONTEXT_TEST(a_safe_way_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
