/* SPDX-License-Identifier: Apache-2.0 */
/* Derived waits, drain mask and safe max_globals (docs/schedules.md, "Derived waits"). */
#include "fixture.h"
#include "ops.h"
#include "swp/program.h"
#include "swp/reference.h"

/* 1x2: block 0 loads A0 and B1, block 1 loads A0; block 2 loads B1, block 3 loads A1 and A0. */
static swp_program two_halves(swp_context *ctx)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    const swp_schedule_config sched = swp_schedule_config_default();
    config.m_mmas = 1;
    const swp_op_list ops =
        OPS(load_op(0, 0, 0, SWP_K0), load_op(1, 1, 0, SWP_K0), mma_op(0, 0),
            load_op(0, 0, 1, SWP_K0), mma_op(0, 1), load_op(1, 1, 0, SWP_K1), mma_op(0, 0),
            load_op(0, 1, 0, SWP_K1), load_op(0, 0, 0, SWP_K0), mma_op(0, 1));
    swp_program program;
    assert_ok(ctx, swp_construct_mma_blocks(ctx, ops.items, ops.count, &config, &sched, &program));
    return program;
}

static swp_pipeline_config costs(int vm_a, int vm_b, int lgkm_a, int lgkm_b)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.m_mmas = 1;
    config.vm_per_load_a = vm_a;
    config.vm_per_load_b = vm_b;
    config.lgkm_per_load_a = lgkm_a;
    config.lgkm_per_load_b = lgkm_b;
    return config;
}

/* lgkm: max(7 + 2, 2). vm: half 0 all 5 + 3 + 5 less B1's 3 = 10; half 1 3 + 5 + 5 less 5 = 8. */
static void waits_are_the_most_of_first_blocks_and_the_least_of_own_stages(void **state)
{
    const swp_program p = two_halves(*state);
    const swp_pipeline_config config = costs(5, 3, 7, 2);
    const swp_derived_waits waits = swp_derive_waits_from_blocks(&p, &config, 0, 0);
    assert_int_equal(waits.wait_lgkm_first, 9);
    assert_int_equal(waits.wait_vm_last, 8);
}

static void the_second_half_may_have_the_most_lgkm(void **state)
{
    const swp_program p = two_halves(*state);
    swp_mma_block swapped[4];
    for (int i = 0; i < 4; i++)
        swapped[i] = p.blocks.items[(i + 2) % 4];
    const swp_program q = {.blocks = {swapped, 4, 4}};
    const swp_pipeline_config config = costs(5, 3, 7, 2);
    assert_int_equal(swp_derive_waits_from_blocks(&q, &config, 0, 0).wait_lgkm_first, 9);
}

static void arguments_stand_in_for_unset_lgkm_channel_by_channel(void **state)
{
    const swp_program p = two_halves(*state);
    swp_pipeline_config config = costs(5, 3, 0, 0);
    assert_int_equal(swp_derive_waits_from_blocks(&p, &config, 4, 1).wait_lgkm_first, 5);
    config = costs(5, 3, 7, 0);
    assert_int_equal(swp_derive_waits_from_blocks(&p, &config, 4, 1).wait_lgkm_first, 8);
    config = costs(5, 3, 0, 2);
    assert_int_equal(swp_derive_waits_from_blocks(&p, &config, 4, 1).wait_lgkm_first, 6);
}

static void two_mmas_along_k_make_one_global_safe(void **state)
{
    (void)state;
    assert_int_equal(swp_derive_safe_max_globals(0), 0);
    assert_int_equal(swp_derive_safe_max_globals(1), 0);
    assert_int_equal(swp_derive_safe_max_globals(2), 1);
    assert_int_equal(swp_derive_safe_max_globals(8), 1);
}

/* Bits where a fragment is of another channel than the first load: blocks 1 and 3. */
static void the_drain_mask_marks_fragments_of_another_channel_than_the_first_load(void **state)
{
    swp_context *ctx = *state;
    const swp_pipeline_config config = costs(1, 1, 0, 0);
    const swp_schedule_config sched = swp_schedule_config_default();
    const swp_op_list ops = OPS(
        frag_op(0, 0, 0), load_op(0, 0, 0, SWP_K0), load_op(1, 0, 0, SWP_K0), mma_op(0, 0),
        frag_op(0, 0, 0), frag_op(1, 0, 0), load_op(0, 0, 0, SWP_K0), mma_op(0, 1),
        frag_op(1, 1, 0), mma_op(0, 0), frag_op(0, 1, 0), load_op(1, 0, 0, SWP_K0), mma_op(0, 1));
    swp_program p;
    assert_ok(ctx, swp_construct_mma_blocks(ctx, ops.items, ops.count, &config, &sched, &p));
    assert_int_equal(swp_derive_drain_mask(&p), 0xa);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(waits_are_the_most_of_first_blocks_and_the_least_of_own_stages),
        CONTEXT_TEST(the_second_half_may_have_the_most_lgkm),
        CONTEXT_TEST(arguments_stand_in_for_unset_lgkm_channel_by_channel),
        cmocka_unit_test(two_mmas_along_k_make_one_global_safe),
        CONTEXT_TEST(the_drain_mask_marks_fragments_of_another_channel_than_the_first_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
