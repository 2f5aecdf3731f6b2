/* SPDX-License-Identifier: Apache-2.0 */
/* Counted accesses that compiled phases state (docs/verification.md, "What an op does"). */
#include "fixture.h"
#include "lower/accesses.h"
#include "ops.h"

static void expect_costs(int depth, swp_op op, int vm_cost, int lgkm_cost)
{
    swp_entry entry = {op, 0, SWP_KERNEL, false};
    swp_schedule schedule = {.streams[0].kernel = {&entry, 1, 1},
                             .stream_count = 1,
                             .lgkm_per_load_a = 5,
                             .lgkm_per_load_b = 6};
    schedule.config = swp_pipeline_config_default();
    schedule.config.depth = depth;
    schedule.config.vm_per_load_a = 3;
    schedule.config.vm_per_load_b = 4;
    swp_lower_state_accesses(&schedule);
    assert_int_equal(entry.op.vm_cost, vm_cost);
    assert_int_equal(entry.op.lgkm_cost, lgkm_cost);
}

static void loads_count_vm_and_fragments_lgkm_by_channel(void **state)
{
    (void)state;
    expect_costs(2, load_op(0, 0, 0, SWP_K0), 3, 0);
    expect_costs(2, load_op(1, 0, 0, SWP_K0), 4, 0);
    expect_costs(2, frag_op(0, 0, 0), 0, 5);
    expect_costs(2, frag_op(1, 0, 0), 0, 6);
    expect_costs(2, mma_op(0, 0), 0, 0);
    expect_costs(2, swp_op_wait_vm(3), 0, 0);
}

static void a_single_buffer_counts_one_for_a_load_and_for_a_store(void **state)
{
    (void)state;
    expect_costs(1, load_op(0, 0, 0, SWP_K_NONE), 1, 0);
    expect_costs(1, store_op(0, 0, 0), 0, 1);
}

static void what_an_op_states_itself_stays(void **state)
{
    (void)state;
    swp_op op = load_op(0, 0, 0, SWP_K0);
    op.vm_cost = 9;
    expect_costs(2, op, 9, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_count_vm_and_fragments_lgkm_by_channel),
        cmocka_unit_test(a_single_buffer_counts_one_for_a_load_and_for_a_store),
        cmocka_unit_test(what_an_op_states_itself_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
