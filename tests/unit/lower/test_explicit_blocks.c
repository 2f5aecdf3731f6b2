/* SPDX-License-Identifier: Apache-2.0 */
/* Explicit lists hold what their block holds, once. */
#include "fixture.h"
#include "lower/explicit_blocks.h"
#include "ops.h"
#include "programs.h"

/* Two blocks: a fragment, a load and an MMA; an MMA. */
static void check(swp_context *ctx, swp_op_list first, swp_op_list second, bool taken)
{
    const swp_schedule_config sched = swp_schedule_config_default();
    swp_program program = row_program(
        ctx, OPS(frag_op(0, 0, 0), load_op(0, 0, 0, SWP_K0), mma_op(0, 0), mma_op(0, 0)), 1,
        &sched);
    assert_ok(ctx, swp_op_lists_push(ctx, &program.explicit_blocks, first));
    assert_ok(ctx, swp_op_lists_push(ctx, &program.explicit_blocks, second));
    swp_context_clear_diags(ctx);
    assert_status(ctx, swp_lower_check_explicit_blocks(ctx, &program),
                  taken ? SWP_OK : SWP_INVALID);
    assert_int_equal(has_diag(ctx, "E0505", NULL), !taken);
}

static void any_order_and_any_framework_op_is_taken(void **state)
{
    check(*state,
          OPS(load_op(0, 0, 0, SWP_K0), swp_op_barrier(), mma_op(0, 0), frag_op(0, 0, 0),
              swp_op_wait_vm(0)),
          OPS(mma_op(0, 0)), true);
    check(*state, (swp_op_list){0}, (swp_op_list){0}, true);
}

static void an_op_lost_twice_or_of_another_block_is_refused(void **state)
{
    check(*state, OPS(frag_op(0, 0, 0), mma_op(0, 0)), OPS(mma_op(0, 0)), false);
    check(*state, OPS(frag_op(0, 0, 0), load_op(0, 0, 0, SWP_K0)), OPS(mma_op(0, 0)), false);
    check(*state, (swp_op_list){0}, OPS(mma_op(0, 0), mma_op(0, 0)), false);
    check(*state, (swp_op_list){0}, OPS(mma_op(0, 0), frag_op(0, 0, 0)), false);
    check(*state, OPS(frag_op(0, 0, 1), load_op(0, 0, 0, SWP_K0), mma_op(0, 0)), OPS(mma_op(0, 0)),
          false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(any_order_and_any_framework_op_is_taken),
        CONTEXT_TEST(an_op_lost_twice_or_of_another_block_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
