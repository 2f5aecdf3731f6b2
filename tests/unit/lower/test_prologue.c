/* SPDX-License-Identifier: Apache-2.0 */
/* docs/schedules.md, "Prologue". */
#include "fixture.h"
#include "ops.h"
#include "programs.h"
#include "swp/phase.h"

/* Prefetch loads of stage 0 in both halves; the load at K_PREV is none. */
static swp_program loads_of_both_stages(swp_context *ctx)
{
    const swp_schedule_config sched = swp_schedule_config_default();
    return row_program(ctx,
                       OPS(load_op(0, 1, 1, SWP_K_PREV), load_op(1, 0, 0, SWP_K_NEXT), mma_op(0, 0),
                           load_op(1, 1, 0, SWP_K1), load_op(0, 0, 1, SWP_K0), mma_op(0, 0)),
                       1, &sched);
}

static swp_pipeline_config costs(void)
{
    swp_pipeline_config config = row_config(1);
    config.vm_per_load_a = 4;
    config.vm_per_load_b = 3;
    return config;
}

static void prefetch_loads_go_stage_by_stage_with_their_costs(void **state)
{
    swp_context *ctx = *state;
    const swp_program program = loads_of_both_stages(ctx);
    const swp_pipeline_config config = costs();
    const swp_schedule_config sched = swp_schedule_config_default();
    swp_entry_list entries = {0};
    assert_ok(ctx,
              swp_derive_prologue_from_program(ctx, &program, &config, &sched, NULL, &entries));
    assert_entries(&entries, "LB00@k0 LA01@k0 vm0 bar LB10@k1 vm0");
    const int vm_costs[] = {3, 4, 0, 0, 3, 0};
    for (size_t i = 0; i < COUNT_OF(vm_costs); i++) {
        assert_int_equal(entries.items[i].op.vm_cost, vm_costs[i]);
        assert_int_equal(entries.items[i].phase, SWP_PROLOGUE);
    }
}

/* 3 + 4 + 3 in flight: the first fragment waits until 7 are left, the second until 3. */
static void bootstrap_fragments_wait_for_one_load_more_each(void **state)
{
    swp_context *ctx = *state;
    const swp_program program = loads_of_both_stages(ctx);
    const swp_pipeline_config config = costs();
    swp_schedule_config sched = swp_schedule_config_default();
    const swp_op_list bootstrap = OPS(frag_op(1, 0, 0), frag_op(0, 0, 0));
    swp_entry_list entries = {0};
    sched.partial_prologue_drain = true;
    assert_ok(ctx, swp_derive_prologue_from_program(ctx, &program, &config, &sched, &bootstrap,
                                                    &entries));
    assert_entries(&entries, "LB00@k0 LA01@k0 LB10@k1 vm7 bar FB00 vm3 bar FA00");
}

static void partial_drain_without_fragments_waits_for_nothing(void **state)
{
    swp_context *ctx = *state;
    const swp_program program = loads_of_both_stages(ctx);
    const swp_pipeline_config config = costs();
    swp_schedule_config sched = swp_schedule_config_default();
    swp_entry_list entries = {0};
    sched.partial_prologue_drain = true;
    assert_ok(ctx,
              swp_derive_prologue_from_program(ctx, &program, &config, &sched, NULL, &entries));
    assert_entries(&entries, "LB00@k0 LA01@k0 LB10@k1");
}

static void more_bootstrap_fragments_than_loads_are_an_error(void **state)
{
    swp_context *ctx = *state;
    const swp_program program = loads_of_both_stages(ctx);
    const swp_pipeline_config config = costs();
    swp_schedule_config sched = swp_schedule_config_default();
    const swp_op_list bootstrap =
        OPS(frag_op(0, 0, 0), frag_op(0, 0, 1), frag_op(1, 0, 0), frag_op(1, 0, 1));
    swp_entry_list entries = {0};
    sched.partial_prologue_drain = true;
    assert_status(
        ctx, swp_derive_prologue_from_program(ctx, &program, &config, &sched, &bootstrap, &entries),
        SWP_INVALID);
    assert_diag(ctx, "E0506", "4");
    assert_diag(ctx, "E0506", "3");
}

static void bootstrap_fragments_without_partial_drain_are_ignored_with_a_warning(void **state)
{
    swp_context *ctx = *state;
    const swp_program program = loads_of_both_stages(ctx);
    const swp_pipeline_config config = costs();
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_op_list bootstrap = OPS(frag_op(1, 0, 0));
    swp_entry_list entries = {0};
    assert_ok(ctx, swp_derive_prologue_from_program(ctx, &program, &config, &sched, &bootstrap,
                                                    &entries));
    assert_entries(&entries, "LB00@k0 LA01@k0 vm0 bar LB10@k1 vm0");
    assert_diag(ctx, "W0202", "partial_prologue_drain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(prefetch_loads_go_stage_by_stage_with_their_costs),
        CONTEXT_TEST(bootstrap_fragments_wait_for_one_load_more_each),
        CONTEXT_TEST(partial_drain_without_fragments_waits_for_nothing),
        CONTEXT_TEST(more_bootstrap_fragments_than_loads_are_an_error),
        CONTEXT_TEST(bootstrap_fragments_without_partial_drain_are_ignored_with_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
