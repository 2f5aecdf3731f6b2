/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The positions that a block states agree with what it expands to, and what it expands to is what
 * docs/schedules.md, "Expansion", says, for every combination of flags, waits, fused MMA, fragments
 * and loads.
 */
#include "block_cases.h"
#include "fixture.h"
#include "ops.h"

#include "swp/reference.h"

static void check_entries(const swp_entry_list *entries, const expected_ops *expected)
{
    assert_int_equal(entries->count, expected->count);
    for (size_t i = 0; i < expected->count; i++) {
        if (!same_op(&entries->items[i].op, &expected->ops[i]))
            fail_msg("entry %zu is tag %d, not %d", i, entries->items[i].op.tag,
                     expected->ops[i].tag);
        assert_int_equal(entries->items[i].is_prefetch, expected->prefetch[i]);
        assert_int_equal(entries->items[i].time_slot, i);
        assert_int_equal(entries->items[i].phase, SWP_EPILOGUE);
    }
}

static void check_positions(const swp_mma_block *block, const expected_ops *expected)
{
    assert_int_equal(swp_mma_block_entry_count(block), expected->count);
    assert_int_equal(swp_mma_block_mma_position(block), expected->mma);
    assert_int_equal(swp_mma_block_post_barrier_lgkm_position(block), expected->post_barrier_lgkm);
}

/* Two blocks, so that starts and MMA entries of the second one count. */
static void check_program(swp_mma_block *block, const expected_ops *expected)
{
    swp_mma_block blocks[] = {*block, *block};
    const swp_program program = {.blocks = {blocks, 2, 2}, .trailing_barrier = true};
    const int count = (int)expected->count;
    assert_int_equal(swp_program_block_start(&program, 0), 0);
    assert_int_equal(swp_program_block_start(&program, 1), count);
    assert_int_equal(swp_program_mma_entry(&program, 0), expected->mma);
    assert_int_equal(swp_program_mma_entry(&program, 1), count + expected->mma);
    assert_int_equal(swp_program_total_entries(&program), 2 * count + 1);
}

static void check_case(swp_context *ctx, swp_mma_block *block)
{
    const expected_ops expected = expected_expansion(block);
    swp_entry_builder builder = swp_entry_builder_new(ctx, SWP_EPILOGUE);
    assert_ok(ctx, swp_mma_block_expand(block, &builder));
    check_entries(&builder.entries, &expected);
    check_positions(block, &expected);
    check_program(block, &expected);
}

static void positions_agree_with_expansion_for_every_combination(void **state)
{
    (void)state;
    const size_t counts[] = {0, 1, 3};
    block_ops ops = block_ops_make();
    for (unsigned flags = 0; flags < BLOCK_FLAG_COMBINATIONS; flags++) {
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        for (unsigned present = 0; present < BLOCK_PRESENCE_COMBINATIONS; present++)
            for (size_t frags = 0; frags < COUNT_OF(counts); frags++)
                for (size_t loads = 0; loads < COUNT_OF(counts); loads++) {
                    swp_mma_block block =
                        block_case(&ops, flags, present, counts[frags], counts[loads]);
                    check_case(ctx, &block);
                }
        swp_context_free(ctx);
    }
}

static void check_minimal_case(swp_context *ctx, const swp_mma_block *block, bool wrap,
                               bool global_before_frag)
{
    const expected_ops expected = expected_minimal_block(block, wrap, global_before_frag);
    swp_op_list found = {0};
    assert_ok(ctx, swp_emit_minimal_barrier_block(ctx, block, wrap, global_before_frag, &found));
    assert_int_equal(found.count, expected.count);
    for (size_t i = 0; i < expected.count; i++)
        if (!same_op(&found.items[i], &expected.ops[i]))
            fail_msg("op %zu is tag %d, not %d", i, found.items[i].tag, expected.ops[i].tag);
}

static void the_minimal_block_is_what_its_paragraph_says_for_every_combination(void **state)
{
    (void)state;
    block_ops ops = block_ops_make();
    for (unsigned flags = 0; flags < BLOCK_FLAG_COMBINATIONS; flags++) {
        swp_context *ctx = swp_context_new(NULL);
        assert_non_null(ctx);
        for (unsigned present = 0; present < BLOCK_PRESENCE_COMBINATIONS; present++)
            for (unsigned rest = 0; rest < 16; rest++) {
                const size_t frags = rest & 1 ? 3 : 0;
                const size_t loads = rest & 2 ? 2 : 0;
                const swp_mma_block block = block_case(&ops, flags, present, frags, loads);
                check_minimal_case(ctx, &block, (rest & 4) != 0, (rest & 8) != 0);
            }
        swp_context_free(ctx);
    }
}

/* Explicit lists count with their own length and MMA; an empty one falls back to the template. */
static void explicit_lists_count_as_they_are(void **state)
{
    swp_context *ctx = *state;
    swp_mma_block blocks[] = {swp_mma_block_new(mma_op(0, 0)), swp_mma_block_new(mma_op(0, 1)),
                              swp_mma_block_new(mma_op(1, 0))};
    swp_op_list lists[] = {
        OPS(swp_op_barrier(), load_op(0, 0, 0, SWP_K0), mma_op(0, 0)), {0}, OPS(swp_op_wait_vm(1))};
    const swp_program program = {.blocks = {blocks, 3, 3}, .explicit_blocks = {lists, 3, 3}};
    swp_entry_list entries = {0};
    assert_ok(ctx, swp_program_expand_to_list(ctx, &program, SWP_KERNEL, &entries));
    assert_entries(&entries, "bar LA00@k0 M00 bar lgkm0 prio1 M01 prio0 bar vm1");
    assert_int_equal(swp_program_total_entries(&program), 10);
    assert_int_equal(swp_program_block_start(&program, 1), 3);
    assert_int_equal(swp_program_block_start(&program, 2), 9);
    assert_int_equal(swp_program_mma_entry(&program, 0), 2);
    assert_int_equal(swp_program_mma_entry(&program, 1), 6);
    assert_int_equal(swp_program_mma_entry(&program, 2), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_agree_with_expansion_for_every_combination),
        cmocka_unit_test(the_minimal_block_is_what_its_paragraph_says_for_every_combination),
        CONTEXT_TEST(explicit_lists_count_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
