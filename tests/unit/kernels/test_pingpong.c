/* SPDX-License-Identifier: Apache-2.0 */
/* Ping-pong (docs/descriptions.md, "Built-ins"), with the published numbers. */
#include "fixture.h"
#include "ops.h"
#include "swp/kernels.h"

static swp_schedule *compile(swp_context *ctx, int lgkm, int max_globals)
{
    swp_pingpong kernel;
    swp_schedule *schedule = NULL;
    swp_pingpong_init(&kernel);
    kernel.options.schedule.lgkm_per_load_a = lgkm;
    kernel.options.schedule.lgkm_per_load_b = lgkm;
    kernel.options.target.pipeline.block_sizing.max_globals = max_globals;
    const swp_pipeline_schedule definition = swp_pingpong_schedule(&kernel);
    assert_ok(ctx, swp_compile_schedule(ctx, &definition, &schedule));
    return schedule;
}

static void expect_edge_counts(const swp_schedule *s, int flow0, int flow1, int anti0)
{
    int counts[3][2] = {{0}};
    for (size_t i = 0; i < s->edges.count; i++)
        counts[s->edges.items[i].kind][s->edges.items[i].distance > 0]++;
    assert_int_equal(counts[SWP_FLOW][0], flow0);
    assert_int_equal(counts[SWP_FLOW][1], flow1);
    assert_int_equal(counts[SWP_ANTI][0], anti0);
    assert_int_equal(counts[SWP_ANTI][1], 0);
}

static void the_first_row_of_section_9_is_hit(void **state)
{
    swp_schedule *s = compile(*state, 8, 1);
    assert_int_equal(s->body.count, 24);
    expect_edge_counts(s, 22, 18, 14);
    assert_int_equal(s->streams[0].prologue.count, 10);
    assert_int_equal(s->streams[0].kernel.count, 70);
    assert_int_equal(s->streams[0].epilogue.count, 58);
    assert_int_equal(s->kernel_deps.count, 8);
    assert_int_equal(s->warp_stagger_index, 4);
    assert_int_equal(s->metrics.makespan, 420);
    assert_int_equal(s->metrics.lower_bound, 420);
    assert_int_equal(s->metrics.vgpr_peak, 96);
    assert_true(s->metrics.optimal);
    assert_int_equal(s->metrics.wait_lgkm_first, 8);
    assert_int_equal(s->metrics.wait_vm_last, 12);
    swp_schedule_free(s);
}

static void the_second_row_of_section_9_is_hit(void **state)
{
    swp_schedule *s = compile(*state, 4, 0);
    expect_edge_counts(s, 22, 18, 14);
    assert_int_equal(s->streams[0].prologue.count, 10);
    assert_int_equal(s->streams[0].kernel.count, 70);
    assert_int_equal(s->streams[0].epilogue.count, 57);
    assert_int_equal(s->kernel_deps.count, 8);
    assert_int_equal(s->warp_stagger_index, 4);
    swp_schedule_free(s);
}

static void the_body_is_the_published_list_interleaved(void **state)
{
    swp_schedule *s = compile(*state, 8, 1);
    assert_ops(&s->body, "FB00 FA00 LA11@k_prev M00 FB01 LA00@k0 M01 FA01 LB00@k0 M10 LB01@k0 M11 "
                         "FB10 FA10 LA01@k0 M00 FB11 LA10@k1 M01 FA11 LB10@k1 M10 LB11@k1 M11");
    swp_schedule_free(s);
}

/* Stage 0 in block order is A0, B0, B1 of half 0, then A1 of half 1. */
static void the_prologue_takes_prefetches_of_both_halves(void **state)
{
    swp_schedule *s = compile(*state, 8, 1);
    assert_int_equal(count_tag(&s->streams[0].prologue, SWP_LOAD_A), 3);
    assert_int_equal(count_tag(&s->streams[0].prologue, SWP_LOAD_B), 4);
    assert_int_equal(s->streams[0].prologue.items[4].op.tag, SWP_TAG_WAIT_VM);
    assert_int_equal(s->streams[0].prologue.items[5].op.tag, SWP_TAG_BARRIER);
    assert_int_equal(s->streams[0].prologue.items[9].op.tag, SWP_TAG_WAIT_VM);
    swp_schedule_free(s);
}

static void defaults_are_csp_auto_waits_and_mi355x(void **state)
{
    (void)state;
    swp_pingpong kernel;
    swp_pingpong_init(&kernel);
    assert_int_equal(kernel.options.schedule.scheduling, SWP_CSP);
    assert_true(kernel.options.schedule.auto_waits);
    assert_int_equal(kernel.options.target.pipeline.vm_per_load_a, 4);
    assert_int_equal(kernel.options.target.pipeline.vm_per_load_b, 4);
    assert_int_equal(kernel.options.target.pipeline.block_sizing.max_globals, 1);
    assert_int_equal(kernel.options.target.cost_model.costs[0].latency, 200);
    assert_int_equal(kernel.options.machine.groups, 2);
    assert_int_equal(kernel.options.machine.barrier, SWP_BARRIER_RAW);
}

static void ops_have_the_published_names(void **state)
{
    static const char *const names[] = {"LOAD_A",     "LOAD_B",     "COMPUTE",
                                        "MMA_LOAD_A", "MMA_LOAD_B", "MMA"};
    swp_schedule *s = compile(*state, 8, 1);
    for (int tag = 0; tag < 6; tag++)
        assert_string_equal(swp_schedule_op_name(s, tag), names[tag]);
    assert_string_equal(swp_schedule_op_name(s, 128), "barrier");
    swp_schedule_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_first_row_of_section_9_is_hit),
        CONTEXT_TEST(the_second_row_of_section_9_is_hit),
        CONTEXT_TEST(the_body_is_the_published_list_interleaved),
        CONTEXT_TEST(the_prologue_takes_prefetches_of_both_halves),
        cmocka_unit_test(defaults_are_csp_auto_waits_and_mi355x),
        CONTEXT_TEST(ops_have_the_published_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
