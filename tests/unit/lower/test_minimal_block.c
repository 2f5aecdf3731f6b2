/* SPDX-License-Identifier: Apache-2.0 */
/* emit_minimal_barrier_block (docs/schedules.md, "Expansion"), as text. */
#include "fixture.h"
#include "full_block.h"

static void expect_emitted(swp_context *ctx, const swp_mma_block *block, bool wrap,
                           bool globals_first, const char *text)
{
    swp_op_list ops = {0};
    assert_ok(ctx, swp_emit_minimal_barrier_block(ctx, block, wrap, globals_first, &ops));
    assert_ops(&ops, text);
}

static void it_keeps_waits_loads_and_mma(void **state)
{
    swp_op frags[1];
    swp_block_load loads[1];
    swp_mma_block block = full_block(frags, loads);
    block.drain_lgkm_before_loads = true;
    block.fused_mma = mma_op(1, 1);
    block.post_barrier_sched = true;
    block.trailing_sched_barrier = true;
    expect_emitted(*state, &block, false, false,
                   "vm4 lgkm0 bar FB00 sb LA10@k0 lgkm8 bar lgkm0 M00");
}

static void the_arguments_wrap_and_swap_and_the_flags_of_the_block_do_not(void **state)
{
    swp_op frags[1];
    swp_block_load loads[1];
    swp_mma_block block = full_block(frags, loads);
    expect_emitted(*state, &block, true, true,
                   "sb vm4 lgkm0 bar sb LA10@k0 sb FB00 sb lgkm8 bar lgkm0 sb M00");
    block.wrap_waits_with_sched_barrier = true;
    block.global_before_frag = true;
    block.barrier_before_pre_ops = true;
    expect_emitted(*state, &block, false, false,
                   "vm4 lgkm0 bar FB00 sb LA10@k0 lgkm8 bar lgkm0 M00");
}

static void without_its_barrier_the_sync_group_is_the_wait_alone(void **state)
{
    swp_op frags[1];
    swp_block_load loads[1];
    swp_mma_block block = full_block(frags, loads);
    block.pre_mma_barrier = false;
    block.globals.count = 0;
    expect_emitted(*state, &block, true, false, "sb vm4 lgkm0 bar sb FB00 sb lgkm8 sb M00");
    block.pre_sync = block.entry_wait = block.entry_wait_lgkm = swp_op_none();
    expect_emitted(*state, &block, true, false, "FB00 M00");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(it_keeps_waits_loads_and_mma),
        CONTEXT_TEST(the_arguments_wrap_and_swap_and_the_flags_of_the_block_do_not),
        CONTEXT_TEST(without_its_barrier_the_sync_group_is_the_wait_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
