/* SPDX-License-Identifier: Apache-2.0 */
/* The published numbers of MI355X. */
#include "fixture.h"
#include "swp/target.h"

static void expect_cost(const swp_cost_model *model, int tag, swp_op_cost expected)
{
    const swp_op_cost *found = &model->costs[tag];
    assert_int_equal(found->resource, expected.resource);
    assert_int_equal(found->latency, expected.latency);
    assert_int_equal(found->role, expected.role);
    assert_int_equal(found->vgpr_def, expected.vgpr_def);
    assert_int_equal(found->vgpr_kill, expected.vgpr_kill);
}

static void double_buffer_costs_are_the_published_ones(void **state)
{
    (void)state;
    const swp_cost_model model = swp_mi355x_cost_model();
    const swp_op_cost load = {SWP_GLOBAL_MEM, 200, SWP_GLOBAL_LOAD, 0, 0};
    const swp_op_cost mma = {SWP_MMA_UNIT, 16, SWP_COMPUTE, 4, 0};
    const swp_op_cost frag = {SWP_LDS, 20, SWP_FRAGMENT_LOAD, 8, 0};
    const swp_op_cost expected[] = {load, load, mma, frag, frag, mma};
    for (int tag = 0; tag < 6; tag++)
        expect_cost(&model, tag, expected[tag]);
    for (int tag = 6; tag < SWP_KERNEL_TAGS; tag++)
        expect_cost(&model, tag, swp_op_cost_none());
}

static void single_buffer_costs_are_the_published_ones(void **state)
{
    (void)state;
    const swp_cost_model model = swp_mi355x_single_buffer_cost_model();
    expect_cost(&model, 0, (swp_op_cost){SWP_GLOBAL_MEM, 200, SWP_GLOBAL_LOAD, 0, 0});
    expect_cost(&model, 1, (swp_op_cost){SWP_LDS, 20, SWP_SHARED_STORE, 0, 0});
    expect_cost(&model, 2, (swp_op_cost){SWP_LDS, 20, SWP_FRAGMENT_LOAD, 4, 0});
    expect_cost(&model, 3, (swp_op_cost){SWP_MMA_UNIT, 64, SWP_COMPUTE, 16, 0});
    for (int tag = 4; tag < SWP_KERNEL_TAGS; tag++)
        expect_cost(&model, tag, swp_op_cost_none());
}

/* What both pipelines share. */
static void expect_common(const swp_pipeline_config *c)
{
    assert_int_equal(c->prefetch, 1);
    assert_int_equal(c->drain_passes, 2);
    assert_int_equal(c->block_sizing.heavy, 4);
    assert_int_equal(c->block_sizing.light, 2);
    assert_int_equal(c->frag_order, SWP_B_BEFORE_A);
    assert_int_equal(c->m_mmas, 2);
    assert_int_equal(c->n_mmas, 2);
    assert_true(c->mma_serial);
    assert_int_equal(c->mma_latency, 16);
    assert_int_equal(c->ch0_match_field, 0);
    assert_int_equal(c->ch1_match_field, 1);
    assert_int_equal(c->lgkm_per_load_a, 0);
    assert_int_equal(c->lgkm_per_load_b, 0);
    assert_false(c->cross_stage_rotation);
}

static void the_double_buffer_pipeline_is_the_published_one(void **state)
{
    (void)state;
    const swp_pipeline_config c = swp_mi355x_double_buffer(3, 5, 2);
    expect_common(&c);
    assert_int_equal(c.depth, 2);
    assert_int_equal(c.num_partitions, 2);
    assert_int_equal(c.prologue_fill, 1);
    assert_int_equal(c.loop_carried.role, SWP_ROLE_NONE);
    assert_int_equal(c.block_sizing.max_globals, 2);
    assert_int_equal(c.vm_per_load_a, 3);
    assert_int_equal(c.vm_per_load_b, 5);
    assert_int_equal(c.warp_stagger.rule, SWP_STAGGER_AUTO);
}

static void the_single_buffer_pipeline_is_the_published_one(void **state)
{
    (void)state;
    const swp_pipeline_config c = swp_mi355x_single_buffer();
    expect_common(&c);
    assert_int_equal(c.depth, 1);
    assert_int_equal(c.num_partitions, 1);
    assert_int_equal(c.prologue_fill, 0);
    assert_int_equal(c.loop_carried.role, SWP_FRAGMENT_LOAD);
    assert_int_equal(c.loop_carried.selector, 0);
    assert_int_equal(c.block_sizing.max_globals, 0);
    assert_int_equal(c.vm_per_load_a, 4);
    assert_int_equal(c.vm_per_load_b, 4);
    assert_int_equal(c.warp_stagger.rule, SWP_STAGGER_NONE);
}

static void the_profiles_join_costs_and_pipeline(void **state)
{
    (void)state;
    const swp_target_profile both = swp_mi355x_target(4, 4, 1);
    const swp_target_profile single = swp_mi355x_single_buffer_target();
    expect_cost(&both.cost_model, 5, (swp_op_cost){SWP_MMA_UNIT, 16, SWP_COMPUTE, 4, 0});
    assert_int_equal(both.pipeline.depth, 2);
    assert_int_equal(both.pipeline.block_sizing.max_globals, 1);
    expect_cost(&single.cost_model, 3, (swp_op_cost){SWP_MMA_UNIT, 64, SWP_COMPUTE, 16, 0});
    assert_int_equal(single.pipeline.depth, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_buffer_costs_are_the_published_ones),
        cmocka_unit_test(single_buffer_costs_are_the_published_ones),
        cmocka_unit_test(the_double_buffer_pipeline_is_the_published_one),
        cmocka_unit_test(the_single_buffer_pipeline_is_the_published_one),
        cmocka_unit_test(the_profiles_join_costs_and_pipeline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
