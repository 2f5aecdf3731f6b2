/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults, strategies and derived figures (docs/settings.md). */
#include "fixture.h"
#include "ops.h"
#include "swp/config.h"
#include "swp/reference.h"

static void block_sizing_is_4_2_0_by_default_and_uniform_is_n_n_0(void **state)
{
    (void)state;
    const swp_block_sizing standard = swp_block_sizing_default();
    assert_int_equal(standard.heavy, 4);
    assert_int_equal(standard.light, 2);
    assert_int_equal(standard.max_globals, 0);
    const swp_block_sizing uniform = swp_block_sizing_uniform(3);
    assert_int_equal(uniform.heavy, 3);
    assert_int_equal(uniform.light, 3);
    assert_int_equal(uniform.max_globals, 0);
}

static void a_schedule_config_has_the_published_defaults(void **state)
{
    (void)state;
    const swp_schedule_config c = swp_schedule_config_default();
    assert_int_equal(c.scheduling, SWP_IDENTITY);
    assert_int_equal(c.sched_barrier_mask, 0x55);
    assert_true(c.auto_waits);
    assert_int_equal(c.drain_lgkm_mask, 0);
    assert_false(c.auto_drain);
    assert_int_equal(c.lds_contention_penalty, 0);
    assert_int_equal(c.wait_lgkm_first, 8);
    assert_int_equal(c.wait_vm_last, 6);
    assert_int_equal(c.lgkm_per_load_a, 0);
    assert_int_equal(c.lgkm_per_load_b, 0);
    assert_false(c.lgkm_after_last);
    assert_false(c.minimal_barriers);
    assert_false(c.omit_mma_set_prio);
    assert_int_equal(c.max_vgpr, 999999);
    assert_false(c.global_before_frag);
    assert_false(c.barrier_before_pre_ops);
    assert_false(c.inter_block_lgkm_drain);
    assert_false(c.partial_prologue_drain);
    assert_false(c.wrap_waits_with_sched_barrier);
}

static void minimal_no_set_prio_has_minimal_barriers_and_its_own_mask(void **state)
{
    (void)state;
    const swp_barrier_strategy s = swp_barrier_strategy_minimal_no_set_prio(0);
    assert_int_equal(s.sched_barrier_mask, 0);
    assert_true(s.minimal_barriers);
    assert_true(s.omit_mma_set_prio);
    assert_false(s.barrier_before_pre_ops);
    assert_false(s.wrap_waits_with_sched_barrier);
    assert_int_equal(swp_barrier_strategy_minimal_no_set_prio(5).sched_barrier_mask, 5);
}

static void auto_with_inter_block_drain_is_the_default_and_the_drain(void **state)
{
    (void)state;
    const swp_wait_strategy s = swp_wait_strategy_auto_with_inter_block_drain();
    assert_true(s.auto_waits);
    assert_true(s.inter_block_lgkm_drain);
    assert_int_equal(s.wait_lgkm_first, 8);
    assert_int_equal(s.wait_vm_last, 6);
    assert_false(s.lgkm_after_last);
    assert_false(s.partial_prologue_drain);
}

/* Every strategy field away from its default, so that each must be carried over. */
static void from_strategies_joins_every_field(void **state)
{
    (void)state;
    const swp_barrier_strategy barrier = {.sched_barrier_mask = 3,
                                          .minimal_barriers = true,
                                          .omit_mma_set_prio = true,
                                          .barrier_before_pre_ops = true,
                                          .wrap_waits_with_sched_barrier = true};
    const swp_wait_strategy wait = {.auto_waits = false,
                                    .wait_lgkm_first = 11,
                                    .wait_vm_last = 12,
                                    .lgkm_per_load_a = 13,
                                    .lgkm_per_load_b = 14,
                                    .lgkm_after_last = true,
                                    .inter_block_lgkm_drain = true,
                                    .partial_prologue_drain = true};
    const swp_load_strategy load = {.drain_lgkm_mask = 9,
                                    .auto_drain = true,
                                    .global_before_frag = true,
                                    .lds_contention_penalty = 15};
    const swp_schedule_config c =
        swp_schedule_config_from_strategies(SWP_CSP, &barrier, &wait, &load);
    assert_int_equal(c.scheduling, SWP_CSP);
    assert_int_equal(c.max_vgpr, 999999);
    assert_int_equal(c.sched_barrier_mask, 3);
    assert_true(c.minimal_barriers && c.omit_mma_set_prio && c.barrier_before_pre_ops &&
                c.wrap_waits_with_sched_barrier);
    assert_false(c.auto_waits);
    assert_int_equal(c.wait_lgkm_first, 11);
    assert_int_equal(c.wait_vm_last, 12);
    assert_int_equal(c.lgkm_per_load_a, 13);
    assert_int_equal(c.lgkm_per_load_b, 14);
    assert_true(c.lgkm_after_last && c.inter_block_lgkm_drain && c.partial_prologue_drain);
    assert_int_equal(c.drain_lgkm_mask, 9);
    assert_true(c.auto_drain && c.global_before_frag);
    assert_int_equal(c.lds_contention_penalty, 15);
}

static void default_strategies_join_to_the_default_config(void **state)
{
    (void)state;
    const swp_barrier_strategy barrier = swp_barrier_strategy_default();
    const swp_wait_strategy wait = swp_wait_strategy_default();
    const swp_load_strategy load = swp_load_strategy_default();
    const swp_schedule_config c =
        swp_schedule_config_from_strategies(SWP_IDENTITY, &barrier, &wait, &load);
    assert_int_equal(c.sched_barrier_mask, 0x55);
    assert_true(c.auto_waits);
    assert_int_equal(c.wait_lgkm_first, 8);
    assert_int_equal(c.wait_vm_last, 6);
}

static void loop_carried_and_stagger_have_their_factories(void **state)
{
    (void)state;
    assert_int_equal(swp_loop_carried_fragment_zero().role, SWP_FRAGMENT_LOAD);
    assert_int_equal(swp_loop_carried_fragment_zero().selector, 0);
    assert_int_equal(swp_loop_carried_none().role, SWP_ROLE_NONE);
    assert_int_equal(swp_loop_carried_none().selector, 0);
    assert_int_equal(swp_warp_stagger_none().rule, SWP_STAGGER_NONE);
    assert_int_equal(swp_warp_stagger_auto().rule, SWP_STAGGER_AUTO);
    assert_int_equal(swp_warp_stagger_fixed(6).rule, SWP_STAGGER_FIXED);
    assert_int_equal(swp_warp_stagger_fixed(6).amount, 6);
}

/* 2x2: 4 MMAs, 4 loads, 4 fragments: 12 ops a half. h*8 + 8 + 2*h*4 + 2*7 = 54 edges. */
static void derived_figures_of_2x2_are_those_of_the_page(void **state)
{
    (void)state;
    const swp_pipeline_config c = swp_pipeline_config_default();
    assert_int_equal(swp_mmas_per_partition(&c), 4);
    assert_int_equal(swp_globals_per_partition(&c), 4);
    assert_int_equal(swp_frags_per_partition(&c), 4);
    assert_int_equal(swp_ops_per_partition(&c), 12);
    assert_int_equal(swp_total_ops(&c), 24);
    assert_int_equal(swp_blocks_per_partition(&c), 4);
    assert_int_equal(swp_total_blocks(&c), 8);
    assert_int_equal(swp_total_edges(&c), 54);
}

/* 3x1, one partition: 3 MMAs, 4 loads, 4 fragments. 1*6 + 6 + 2*4 + 2*7 = 34 edges. */
static void derived_figures_follow_rows_columns_and_partitions(void **state)
{
    (void)state;
    swp_pipeline_config c = swp_pipeline_config_default();
    c.m_mmas = 3;
    c.n_mmas = 1;
    c.num_partitions = 1;
    assert_int_equal(swp_mmas_per_partition(&c), 3);
    assert_int_equal(swp_globals_per_partition(&c), 4);
    assert_int_equal(swp_ops_per_partition(&c), 11);
    assert_int_equal(swp_total_ops(&c), 11);
    assert_int_equal(swp_total_blocks(&c), 3);
    assert_int_equal(swp_total_edges(&c), 34);
}

static void the_match_key_is_the_row_or_the_column_that_the_config_says(void **state)
{
    (void)state;
    swp_pipeline_config c = swp_pipeline_config_default();
    const swp_op mma = mma_op(3, 7);
    c.ch0_match_field = 0;
    c.ch1_match_field = 1;
    assert_int_equal(swp_compute_match_key(&c, &mma, 0), 3);
    assert_int_equal(swp_compute_match_key(&c, &mma, 1), 7);
    c.ch0_match_field = 1;
    c.ch1_match_field = 0;
    assert_int_equal(swp_compute_match_key(&c, &mma, 0), 7);
    assert_int_equal(swp_compute_match_key(&c, &mma, 1), 3);
}

static void counts_of_channel_0_are_a_and_of_any_other_b(void **state)
{
    (void)state;
    swp_pipeline_config c = swp_pipeline_config_default();
    c.vm_per_load_a = 1;
    c.vm_per_load_b = 2;
    c.lgkm_per_load_a = 3;
    c.lgkm_per_load_b = 4;
    assert_int_equal(swp_vm_per_channel(&c, 0), 1);
    assert_int_equal(swp_vm_per_channel(&c, 1), 2);
    assert_int_equal(swp_vm_per_channel(&c, -1), 2);
    assert_int_equal(swp_lgkm_per_channel(&c, 0), 3);
    assert_int_equal(swp_lgkm_per_channel(&c, 1), 4);
    assert_int_equal(swp_lgkm_per_channel(&c, -1), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_sizing_is_4_2_0_by_default_and_uniform_is_n_n_0),
        cmocka_unit_test(a_schedule_config_has_the_published_defaults),
        cmocka_unit_test(minimal_no_set_prio_has_minimal_barriers_and_its_own_mask),
        cmocka_unit_test(auto_with_inter_block_drain_is_the_default_and_the_drain),
        cmocka_unit_test(from_strategies_joins_every_field),
        cmocka_unit_test(default_strategies_join_to_the_default_config),
        cmocka_unit_test(loop_carried_and_stagger_have_their_factories),
        cmocka_unit_test(derived_figures_of_2x2_are_those_of_the_page),
        cmocka_unit_test(derived_figures_follow_rows_columns_and_partitions),
        cmocka_unit_test(the_match_key_is_the_row_or_the_column_that_the_config_says),
        cmocka_unit_test(counts_of_channel_0_are_a_and_of_any_other_b),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
