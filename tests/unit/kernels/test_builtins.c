/* SPDX-License-Identifier: Apache-2.0 */
/* The table of built-in schedules. */
#include "fixture.h"
#include "swp/kernels.h"
#include "swp/loop_compile.h"

static void the_kernels_are_found_by_name(void **state)
{
    (void)state;
    size_t count = 0;
    const swp_builtin *const *builtins = swp_builtins(&count);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(swp_builtin_find(builtins[i]->name), builtins[i]);
    assert_int_equal(swp_builtin_find("single_buffer")->depth, 1);
    assert_int_equal(swp_builtin_find("pingpong")->depth, 2);
    assert_int_equal(swp_builtin_find("fourwave")->depth, 2);
    assert_null(swp_builtin_find("ping_pong"));
}

/* Without a geometry ping-pong has vm 4/4, lgkm 0/0 and max_globals 1; 4-wave 4/4 and 8/8. */
static void each_has_its_own_defaults(void **state)
{
    (void)state;
    swp_settings settings = swp_settings_default();
    const swp_target *target = swp_target_find("mi355x");
    swp_builtin_find("pingpong")->defaults(target, &settings);
    assert_int_equal(settings.pipeline.vm_per_load_a, 4);
    assert_int_equal(settings.pipeline.lgkm_per_load_a, 0);
    assert_int_equal(settings.pipeline.block_sizing.max_globals, 1);
    assert_int_equal(settings.schedule.scheduling, SWP_CSP);
    settings = swp_settings_default();
    swp_builtin_find("single_buffer")->defaults(target, &settings);
    assert_int_equal(settings.pipeline.depth, 1);
    assert_int_equal(settings.num_k_tiles, 2);
    assert_int_equal(settings.machine.barrier, SWP_BARRIER_FENCED);
    assert_true(swp_builtin_find("fourwave")->default_geometry);
    assert_null(swp_builtin_find("single_buffer")->layout);
}

static void each_defines_a_schedule_that_compiles(void **state)
{
    swp_context *ctx = *state;
    size_t count = 0;
    const swp_builtin *const *builtins = swp_builtins(&count);
    const swp_target *target = swp_target_find("mi355x");
    for (size_t i = 0; i < count; i++) {
        swp_settings settings = swp_settings_default();
        swp_pipeline_schedule definition;
        swp_loop loop;
        swp_schedule *schedule = NULL;
        if (builtins[i]->loop) {
            assert_ok(ctx, builtins[i]->loop(ctx, target, &settings, &loop));
            assert_ok(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule));
        } else {
            builtins[i]->defaults(target, &settings);
            assert_ok(ctx, builtins[i]->define(ctx, target, &settings, &definition));
            assert_ok(ctx, swp_compile_schedule(ctx, &definition, &schedule));
        }
        assert_string_equal(schedule->name, builtins[i]->name);
        swp_schedule_free(schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernels_are_found_by_name),
        cmocka_unit_test(each_has_its_own_defaults),
        CONTEXT_TEST(each_defines_a_schedule_that_compiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
