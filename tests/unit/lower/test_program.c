/* SPDX-License-Identifier: Apache-2.0 */
/* PipelineProgram: blocks, or explicit lists, as one list (docs/schedules.md, "Expansion"). */
#include "fixture.h"
#include "ops.h"
#include "swp/program.h"
#include "swp/reference.h"

static swp_program two_blocks(swp_mma_block blocks[2])
{
    blocks[0] = swp_mma_block_new(mma_op(0, 0));
    blocks[1] = swp_mma_block_new(mma_op(0, 1));
    blocks[1].pre_sync = swp_op_wait_vm(3);
    return (swp_program){.blocks = {blocks, 2, 2}};
}

static void blocks_are_expanded_one_after_the_other(void **state)
{
    swp_context *ctx = *state;
    swp_mma_block blocks[2];
    const swp_program program = two_blocks(blocks);
    swp_entry_list entries = {0};
    assert_ok(ctx, swp_program_expand_to_list(ctx, &program, SWP_KERNEL, &entries));
    assert_entries(&entries, "bar lgkm0 prio1 M00 prio0 bar vm3 bar lgkm0 prio1 M01 prio0 bar");
    assert_int_equal(swp_program_total_entries(&program), 13);
    assert_int_equal(swp_program_block_start(&program, 1), 6);
    assert_int_equal(swp_program_mma_entry(&program, 0), 3);
    assert_int_equal(swp_program_mma_entry(&program, 1), 10);
}

static void a_trailing_barrier_comes_last(void **state)
{
    swp_context *ctx = *state;
    swp_mma_block blocks[2];
    swp_program program = two_blocks(blocks);
    swp_entry_list entries = {0};
    program.trailing_barrier = true;
    assert_ok(ctx, swp_program_expand_to_list(ctx, &program, SWP_EPILOGUE, &entries));
    assert_int_equal(entries.count, 14);
    assert_int_equal(entries.items[13].op.tag, SWP_TAG_BARRIER);
    assert_int_equal(entries.items[13].phase, SWP_EPILOGUE);
    assert_int_equal(swp_program_total_entries(&program), 14);
}

/* A prefetch load of an explicit list is not marked. */
static void explicit_lists_are_emitted_as_they_are(void **state)
{
    swp_context *ctx = *state;
    swp_mma_block blocks[2];
    swp_program program = two_blocks(blocks);
    swp_entry_list entries = {0};
    const swp_op_list own = OPS(load_op(0, 0, 0, SWP_K0), mma_op(0, 0));
    assert_ok(ctx, swp_op_lists_push(ctx, &program.explicit_blocks, own));
    assert_ok(ctx, swp_op_lists_push(ctx, &program.explicit_blocks, (swp_op_list){0}));
    assert_ok(ctx, swp_program_expand_to_list(ctx, &program, SWP_KERNEL, &entries));
    assert_entries(&entries, "LA00@k0 M00 vm3 bar lgkm0 prio1 M01 prio0 bar");
    assert_int_equal(swp_program_total_entries(&program), 9);
    assert_int_equal(swp_program_mma_entry(&program, 0), 1);
    assert_int_equal(swp_program_mma_entry(&program, 1), 6);
}

static void a_program_without_blocks_is_empty(void **state)
{
    swp_context *ctx = *state;
    const swp_program program = {0};
    swp_entry_list entries = {0};
    assert_ok(ctx, swp_program_expand_to_list(ctx, &program, SWP_KERNEL, &entries));
    assert_int_equal(entries.count, 0);
    assert_int_equal(swp_program_total_entries(&program), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(blocks_are_expanded_one_after_the_other),
        CONTEXT_TEST(a_trailing_barrier_comes_last),
        CONTEXT_TEST(explicit_lists_are_emitted_as_they_are),
        CONTEXT_TEST(a_program_without_blocks_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
