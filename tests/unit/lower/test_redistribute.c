/* SPDX-License-Identifier: Apache-2.0 */
/* docs/schedules.md, "Redistribution". */
#include "fixture.h"
#include "ops.h"
#include "swp/program.h"

#include <stdio.h>
#include <string.h>

/* Blocks with these numbers of loads, all of A, with subtiles counted through. */
static swp_program blocks_with(swp_context *ctx, const size_t *counts, size_t count)
{
    swp_program program = {0};
    int subtile = 0;
    program.blocks.items = swp_context_take(ctx, count * sizeof(swp_mma_block));
    program.blocks.count = program.blocks.capacity = count;
    for (size_t i = 0; i < count; i++) {
        swp_mma_block block = swp_mma_block_new(mma_op(0, 0));
        block.globals.items = swp_context_take(ctx, counts[i] * sizeof(swp_block_load));
        block.globals.count = block.globals.capacity = counts[i];
        for (size_t j = 0; j < counts[i]; j++, subtile++)
            block.globals.items[j] =
                (swp_block_load){load_op(0, 0, subtile, SWP_K0), subtile % 2 == 1};
        program.blocks.items[i] = block;
    }
    return program;
}

/* "0 1 | 2 |": the subtiles of each block's loads. */
static void expect_loads(const swp_program *program, const char *text)
{
    char found[256] = "";
    for (size_t i = 0; i < program->blocks.count; i++) {
        const swp_block_load_list *loads = &program->blocks.items[i].globals;
        if (i > 0)
            strcat(found, "|");
        for (size_t j = 0; j < loads->count; j++)
            sprintf(found + strlen(found), "%d%s", loads->items[j].op.subtile,
                    loads->items[j].is_prefetch ? "* " : " ");
    }
    assert_string_equal(found, text);
}

static void no_limit_moves_nothing(void **state)
{
    const size_t counts[] = {3, 0};
    swp_program p = blocks_with(*state, counts, 2);
    assert_ok(*state, swp_redistribute_globals(*state, &p, 0, 0));
    expect_loads(&p, "0 1* 2 |");
}

/* Block 0 gives up 2 then 1, block 2 gives up 5 then 4; 1 and 3 take from the front. */
static void loads_above_the_limit_go_last_first_through_one_queue(void **state)
{
    const size_t counts[] = {3, 0, 3, 0, 0, 0};
    swp_program p = blocks_with(*state, counts, 6);
    assert_ok(*state, swp_redistribute_globals(*state, &p, 1, 0));
    expect_loads(&p, "0 |2 |3* |1* |5* |4 ");
}

static void a_block_with_room_takes_up_to_the_limit(void **state)
{
    const size_t counts[] = {5, 1};
    swp_program p = blocks_with(*state, counts, 2);
    assert_ok(*state, swp_redistribute_globals(*state, &p, 3, 0));
    expect_loads(&p, "0 1* 2 |5* 4 3* ");
}

static void loads_left_over_are_an_error_with_their_number(void **state)
{
    const size_t counts[] = {4, 0};
    swp_program p = blocks_with(*state, counts, 2);
    assert_status(*state, swp_redistribute_globals(*state, &p, 1, 0), SWP_INVALID);
    assert_diag(*state, "E0503", "2");
}

/* Block 1 has a fragment and gets its first load: its drain bit counts now. */
static void a_taker_recomputes_its_drain_flag(void **state)
{
    swp_context *ctx = *state;
    const size_t counts[] = {3, 0, 0};
    swp_program p = blocks_with(ctx, counts, 3);
    assert_ok(ctx, swp_op_list_push(ctx, &p.blocks.items[1].frags, frag_op(0, 0, 0)));
    assert_ok(ctx, swp_redistribute_globals(ctx, &p, 1, 0x6));
    assert_false(p.blocks.items[0].drain_lgkm_before_loads);
    assert_true(p.blocks.items[1].drain_lgkm_before_loads);
    assert_false(p.blocks.items[2].drain_lgkm_before_loads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(no_limit_moves_nothing),
        CONTEXT_TEST(loads_above_the_limit_go_last_first_through_one_queue),
        CONTEXT_TEST(a_block_with_room_takes_up_to_the_limit),
        CONTEXT_TEST(loads_left_over_are_an_error_with_their_number),
        CONTEXT_TEST(a_taker_recomputes_its_drain_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
