/* SPDX-License-Identifier: Apache-2.0 */
/* docs/schedules.md, "Stagger". */
#include "fixture.h"
#include "ops.h"
#include "swp/phase.h"

static void expect_index(swp_warp_stagger rule, int index)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    const swp_op_list body =
        OPS(load_op(0, 0, 0, SWP_K0), load_op(0, 0, 1, SWP_K_PREV), load_op(1, 1, 0, SWP_K1),
            load_op(1, 0, 0, SWP_K_NEXT), frag_op(0, 0, 0), mma_op(0, 0));
    config.warp_stagger = rule;
    assert_int_equal(swp_warp_stagger_index(body.items, body.count, &config, 9), index);
}

static void none_is_past_the_end_of_the_prologue(void **state)
{
    (void)state;
    expect_index(swp_warp_stagger_none(), 10);
}

static void auto_counts_the_prefetch_loads_of_stage_0(void **state)
{
    (void)state;
    expect_index(swp_warp_stagger_auto(), 2);
}

static void fixed_is_its_amount(void **state)
{
    (void)state;
    expect_index(swp_warp_stagger_fixed(0), 0);
    expect_index(swp_warp_stagger_fixed(7), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_past_the_end_of_the_prologue),
        cmocka_unit_test(auto_counts_the_prefetch_loads_of_stage_0),
        cmocka_unit_test(fixed_is_its_amount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
