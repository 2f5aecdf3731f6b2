/* SPDX-License-Identifier: Apache-2.0 */
/* Construction (docs/schedules.md, "Blocks"): each branch on the smallest body that takes it. */
#include "fixture.h"
#include "ops.h"
#include "swp/program.h"

/* Two halves of 1 x columns MMAs. */
static swp_pipeline_config grid(int columns)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.m_mmas = 1;
    config.n_mmas = columns;
    return config;
}

static swp_program construct(swp_context *ctx, swp_op_list ops, int columns,
                             const swp_schedule_config *sched)
{
    const swp_pipeline_config config = grid(columns);
    swp_program program;
    assert_ok(ctx, swp_construct_mma_blocks(ctx, ops.items, ops.count, &config, sched, &program));
    assert_int_equal(program.blocks.count, 2 * columns);
    return program;
}

static void expect_wait(const swp_op *found, swp_op expected)
{
    assert_true(same_op(found, &expected));
}

/* Six bare MMAs: three blocks a half. */
static swp_op_list bare_mmas(swp_op ops[6])
{
    for (int i = 0; i < 6; i++)
        ops[i] = mma_op(0, i % 3);
    return (swp_op_list){ops, 6, 6};
}

static void each_block_takes_ops_up_to_a_compute(void **state)
{
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_program p = construct(
        *state,
        OPS(frag_op(0, 0, 0), load_op(0, 1, 0, SWP_K_PREV), frag_op(1, 0, 0), frag_op(1, 0, 1),
            load_op(1, 0, 0, SWP_K0), load_op(1, 0, 1, SWP_K0), mma_op(0, 0), mma_op(0, 0)),
        1, &sched);
    const swp_mma_block *block = &p.blocks.items[0];
    assert_int_equal(block->frags.count, 3);
    assert_int_equal(block->globals.count, 3);
    assert_false(block->globals.items[0].is_prefetch);
    assert_true(block->globals.items[1].is_prefetch);
    assert_int_equal(block->mma.role, SWP_COMPUTE);
    assert_false(swp_op_present(&block->fused_mma));
    assert_int_equal(p.blocks.items[1].frags.count, 0);
    assert_int_equal(p.explicit_blocks.count, 0);
}

static void without_cross_fragments_the_first_and_last_blocks_wait(void **state)
{
    swp_op ops[6];
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_program p = construct(*state, bare_mmas(ops), 3, &sched);
    for (int half = 0; half < 2; half++) {
        const swp_mma_block *b = &p.blocks.items[3 * half];
        expect_wait(&b[0].pre_sync, swp_op_wait_lgkm(8));
        expect_wait(&b[1].pre_sync, swp_op_none());
        expect_wait(&b[2].pre_sync, swp_op_wait_vm(6));
        assert_true(b[0].post_barrier_lgkm);
        assert_true(b[1].post_barrier_lgkm);
        assert_false(b[2].post_barrier_lgkm);
        for (int i = 0; i < 3; i++) {
            expect_wait(&b[i].entry_wait, swp_op_none());
            expect_wait(&b[i].entry_wait_lgkm, swp_op_none());
            assert_true(b[i].pre_mma_barrier && b[i].pre_mma_set_prio && b[i].post_mma_barrier &&
                        b[i].post_mma_set_prio);
        }
    }
}

static void lgkm_after_last_keeps_the_wait_after_the_last_barrier(void **state)
{
    swp_op ops[6];
    swp_schedule_config sched = swp_schedule_config_default();
    sched.lgkm_after_last = true;
    const swp_program p = construct(*state, bare_mmas(ops), 3, &sched);
    assert_true(p.blocks.items[2].post_barrier_lgkm);
}

static void wait_lgkm_first_255_leaves_the_first_block_to_the_rest_of_the_rules(void **state)
{
    swp_op ops[6];
    swp_schedule_config sched = swp_schedule_config_default();
    sched.wait_lgkm_first = 255;
    sched.inter_block_lgkm_drain = true;
    const swp_program p = construct(*state, bare_mmas(ops), 3, &sched);
    expect_wait(&p.blocks.items[0].pre_sync, swp_op_none());
    expect_wait(&p.blocks.items[0].entry_wait_lgkm, swp_op_wait_lgkm(0));
    expect_wait(&p.blocks.items[1].entry_wait_lgkm, swp_op_wait_lgkm(0));
    expect_wait(&p.blocks.items[2].entry_wait_lgkm, swp_op_none());
    expect_wait(&p.blocks.items[2].pre_sync, swp_op_wait_vm(6));
}

static void a_half_of_one_block_is_first_before_it_is_last(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    const swp_op_list ops = OPS(mma_op(0, 0), mma_op(0, 0));
    swp_program p = construct(*state, ops, 1, &sched);
    expect_wait(&p.blocks.items[0].pre_sync, swp_op_wait_lgkm(8));
    sched.wait_lgkm_first = 255;
    p = construct(*state, ops, 1, &sched);
    expect_wait(&p.blocks.items[0].pre_sync, swp_op_wait_vm(6));
}

/* Block 1 of half 0 reads stage 1. Prefetch loads cost 4 + 3: main_wait = 7 - 7 / 2 = 4. */
static swp_program with_cross(swp_context *ctx, const swp_schedule_config *sched)
{
    swp_pipeline_config config = grid(3);
    config.vm_per_load_b = 3;
    const swp_op_list ops =
        OPS(load_op(0, 0, 0, SWP_K0), load_op(1, 1, 0, SWP_K_PREV), mma_op(0, 0), frag_op(0, 1, 0),
            mma_op(0, 1), frag_op(1, 1, 0), mma_op(0, 2), load_op(1, 1, 0, SWP_K1), mma_op(0, 0),
            mma_op(0, 1), mma_op(0, 2));
    swp_program program;
    assert_ok(ctx, swp_construct_mma_blocks(ctx, ops.items, ops.count, &config, sched, &program));
    return program;
}

static void a_cross_fragment_makes_its_block_and_the_top_wait_on_entry(void **state)
{
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_program p = with_cross(*state, &sched);
    const swp_mma_block *b = p.blocks.items;
    expect_wait(&b[0].entry_wait, swp_op_wait_vm(4));
    expect_wait(&b[0].pre_sync, swp_op_wait_lgkm(8));
    expect_wait(&b[1].entry_wait, swp_op_wait_vm(4));
    expect_wait(&b[1].pre_sync, swp_op_wait_lgkm(0));
    /* Not the first cross fragment of its half. */
    expect_wait(&b[2].entry_wait, swp_op_none());
    expect_wait(&b[2].pre_sync, swp_op_wait_vm(6));
    for (int i = 3; i < 6; i++)
        expect_wait(&b[i].entry_wait, swp_op_none());
}

static void minimal_barriers_join_the_waits_on_entry(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    sched.minimal_barriers = true;
    const swp_program p = with_cross(*state, &sched);
    const swp_mma_block *b = p.blocks.items;
    expect_wait(&b[0].entry_wait_lgkm, swp_op_wait_lgkm(0));
    expect_wait(&b[0].pre_sync, swp_op_none());
    expect_wait(&b[1].entry_wait_lgkm, swp_op_wait_lgkm(0));
    expect_wait(&b[1].pre_sync, swp_op_none());
    /* Half 1 has no entry wait to join. */
    expect_wait(&b[3].entry_wait_lgkm, swp_op_none());
    expect_wait(&b[3].pre_sync, swp_op_wait_lgkm(8));
}

static void minimal_barriers_leave_set_prio_at_the_top_and_the_first_cross(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    sched.minimal_barriers = true;
    swp_program p = with_cross(*state, &sched);
    const bool prio[] = {true, true, false, true, false, false};
    for (int i = 0; i < 6; i++) {
        const swp_mma_block *b = &p.blocks.items[i];
        assert_int_equal(b->pre_mma_set_prio, prio[i]);
        assert_false(b->pre_mma_barrier || b->post_mma_barrier || b->post_mma_set_prio ||
                     b->post_barrier_lgkm);
    }
    sched.omit_mma_set_prio = true;
    p = with_cross(*state, &sched);
    for (int i = 0; i < 6; i++)
        assert_false(p.blocks.items[i].pre_mma_set_prio);
}

static void masks_count_blocks_over_both_halves(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    sched.sched_barrier_mask = 0x9;
    sched.drain_lgkm_mask = UINT64_MAX;
    const swp_program p =
        construct(*state,
                  OPS(frag_op(0, 0, 0), mma_op(0, 0), load_op(0, 0, 0, SWP_K0), mma_op(0, 1),
                      frag_op(0, 1, 0), load_op(0, 1, 0, SWP_K1), mma_op(0, 0), mma_op(0, 1)),
                  2, &sched);
    const bool trailing[] = {true, false, false, true};
    const bool drain[] = {false, false, true, false};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(p.blocks.items[i].trailing_sched_barrier, trailing[i]);
        assert_int_equal(p.blocks.items[i].drain_lgkm_before_loads, drain[i]);
    }
}

static void three_flags_are_copied_to_every_block(void **state)
{
    swp_op ops[6];
    swp_schedule_config sched = swp_schedule_config_default();
    sched.global_before_frag = true;
    sched.barrier_before_pre_ops = true;
    sched.wrap_waits_with_sched_barrier = true;
    const swp_program p = construct(*state, bare_mmas(ops), 3, &sched);
    for (int i = 0; i < 6; i++)
        assert_true(p.blocks.items[i].global_before_frag &&
                    p.blocks.items[i].barrier_before_pre_ops &&
                    p.blocks.items[i].wrap_waits_with_sched_barrier);
}

static void expect_unfit(swp_context *ctx, swp_op_list ops, const char *code, const char *text)
{
    const swp_pipeline_config config = grid(1);
    const swp_schedule_config sched = swp_schedule_config_default();
    swp_program program;
    swp_context_clear_diags(ctx);
    assert_status(ctx,
                  swp_construct_mma_blocks(ctx, ops.items, ops.count, &config, &sched, &program),
                  SWP_INVALID);
    assert_diag(ctx, code, text);
}

static void ops_that_no_block_holds_are_errors_that_name_them(void **state)
{
    expect_unfit(*state, OPS(store_op(0, 0, 0), mma_op(0, 0), mma_op(0, 0)), "E0501", "op6");
    expect_unfit(*state, OPS(swp_op_barrier(), mma_op(0, 0), mma_op(0, 0)), "E0501", "barrier");
    expect_unfit(*state, OPS(mma_op(0, 0), mma_op(0, 0), frag_op(0, 0, 0)), "E0501", "op3");
    expect_unfit(*state, OPS(mma_op(0, 0), mma_op(0, 0), mma_op(0, 0)), "E0502", "3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(each_block_takes_ops_up_to_a_compute),
        CONTEXT_TEST(without_cross_fragments_the_first_and_last_blocks_wait),
        CONTEXT_TEST(lgkm_after_last_keeps_the_wait_after_the_last_barrier),
        CONTEXT_TEST(wait_lgkm_first_255_leaves_the_first_block_to_the_rest_of_the_rules),
        CONTEXT_TEST(a_half_of_one_block_is_first_before_it_is_last),
        CONTEXT_TEST(a_cross_fragment_makes_its_block_and_the_top_wait_on_entry),
        CONTEXT_TEST(minimal_barriers_join_the_waits_on_entry),
        CONTEXT_TEST(minimal_barriers_leave_set_prio_at_the_top_and_the_first_cross),
        CONTEXT_TEST(masks_count_blocks_over_both_halves),
        CONTEXT_TEST(three_flags_are_copied_to_every_block),
        CONTEXT_TEST(ops_that_no_block_holds_are_errors_that_name_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
