/* SPDX-License-Identifier: Apache-2.0 */
/* build_kernel_program (docs/schedules.md, "The way of a body"). */
#include "fixture.h"
#include "ops.h"
#include "swp/program.h"

/* 1x2 with A loads of 5 in first blocks: lgkm 5; vm: half 0 keeps 4 (A0), half 1 keeps 4 + 4. */
static swp_op_list body_of(swp_op ops[10])
{
    const swp_op body[10] = {load_op(0, 1, 0, SWP_K_PREV),
                             frag_op(0, 0, 0),
                             mma_op(0, 0),
                             load_op(0, 0, 0, SWP_K0),
                             mma_op(0, 1),
                             load_op(0, 1, 0, SWP_K1),
                             frag_op(0, 1, 0),
                             mma_op(0, 0),
                             load_op(1, 0, 0, SWP_K0),
                             mma_op(0, 1)};
    for (int i = 0; i < 10; i++)
        ops[i] = body[i];
    return (swp_op_list){ops, 10, 10};
}

static swp_pipeline_config config_of(void)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.m_mmas = 1;
    config.lgkm_per_load_a = 5;
    config.lgkm_per_load_b = 5;
    return config;
}

static swp_built_program build(swp_context *ctx, const swp_schedule_config *sched)
{
    swp_op ops[10];
    swp_built_program built;
    const swp_op_list body = body_of(ops);
    const swp_pipeline_config config = config_of();
    swp_context_clear_diags(ctx);
    assert_ok(ctx,
              swp_build_kernel_program(ctx, body.items, body.count, &config, sched, NULL, &built));
    return built;
}

static void expect_wait(const swp_op *found, swp_op expected)
{
    if (!same_op(found, &expected))
        fail_msg("wait is tag %d, value %d; not tag %d, value %d", found->tag, found->wait_value,
                 expected.tag, expected.wait_value);
}

static void auto_waits_patch_the_first_and_last_block_of_each_half(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    const int firsts[] = {8, 255};
    for (int i = 0; i < 2; i++) {
        sched.wait_lgkm_first = firsts[i];
        const swp_built_program built = build(*state, &sched);
        assert_int_equal(built.waits.wait_lgkm_first, 5);
        assert_int_equal(built.waits.wait_vm_last, 4);
        for (int half = 0; half < 2; half++) {
            expect_wait(&built.program.blocks.items[2 * half].pre_sync, swp_op_wait_lgkm(5));
            expect_wait(&built.program.blocks.items[2 * half + 1].pre_sync, swp_op_wait_vm(4));
        }
    }
}

static void a_barrier_before_the_loads_makes_the_first_wait_0(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    sched.barrier_before_pre_ops = true;
    const swp_built_program built = build(*state, &sched);
    expect_wait(&built.program.blocks.items[0].pre_sync, swp_op_wait_lgkm(0));
    assert_int_equal(built.waits.wait_lgkm_first, 5);
}

static void manual_waits_are_used_as_they_are(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    sched.auto_waits = false;
    sched.wait_lgkm_first = 30;
    sched.wait_vm_last = 2;
    const swp_built_program built = build(*state, &sched);
    assert_int_equal(built.waits.wait_lgkm_first, 30);
    assert_int_equal(built.waits.wait_vm_last, 2);
    expect_wait(&built.program.blocks.items[0].pre_sync, swp_op_wait_lgkm(30));
    expect_wait(&built.program.blocks.items[3].pre_sync, swp_op_wait_vm(2));
}

/* Half 0 reads stage 1 in its first block. */
static void minimal_barriers_take_the_derived_wait_on_entry(void **state)
{
    swp_context *ctx = *state;
    swp_op ops[10];
    swp_built_program built;
    const swp_op_list body = body_of(ops);
    swp_pipeline_config config = config_of();
    swp_schedule_config sched = swp_schedule_config_default();
    ops[1].stage = 1;
    config.cross_stage_rotation = true;
    sched.minimal_barriers = true;
    assert_ok(ctx,
              swp_build_kernel_program(ctx, body.items, body.count, &config, &sched, NULL, &built));
    const swp_mma_block *b = built.program.blocks.items;
    expect_wait(&b[0].entry_wait_lgkm, swp_op_wait_lgkm(5));
    expect_wait(&b[0].pre_sync, swp_op_none());
    expect_wait(&b[2].entry_wait_lgkm, swp_op_none());
    expect_wait(&b[2].pre_sync, swp_op_wait_lgkm(5));
}

static void in_a_half_of_one_block_the_vm_wait_wins(void **state)
{
    swp_context *ctx = *state;
    swp_built_program built;
    swp_pipeline_config config = config_of();
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_op_list body =
        OPS(load_op(0, 1, 0, SWP_K_PREV), mma_op(0, 0), load_op(0, 0, 0, SWP_K0), mma_op(0, 0));
    config.n_mmas = 1;
    assert_ok(ctx,
              swp_build_kernel_program(ctx, body.items, body.count, &config, &sched, NULL, &built));
    expect_wait(&built.program.blocks.items[0].pre_sync, swp_op_wait_vm(0));
    expect_wait(&built.program.blocks.items[1].pre_sync, swp_op_wait_vm(0));
}

/* Fragments and first loads are of one channel everywhere: the derived mask is 0. */
static void auto_drain_replaces_the_mask_where_waits_are_automatic(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    sched.drain_lgkm_mask = 0x1;
    assert_true(build(*state, &sched).program.blocks.items[0].drain_lgkm_before_loads);
    sched.auto_drain = true;
    assert_false(build(*state, &sched).program.blocks.items[0].drain_lgkm_before_loads);
    sched.auto_waits = false;
    assert_true(build(*state, &sched).program.blocks.items[0].drain_lgkm_before_loads);
}

static void redistribution_follows_max_globals(void **state)
{
    swp_context *ctx = *state;
    swp_built_program built;
    swp_pipeline_config config = config_of();
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_op_list body =
        OPS(load_op(0, 1, 0, SWP_K_PREV), load_op(0, 0, 0, SWP_K0), load_op(0, 0, 1, SWP_K0),
            mma_op(0, 0), mma_op(0, 1), load_op(1, 0, 0, SWP_K0), frag_op(0, 1, 0),
            frag_op(1, 1, 0), mma_op(0, 0), mma_op(0, 1));
    config.block_sizing.max_globals = 1;
    assert_ok(ctx,
              swp_build_kernel_program(ctx, body.items, body.count, &config, &sched, NULL, &built));
    for (int i = 0; i < 4; i++)
        assert_int_equal(built.program.blocks.items[i].globals.count, 1);
    config.block_sizing.max_globals = 0;
    assert_ok(ctx,
              swp_build_kernel_program(ctx, body.items, body.count, &config, &sched, NULL, &built));
    assert_int_equal(built.program.blocks.items[0].globals.count, 3);
}

static void given_edges_stand_in_for_the_derived_ones(void **state)
{
    swp_context *ctx = *state;
    swp_op ops[10];
    swp_built_program built;
    swp_edge_list edges = {0};
    const swp_op_list body = body_of(ops);
    const swp_pipeline_config config = config_of();
    swp_schedule_config sched = swp_schedule_config_default();
    sched.scheduling = SWP_GREEDY;
    assert_ok(ctx, swp_edge_list_push(ctx, &edges, (swp_edge){1, 0, SWP_FLOW, 0}));
    assert_ok(ctx, swp_build_kernel_program(ctx, body.items, body.count, &config, &sched, &edges,
                                            &built));
    assert_order(&built.solution.order, "1 0 2 3 4 5 6 7 8 9");
    assert_ok(ctx, swp_edge_list_push(ctx, &edges, (swp_edge){0, 1, SWP_FLOW, 0}));
    assert_status(
        ctx, swp_build_kernel_program(ctx, body.items, body.count, &config, &sched, &edges, &built),
        SWP_INVALID);
    assert_diag(ctx, "E0304", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(auto_waits_patch_the_first_and_last_block_of_each_half),
        CONTEXT_TEST(a_barrier_before_the_loads_makes_the_first_wait_0),
        CONTEXT_TEST(manual_waits_are_used_as_they_are),
        CONTEXT_TEST(minimal_barriers_take_the_derived_wait_on_entry),
        CONTEXT_TEST(in_a_half_of_one_block_the_vm_wait_wins),
        CONTEXT_TEST(auto_drain_replaces_the_mask_where_waits_are_automatic),
        CONTEXT_TEST(redistribution_follows_max_globals),
        CONTEXT_TEST(given_edges_stand_in_for_the_derived_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
