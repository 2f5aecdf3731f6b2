/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel deps (docs/schedules.md, "Kernel"). */
#include "fixture.h"
#include "ops.h"
#include "programs.h"
#include "swp/phase.h"

static void expect_deps(swp_context *ctx, swp_program *program, int columns, const char *kernel,
                        const char *text)
{
    const swp_pipeline_config config = row_config(columns);
    swp_entry_list entries = {0};
    swp_edge_list deps = {0};
    assert_ok(ctx, swp_program_expand_to_list(ctx, program, SWP_KERNEL, &entries));
    assert_entries(&entries, kernel);
    assert_ok(ctx, swp_derive_kernel_deps(ctx, program, &config, &entries, &deps));
    assert_edges(&deps, text);
}

/* Entries 0 and 2 wait before MMA 4; 12 and 14 before 16. Halves of two MMAs have no chain. */
static void the_first_sync_and_the_first_lgkm_wait_lead_to_the_first_mma(void **state)
{
    swp_schedule_config sched = swp_schedule_config_default();
    sched.wait_lgkm_first = 255;
    sched.sched_barrier_mask = 0;
    sched.wait_vm_last = 0;
    swp_program program =
        row_program(*state, OPS(mma_op(0, 0), mma_op(0, 1), mma_op(0, 0), mma_op(0, 1)), 2, &sched);
    expect_deps(*state, &program, 2,
                "bar lgkm0 prio1 M00 prio0 bar vm0 bar prio1 M01 prio0 bar "
                "bar lgkm0 prio1 M00 prio0 bar vm0 bar prio1 M01 prio0 bar",
                "0>3 flow0, 1>3 flow0, 12>15 flow0, 13>15 flow0");
}

static void one_wait_may_be_both_and_three_mmas_make_a_chain(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule_config sched = swp_schedule_config_default();
    swp_program program = row_program(ctx,
                                      OPS(mma_op(0, 0), mma_op(0, 1), mma_op(0, 2), mma_op(0, 3),
                                          mma_op(0, 0), mma_op(0, 1), mma_op(0, 2), mma_op(0, 3)),
                                      4, &sched);
    const swp_op_list waits = OPS(swp_op_wait_lgkm(1), mma_op(0, 0));
    const swp_op_list bare = OPS(mma_op(0, 0), swp_op_barrier());
    for (int i = 0; i < 8; i++)
        assert_ok(ctx, swp_op_lists_push(ctx, &program.explicit_blocks, i == 4 ? waits : bare));
    /* Half 0 has no sync before its first MMA. */
    expect_deps(ctx, &program, 4,
                "M00 bar M00 bar M00 bar M00 bar lgkm1 M00 M00 bar M00 bar M00 bar",
                "0>2 flow0, 2>4 flow0, 8>9 flow0, 8>9 flow0, 9>10 flow0, 10>12 flow0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_first_sync_and_the_first_lgkm_wait_lead_to_the_first_mma),
        CONTEXT_TEST(one_wait_may_be_both_and_three_mmas_make_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
