/* SPDX-License-Identifier: Apache-2.0 */
/* Pipeline4Wave (docs/descriptions.md, "Built-ins"), with the published numbers. */
#include "fixture.h"
#include "ops.h"
#include "swp/kernels.h"

static const char *const mini_iterations =
    "LA00@k0 FB01 M00 LB00@k0 FA01 M01 LB01@k0 FA10 M10 LA01@k0 FB10 M11 "
    "LA10@k1 FB11 M00 LB10@k1 FA11 M01 LB11@k1 FA00 M10 LA11@k1 FB00 M11";

static swp_pipeline_4wave kernel_of(swp_context *ctx, const swp_schedule_config *schedule)
{
    swp_pipeline_4wave kernel;
    const swp_kernel_geometry geometry = {
        .vm_per_load_a = 9, .vm_per_load_b = 9, .lgkm_per_load_a = 4, .lgkm_per_load_b = 4};
    assert_ok(ctx, swp_pipeline_4wave_init(ctx, &kernel, &geometry, schedule, NULL));
    return kernel;
}

static swp_schedule *compile(swp_context *ctx)
{
    swp_schedule *schedule = NULL;
    const swp_pipeline_4wave kernel = kernel_of(ctx, NULL);
    const swp_pipeline_schedule definition = swp_pipeline_4wave_schedule(&kernel);
    assert_ok(ctx, swp_compile_schedule(ctx, &definition, &schedule));
    return schedule;
}

static void declare_ops_gives_24_logical_ops(void **state)
{
    swp_context *ctx = *state;
    swp_op_list ops = {0};
    const swp_cost_model model = swp_mi355x_cost_model();
    assert_ok(ctx, swp_pipeline_4wave_declare_ops(ctx, &ops));
    assert_int_equal(ops.count, 24);
    for (size_t i = 0; i < ops.count; i++) {
        assert_int_equal(ops.items[i].role, SWP_ROLE_NONE);
        assert_int_equal(ops.items[i].latency, 0);
    }
    swp_annotate_ops(ops.items, ops.count, &model);
    assert_ops(&ops, mini_iterations);
}

/* lgkm 4/4 from the geometry, vm 4/4 from the target. */
static void the_third_row_of_section_9_is_hit(void **state)
{
    swp_schedule *s = compile(*state);
    int counts[2][2] = {{0}};
    assert_ops(&s->body, mini_iterations);
    for (size_t i = 0; i < s->edges.count; i++)
        counts[s->edges.items[i].kind][s->edges.items[i].distance > 0]++;
    assert_int_equal(counts[SWP_FLOW][0], 16);
    assert_int_equal(counts[SWP_FLOW][1], 24);
    assert_int_equal(counts[SWP_ANTI][0], 24);
    assert_int_equal(counts[SWP_ANTI][1], 0);
    assert_int_equal(s->streams[0].prologue.count, 14);
    assert_int_equal(s->streams[0].kernel.count, 48);
    assert_int_equal(s->streams[0].epilogue.count, 32);
    assert_int_equal(s->kernel_deps.count, 8);
    assert_int_equal(s->warp_stagger_index, 15);
    swp_schedule_free(s);
}

/* 8 prefetch loads of 4: 28 left after the first, 24 after the second. */
static void the_prologue_ends_with_the_bootstrap_fragments(void **state)
{
    swp_schedule *s = compile(*state);
    assert_entries(&s->streams[0].prologue,
                   "LA00@k0 LB00@k0 LB01@k0 LA01@k0 LA10@k1 LB10@k1 LB11@k1 LA11@k1 "
                   "vm28 bar FA00 vm24 bar FB00");
    swp_schedule_free(s);
}

static void the_rotation_forces_its_invariants_and_warns(void **state)
{
    swp_context *ctx = *state;
    swp_schedule_config schedule = swp_schedule_config_default();
    schedule.scheduling = SWP_CSP;
    const swp_pipeline_4wave kernel = kernel_of(ctx, &schedule);
    assert_int_equal(kernel.options.schedule.scheduling, SWP_IDENTITY);
    assert_true(kernel.options.schedule.minimal_barriers);
    assert_true(kernel.options.schedule.omit_mma_set_prio);
    assert_true(kernel.options.schedule.inter_block_lgkm_drain);
    assert_true(kernel.options.schedule.partial_prologue_drain);
    assert_true(kernel.options.target.pipeline.cross_stage_rotation);
    assert_int_equal(kernel.options.target.pipeline.warp_stagger.rule, SWP_STAGGER_NONE);
    assert_int_equal(kernel.options.target.pipeline.lgkm_per_load_a, 4);
    assert_int_equal(kernel.options.target.pipeline.vm_per_load_a, 4);
    assert_diag(ctx, "W0203", "scheduling");
    assert_diag(ctx, "W0203", "minimal_barriers");
}

static void the_defaults_force_nothing_and_warn_of_nothing(void **state)
{
    swp_context *ctx = *state;
    size_t count = 1;
    (void)kernel_of(ctx, NULL);
    (void)swp_context_diags(ctx, &count);
    assert_int_equal(count, 0);
    const swp_schedule_config own = swp_pipeline_4wave_default_schedule_config();
    (void)kernel_of(ctx, &own);
    (void)swp_context_diags(ctx, &count);
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(declare_ops_gives_24_logical_ops),
        CONTEXT_TEST(the_third_row_of_section_9_is_hit),
        CONTEXT_TEST(the_prologue_ends_with_the_bootstrap_fragments),
        CONTEXT_TEST(the_rotation_forces_its_invariants_and_warns),
        CONTEXT_TEST(the_defaults_force_nothing_and_warn_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
