/* SPDX-License-Identifier: Apache-2.0 */
/* docs/schedules.md, "Expansion", as text; property/test_block_positions.c takes all combinations. */
#include "fixture.h"
#include "full_block.h"

static void expect_expansion(swp_context *ctx, const swp_mma_block *block, const char *text)
{
    swp_entry_builder builder = swp_entry_builder_new(ctx, SWP_KERNEL);
    assert_ok(ctx, swp_mma_block_expand(block, &builder));
    assert_entries(&builder.entries, text);
}

static void a_new_block_has_the_published_flags(void **state)
{
    const swp_mma_block block = swp_mma_block_new(mma_op(0, 0));
    expect_expansion(*state, &block, "bar lgkm0 prio1 M00 prio0 bar");
}

static void a_full_block_goes_entry_loads_sync_mma(void **state)
{
    swp_op frags[1];
    swp_block_load loads[1];
    swp_mma_block block = full_block(frags, loads);
    block.fused_mma = mma_op(0, 1);
    block.trailing_sched_barrier = true;
    block.drain_lgkm_before_loads = true;
    block.post_barrier_sched = true;
    expect_expansion(
        *state, &block,
        "vm4 lgkm0 bar FB00 lgkm0 LA10@k0* lgkm8 bar sb lgkm0 prio1 M00 M01 prio0 bar sb");
}

static void fences_wrap_each_group_of_waits(void **state)
{
    swp_op frags[1];
    swp_block_load loads[1];
    swp_mma_block block = full_block(frags, loads);
    block.wrap_waits_with_sched_barrier = true;
    expect_expansion(*state, &block,
                     "sb vm4 lgkm0 bar sb FB00 LA10@k0* sb lgkm8 bar lgkm0 sb prio1 M00 prio0 bar");
}

static void the_sync_section_may_stand_before_the_loads_and_the_loads_be_swapped(void **state)
{
    swp_op frags[1];
    swp_block_load loads[1];
    swp_mma_block block = full_block(frags, loads);
    block.barrier_before_pre_ops = true;
    block.global_before_frag = true;
    block.drain_lgkm_before_loads = true;
    expect_expansion(*state, &block,
                     "vm4 lgkm0 bar lgkm8 bar lgkm0 LA10@k0* lgkm0 FB00 prio1 M00 prio0 bar");
}

static void an_lgkm_wait_alone_on_entry_has_no_barrier(void **state)
{
    swp_mma_block block = swp_mma_block_new(mma_op(0, 0));
    block.entry_wait_lgkm = swp_op_wait_lgkm(0);
    block.pre_mma_barrier = false;
    block.post_mma_barrier = false;
    block.trailing_sched_barrier = true;
    expect_expansion(*state, &block, "lgkm0 prio1 M00 prio0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_new_block_has_the_published_flags),
        CONTEXT_TEST(a_full_block_goes_entry_loads_sync_mma),
        CONTEXT_TEST(fences_wrap_each_group_of_waits),
        CONTEXT_TEST(the_sync_section_may_stand_before_the_loads_and_the_loads_be_swapped),
        CONTEXT_TEST(an_lgkm_wait_alone_on_entry_has_no_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
