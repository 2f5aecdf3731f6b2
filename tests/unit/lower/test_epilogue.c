/* SPDX-License-Identifier: Apache-2.0 */
/* docs/schedules.md, "Epilogue". */
#include "fixture.h"
#include "ops.h"
#include "programs.h"
#include "swp/phase.h"

static void expect_epilogue(swp_context *ctx, const swp_program *program, int columns,
                            const char *text)
{
    const swp_pipeline_config config = row_config(columns);
    swp_entry_list entries = {0};
    assert_ok(ctx, swp_derive_epilogue_from_program(ctx, program, &config, &entries));
    assert_entries(&entries, text);
}

/* Half 0 prefetches in block 1, so blocks 1 and 2 drain; half 1 in its first. The last wait goes. */
static void prefetches_go_and_drained_blocks_wait(void **state)
{
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_program program =
        row_program(*state,
                    OPS(frag_op(0, 0, 0), load_op(0, 1, 0, SWP_K_PREV), mma_op(0, 0),
                        frag_op(1, 0, 1), load_op(1, 0, 0, SWP_K0), mma_op(0, 1), frag_op(0, 1, 0),
                        load_op(0, 1, 0, SWP_K1), mma_op(0, 0), frag_op(1, 1, 1), mma_op(0, 1)),
                    2, &sched);
    /* post_barrier_lgkm is off in the last block of each half (lgkm_after_last is). */
    expect_epilogue(*state, &program, 2,
                    "lgkm0 FA00 LA10@k_prev bar lgkm0 prio1 M00 prio0 bar "
                    "lgkm0 FB01 vm0 bar prio1 M01 prio0 bar "
                    "lgkm0 FA10 vm0 bar lgkm0 prio1 M00 prio0 bar "
                    "lgkm0 FB11 bar prio1 M01 prio0 bar bar");
}

/* Half 0: F M . M . M . M: the first takes the second; the third stands, and takes the fourth. */
static void a_bare_block_is_fused_to_the_one_before_unless_that_has_one(void **state)
{
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_program program =
        row_program(*state,
                    OPS(frag_op(0, 0, 0), mma_op(0, 0), mma_op(0, 1), mma_op(0, 2), mma_op(0, 3),
                        frag_op(0, 1, 0), mma_op(0, 0), load_op(0, 1, 0, SWP_K0), mma_op(0, 1),
                        frag_op(0, 1, 0), mma_op(0, 2), load_op(0, 1, 0, SWP_K_PREV), mma_op(0, 3)),
                    4, &sched);
    expect_epilogue(*state, &program, 4,
                    "lgkm0 FA00 bar lgkm0 prio1 M00 M01 prio0 bar "
                    "lgkm0 bar lgkm0 prio1 M02 M03 prio0 bar "
                    "lgkm0 FA10 bar lgkm0 prio1 M00 M01 prio0 bar "
                    "lgkm0 FA10 vm0 bar lgkm0 prio1 M02 prio0 bar "
                    "lgkm0 LA10@k_prev bar prio1 M03 prio0 bar bar");
}

static void a_bare_block_is_not_fused_across_the_halves(void **state)
{
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_program program =
        row_program(*state, OPS(frag_op(0, 0, 0), mma_op(0, 0), mma_op(0, 0)), 1, &sched);
    expect_epilogue(*state, &program, 1,
                    "lgkm0 FA00 bar lgkm0 prio1 M00 prio0 bar "
                    "lgkm0 bar lgkm0 prio1 M00 prio0 bar bar");
}

/* Entry waits, drains, fences, trailing fences and swapped loads are all lost. */
static void a_block_keeps_its_barrier_and_prio_flags_only(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    sched.minimal_barriers = true;
    sched.sched_barrier_mask = UINT64_MAX;
    sched.drain_lgkm_mask = UINT64_MAX;
    sched.global_before_frag = true;
    sched.barrier_before_pre_ops = true;
    sched.wrap_waits_with_sched_barrier = true;
    const swp_program program =
        row_program(*state,
                    OPS(frag_op(0, 1, 0), load_op(0, 1, 0, SWP_K_PREV), load_op(0, 0, 0, SWP_K0),
                        mma_op(0, 0), frag_op(0, 1, 0), mma_op(0, 1), frag_op(0, 1, 0),
                        mma_op(0, 0), frag_op(0, 1, 0), mma_op(0, 1)),
                    2, &sched);
    expect_epilogue(*state, &program, 2,
                    "lgkm0 FA10 LA10@k_prev vm0 prio1 M00 lgkm0 FA10 vm0 M01 "
                    "lgkm0 FA10 prio1 M00 lgkm0 FA10 M01 bar");
}

static void explicit_lists_do_not_reach_the_epilogue(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule_config sched = swp_schedule_config_default();
    swp_program program = row_program(ctx, OPS(mma_op(0, 0), mma_op(0, 0)), 1, &sched);
    assert_ok(ctx, swp_op_lists_push(ctx, &program.explicit_blocks, OPS(mma_op(0, 0))));
    assert_ok(ctx, swp_op_lists_push(ctx, &program.explicit_blocks, OPS(mma_op(0, 0))));
    expect_epilogue(ctx, &program, 1,
                    "lgkm0 bar lgkm0 prio1 M00 prio0 bar lgkm0 bar lgkm0 prio1 M00 prio0 bar bar");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(prefetches_go_and_drained_blocks_wait),
        CONTEXT_TEST(a_bare_block_is_fused_to_the_one_before_unless_that_has_one),
        CONTEXT_TEST(a_bare_block_is_not_fused_across_the_halves),
        CONTEXT_TEST(a_block_keeps_its_barrier_and_prio_flags_only),
        CONTEXT_TEST(explicit_lists_do_not_reach_the_epilogue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
