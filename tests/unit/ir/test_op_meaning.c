/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers of an op mean something, and bodies that state others. */
#include "fixture.h"
#include "ir/check_body.h"
#include "ir/op_meaning.h"
#include "ops.h"

#include <stddef.h>

static void expect_idle(swp_op op, swp_placement placement, const char *name, const char *value)
{
    swp_idle_member idle;
    assert_true(swp_ir_op_idle_member(&op, placement, &idle));
    assert_string_equal(idle.name, name);
    assert_string_equal(idle.value, value);
}

static void expect_sound(swp_op op, swp_placement placement)
{
    swp_idle_member idle;
    assert_false(swp_ir_op_idle_member(&op, placement, &idle));
}

static void what_a_double_buffer_reads(void **state)
{
    (void)state;
    swp_op load = load_op(1, 1, 1, SWP_K_PREV);
    load.vm_cost = 4;
    expect_sound(load, SWP_PLACE_K_OFFSET);
    load.wait_value = 3;
    expect_idle(load, SWP_PLACE_K_OFFSET, "wait", "3");
    swp_op fragment = frag_op(0, 1, 1);
    fragment.lgkm_cost = 8;
    expect_sound(fragment, SWP_PLACE_K_OFFSET);
    fragment.k_offset = SWP_K_PREV;
    expect_idle(fragment, SWP_PLACE_K_OFFSET, "k_offset", "k_prev");
    swp_op compute = mma_op(1, 1);
    expect_sound(compute, SWP_PLACE_K_OFFSET);
    compute.channel = 0;
    expect_idle(compute, SWP_PLACE_K_OFFSET, "channel", "0");
}

static void what_a_single_buffer_reads(void **state)
{
    (void)state;
    expect_sound(load_op(0, 0, 0, SWP_K_NONE), SWP_PLACE_NEXT_TILE);
    expect_idle(load_op(0, 1, 0, SWP_K_NONE), SWP_PLACE_NEXT_TILE, "stage", "1");
    expect_idle(load_op(0, 0, 0, SWP_K0), SWP_PLACE_NEXT_TILE, "k_offset", "k0");
    expect_sound(frag_op(0, 0, 3), SWP_PLACE_NEXT_TILE);
    expect_sound(mma_op(0, 3), SWP_PLACE_NEXT_TILE);
    expect_idle(mma_op(2, 0), SWP_PLACE_NEXT_TILE, "stage", "2");
    expect_sound(store_op(0, 0, 0), SWP_PLACE_NEXT_TILE);
    expect_idle(store_op(0, 0, 1), SWP_PLACE_NEXT_TILE, "subtile", "1");
}

static void what_the_frameworks_ops_say(void **state)
{
    (void)state;
    expect_sound(swp_op_barrier(), SWP_PLACE_K_OFFSET);
    expect_sound(swp_op_wait_vm(4), SWP_PLACE_K_OFFSET);
    expect_sound(swp_op_set_prio(1), SWP_PLACE_NEXT_TILE);
    expect_sound(swp_op_sched_group_barrier(3, 2), SWP_PLACE_NEXT_TILE);
    swp_op barrier = swp_op_barrier();
    barrier.wait_value = 1;
    expect_idle(barrier, SWP_PLACE_K_OFFSET, "wait", "1");
    swp_op wait = swp_op_wait_lgkm(1);
    wait.subtile = 2;
    expect_idle(wait, SWP_PLACE_K_OFFSET, "subtile", "2");
}

/* Nobody knows what an op of such a role reads, so nothing of it is idle. */
static void roles_without_a_model_keep_their_numbers(void **state)
{
    (void)state;
    swp_op op = store_op(1, 1, 1);
    op.wait_value = 7;
    expect_sound(op, SWP_PLACE_K_OFFSET);
    op.role = SWP_VALU_COMPUTE;
    expect_sound(op, SWP_PLACE_NEXT_TILE);
}

static void expect_refused(swp_context *ctx, swp_op op, const char *text)
{
    swp_pipeline_config config = swp_pipeline_config_default();
    config.m_mmas = 3;
    config.n_mmas = 2;
    swp_context_clear_diags(ctx);
    assert_status(ctx, swp_ir_check_meaning(ctx, &op, 1, &config), SWP_INVALID);
    assert_diag(ctx, "E0301", text);
}

static void bodies_that_say_what_nobody_reads_are_refused(void **state)
{
    swp_op op = mma_op(0, 0);
    op.channel = 1;
    expect_refused(*state, op, "`channel` of op 0 (op5) is 1");
    expect_refused(*state, mma_op(3, 0), "row 3, column 0 of a grid of 3x2");
    expect_refused(*state, mma_op(0, 2), "row 0, column 2 of a grid of 3x2");
    expect_refused(*state, frag_op(-1, 0, 0), "has no channel");
    op = mma_op(0, 0);
    op.role = SWP_FENCE;
    expect_refused(*state, op, "kind fence");
    op = swp_op_barrier();
    op.role = SWP_COMPUTE;
    expect_refused(*state, op, "kind compute");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_double_buffer_reads),
        cmocka_unit_test(what_a_single_buffer_reads),
        cmocka_unit_test(what_the_frameworks_ops_say),
        cmocka_unit_test(roles_without_a_model_keep_their_numbers),
        CONTEXT_TEST(bodies_that_say_what_nobody_reads_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
