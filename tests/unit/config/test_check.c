/* SPDX-License-Identifier: Apache-2.0 */
/* Contradictions and overridden settings (docs/descriptions.md, "What cannot be combined"). */
#include "fixture.h"
#include "swp/config.h"

#include <string.h>

static void depth_and_partitions_are_1_and_1_or_2_and_2(void **state)
{
    swp_context *ctx = *state;
    for (int depth = 1; depth <= 4; depth++)
        for (int partitions = 1; partitions <= 4; partitions++) {
            swp_pipeline_config config = swp_pipeline_config_default();
            config.depth = depth;
            config.num_partitions = partitions;
            swp_context_clear_diags(ctx);
            const bool taken = depth == partitions && depth <= 2;
            assert_status(ctx, swp_pipeline_config_check(ctx, &config),
                          taken ? SWP_OK : SWP_INVALID);
            if (!taken)
                assert_diag(ctx, "E0202", NULL);
        }
}

static void a_depth_of_3_points_to_the_loops_of_page_3(void **state)
{
    swp_context *ctx = *state;
    swp_pipeline_config config = swp_pipeline_config_default();
    size_t count = 0;
    config.depth = 3;
    config.num_partitions = 3;
    assert_status(ctx, swp_pipeline_config_check(ctx, &config), SWP_INVALID);
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_int_equal(count, 1);
    assert_non_null(strstr(diags[0].hint, "loop"));
}

static void omit_set_prio_needs_minimal_barriers(void **state)
{
    swp_context *ctx = *state;
    swp_schedule_config config = swp_schedule_config_default();
    config.omit_mma_set_prio = true;
    assert_status(ctx, swp_schedule_config_check(ctx, &config), SWP_INVALID);
    assert_diag(ctx, "E0203", "omit_mma_set_prio");
    assert_diag(ctx, "E0203", "minimal_barriers");
    swp_context_clear_diags(ctx);
    config.minimal_barriers = true;
    assert_ok(ctx, swp_schedule_config_check(ctx, &config));
}

static void expect_refused(swp_context *ctx, const swp_schedule_config *config, const char *name)
{
    swp_context_clear_diags(ctx);
    assert_status(ctx, swp_schedule_config_check(ctx, config), SWP_INVALID);
    assert_diag(ctx, "E0201", name);
    assert_diag(ctx, "E0201", "-1");
}

static void negative_waits_counts_and_latencies_are_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule_config config = swp_schedule_config_default();
#define REFUSED(field)                                                                             \
    config.field = -1;                                                                             \
    expect_refused(ctx, &config, #field);                                                          \
    config = swp_schedule_config_default()
    REFUSED(wait_lgkm_first);
    REFUSED(wait_vm_last);
    REFUSED(lgkm_per_load_a);
    REFUSED(lgkm_per_load_b);
    REFUSED(lds_contention_penalty);
    REFUSED(max_vgpr);
#undef REFUSED
}

static void negative_pipeline_counts_are_refused_each_with_its_name(void **state)
{
    swp_context *ctx = *state;
    swp_pipeline_config config = swp_pipeline_config_default();
    config.vm_per_load_a = -1;
    config.mma_latency = -2;
    config.m_mmas = 0;
    config.block_sizing.max_globals = -3;
    assert_status(ctx, swp_pipeline_config_check(ctx, &config), SWP_INVALID);
    assert_diag(ctx, "E0201", "vm_per_load_a");
    assert_diag(ctx, "E0201", "mma_latency");
    assert_diag(ctx, "E0201", "m_mmas");
    assert_diag(ctx, "E0201", "max_globals");
    swp_context_clear_diags(ctx);
    config = swp_pipeline_config_default();
    config.warp_stagger = swp_warp_stagger_fixed(-1);
    assert_status(ctx, swp_pipeline_config_check(ctx, &config), SWP_INVALID);
}

static void expect_warned(swp_context *ctx, const swp_schedule_config *config, const char *code,
                          const char *name)
{
    swp_context_clear_diags(ctx);
    assert_ok(ctx, swp_schedule_config_check(ctx, config));
    if (!code) {
        size_t count = 0;
        (void)swp_context_diags(ctx, &count);
        assert_int_equal(count, 0);
        return;
    }
    assert_false(has_error(ctx));
    assert_diag(ctx, code, name);
}

static void manual_waits_beside_auto_waits_are_warned_of(void **state)
{
    swp_schedule_config config = swp_schedule_config_default();
    expect_warned(*state, &config, NULL, NULL);
    config.wait_lgkm_first = 3;
    expect_warned(*state, &config, "W0201", "wait_lgkm_first");
    config.auto_waits = false;
    expect_warned(*state, &config, NULL, NULL);
    config = swp_schedule_config_default();
    config.wait_vm_last = 3;
    expect_warned(*state, &config, "W0201", "wait_vm_last");
}

static void a_manual_drain_mask_beside_auto_drain_is_warned_of(void **state)
{
    swp_schedule_config config = swp_schedule_config_default();
    config.drain_lgkm_mask = 1;
    expect_warned(*state, &config, NULL, NULL);
    config.auto_drain = true;
    expect_warned(*state, &config, "W0201", "drain_lgkm_mask");
}

static void lgkm_after_last_beside_minimal_barriers_is_warned_of(void **state)
{
    swp_schedule_config config = swp_schedule_config_default();
    config.lgkm_after_last = true;
    expect_warned(*state, &config, NULL, NULL);
    config.minimal_barriers = true;
    expect_warned(*state, &config, "W0201", "lgkm_after_last");
}

static void auto_drain_without_auto_waits_is_warned_of(void **state)
{
    swp_schedule_config config = swp_schedule_config_default();
    config.auto_drain = true;
    expect_warned(*state, &config, NULL, NULL);
    config.auto_waits = false;
    expect_warned(*state, &config, "W0202", "auto_drain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(depth_and_partitions_are_1_and_1_or_2_and_2),
        CONTEXT_TEST(a_depth_of_3_points_to_the_loops_of_page_3),
        CONTEXT_TEST(omit_set_prio_needs_minimal_barriers),
        CONTEXT_TEST(negative_waits_counts_and_latencies_are_refused),
        CONTEXT_TEST(negative_pipeline_counts_are_refused_each_with_its_name),
        CONTEXT_TEST(manual_waits_beside_auto_waits_are_warned_of),
        CONTEXT_TEST(a_manual_drain_mask_beside_auto_drain_is_warned_of),
        CONTEXT_TEST(lgkm_after_last_beside_minimal_barriers_is_warned_of),
        CONTEXT_TEST(auto_drain_without_auto_waits_is_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
