/* SPDX-License-Identifier: Apache-2.0 */
/* verify_schedule (docs/schedules.md, "What is checked"): a sound program, and each check violated once. */
#include "fixture.h"
#include "ops.h"
#include "swp/program.h"
#include "swp/reference.h"

/* A sound program of 2 x 2 halves of one row and three columns, changed by each test. */
typedef struct subject {
    swp_program program;
    swp_pipeline_config config;
    swp_schedule_config sched;
} subject;

static subject sound(swp_context *ctx)
{
    subject s = {.config = swp_pipeline_config_default(), .sched = swp_schedule_config_default()};
    s.config.m_mmas = 1;
    s.config.n_mmas = 3;
    s.sched.wait_lgkm_first = 0;
    s.sched.wait_vm_last = 0;
    const swp_op_list ops =
        OPS(frag_op(0, 0, 0), load_op(0, 1, 0, SWP_K_PREV), mma_op(0, 0), load_op(1, 0, 0, SWP_K0),
            mma_op(0, 1), load_op(0, 0, 0, SWP_K0), mma_op(0, 2), frag_op(0, 1, 0),
            load_op(0, 0, 1, SWP_K0), mma_op(0, 0), load_op(1, 1, 0, SWP_K1), mma_op(0, 1),
            load_op(0, 1, 0, SWP_K1), mma_op(0, 2));
    assert_ok(ctx,
              swp_construct_mma_blocks(ctx, ops.items, ops.count, &s.config, &s.sched, &s.program));
    return s;
}

static swp_status verify(swp_context *ctx, const subject *s)
{
    swp_context_clear_diags(ctx);
    return swp_verify_schedule(ctx, &s->program, &s->config, &s->sched);
}

static void expect_broken(swp_context *ctx, const subject *s, const char *text)
{
    assert_status(ctx, verify(ctx, s), SWP_INVALID);
    assert_diag(ctx, "E0504", text);
}

static void a_sound_program_passes(void **state)
{
    const subject s = sound(*state);
    assert_ok(*state, verify(*state, &s));
}

static void the_number_of_blocks_is_that_of_the_config(void **state)
{
    subject s = sound(*state);
    s.program.blocks.count = 5;
    expect_broken(*state, &s, "5");
    s.program.blocks.count = 0;
    expect_broken(*state, &s, "6");
}

static void every_block_has_a_compute(void **state)
{
    subject s = sound(*state);
    s.program.blocks.items[4].mma = swp_op_none();
    expect_broken(*state, &s, "block 4");
}

static void derived_waits_are_within_bounds_and_manual_ones_are_the_users(void **state)
{
    subject s = sound(*state);
    s.config.lgkm_per_load_a = 4;
    s.sched.wait_lgkm_first = 4;
    assert_ok(*state, verify(*state, &s));
    s.sched.wait_lgkm_first = 5;
    expect_broken(*state, &s, "5");
    s.sched.auto_waits = false;
    assert_ok(*state, verify(*state, &s));
    s = sound(*state);
    s.sched.wait_vm_last = -1;
    expect_broken(*state, &s, "-1");
}

static void max_globals_is_met_exactly_where_there_are_loads_enough(void **state)
{
    subject s = sound(*state);
    s.config.block_sizing.max_globals = 1;
    assert_ok(*state, verify(*state, &s));
    const swp_block_load moved = s.program.blocks.items[2].globals.items[0];
    swp_block_load both[] = {s.program.blocks.items[1].globals.items[0], moved};
    s.program.blocks.items[1].globals = (swp_block_load_list){both, 2, 2};
    s.program.blocks.items[2].globals.count = 0;
    expect_broken(*state, &s, "block 1");
    /* Not enough loads for two in each block. */
    s.config.block_sizing.max_globals = 2;
    assert_ok(*state, verify(*state, &s));
}

static void fragments_of_a_half_use_its_stage_unless_there_is_rotation(void **state)
{
    subject s = sound(*state);
    s.program.blocks.items[3].frags.items[0].stage = 0;
    expect_broken(*state, &s, "half 1");
    s.config.cross_stage_rotation = true;
    assert_ok(*state, verify(*state, &s));
}

static void each_half_fills_the_other_stage(void **state)
{
    subject s = sound(*state);
    s.program.blocks.items[3].globals.items[0].op.stage = 1;
    expect_broken(*state, &s, "half 1");
    s.config.cross_stage_rotation = true;
    assert_ok(*state, verify(*state, &s));
}

static void there_is_a_prefetch_load(void **state)
{
    subject s = sound(*state);
    for (size_t i = 0; i < 6; i++)
        s.program.blocks.items[i].globals.items[0].is_prefetch = false;
    expect_broken(*state, &s, "prefetch");
}

/* Block 1 of half 0 loads stage 0, which block 2 then reads. */
static void a_staggered_half_does_not_load_what_its_next_block_reads(void **state)
{
    swp_context *ctx = *state;
    subject s = sound(ctx);
    assert_ok(ctx, swp_op_list_push(ctx, &s.program.blocks.items[2].frags, frag_op(1, 0, 0)));
    assert_ok(ctx, verify(ctx, &s));
    s.config.warp_stagger = swp_warp_stagger_auto();
    expect_broken(ctx, &s, "block 1");
    s.config.block_sizing.max_globals = 1;
    assert_ok(ctx, verify(ctx, &s));
    s.config.block_sizing.max_globals = 0;
    s.program.blocks.items[1].globals.items[0].op.stage = 1;
    assert_ok(ctx, verify(ctx, &s));
}

/* The first and the last block of a half are not looked at: only blocks 1 to bph - 2. */
static void the_first_block_of_a_staggered_half_is_free(void **state)
{
    swp_context *ctx = *state;
    subject s = sound(ctx);
    s.config.warp_stagger = swp_warp_stagger_fixed(2);
    const swp_block_load own = {load_op(0, 0, 2, SWP_K0), true};
    swp_block_load both[] = {s.program.blocks.items[0].globals.items[0], own};
    s.program.blocks.items[0].globals = (swp_block_load_list){both, 2, 2};
    assert_ok(ctx, swp_op_list_push(ctx, &s.program.blocks.items[1].frags, frag_op(1, 0, 0)));
    assert_ok(ctx, verify(ctx, &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_sound_program_passes),
        CONTEXT_TEST(the_number_of_blocks_is_that_of_the_config),
        CONTEXT_TEST(every_block_has_a_compute),
        CONTEXT_TEST(derived_waits_are_within_bounds_and_manual_ones_are_the_users),
        CONTEXT_TEST(max_globals_is_met_exactly_where_there_are_loads_enough),
        CONTEXT_TEST(fragments_of_a_half_use_its_stage_unless_there_is_rotation),
        CONTEXT_TEST(each_half_fills_the_other_stage),
        CONTEXT_TEST(there_is_a_prefetch_load),
        CONTEXT_TEST(a_staggered_half_does_not_load_what_its_next_block_reads),
        CONTEXT_TEST(the_first_block_of_a_staggered_half_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
