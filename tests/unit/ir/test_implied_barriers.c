/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers that published lists leave out become entries, and are left out again. */
#include "fixture.h"

#include "words.h"

#include "ir/implied_barriers.h"

static program two_loads(void)
{
    program p = program_double_buffer();
    program_read(&p, SWP_PROLOGUE, "A0.0:k0 B0.0:k0");
    return p;
}

static const swp_schedule *listed_of(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_schedule *listed = NULL;
    assert_ok(ctx, swp_ir_list_barriers(ctx, schedule, &listed));
    return listed;
}

static void that_of_the_loop_is_behind_the_prologue(void **state)
{
    program p = two_loads();
    const swp_schedule *listed = listed_of(*state, &p.schedule);
    const swp_entry_list *prologue = &listed->streams[0].prologue;
    assert_int_equal(p.schedule.streams[0].prologue.count, 2);
    assert_int_equal(prologue->count, 3);
    assert_int_equal(prologue->items[2].op.tag, SWP_TAG_BARRIER);
    assert_true(swp_ir_is_implied(&prologue->items[2].op));
    assert_int_equal(swp_ir_published_count(prologue), 2);
    program_free(&p);
}

static void it_is_listed_once(void **state)
{
    program p = two_loads();
    const swp_schedule *listed = listed_of(*state, &p.schedule);
    assert_ptr_equal(listed_of(*state, listed), listed);
    program_free(&p);
}

static void a_dropped_one_is_not_listed(void **state)
{
    program p = two_loads();
    p.schedule.drops_loop_barrier = true;
    assert_ptr_equal(listed_of(*state, &p.schedule), &p.schedule);
    program_free(&p);
}

static void a_loop_that_takes_the_next_tile_has_none(void **state)
{
    program p = program_single_buffer();
    assert_ptr_equal(listed_of(*state, &p.schedule), &p.schedule);
    program_free(&p);
}

static void what_is_hidden_again_is_the_same(void **state)
{
    program p = two_loads();
    swp_schedule again = *listed_of(*state, &p.schedule);
    swp_ir_hide_barriers(&again);
    assert_int_equal(again.streams[0].prologue.count, 2);
    assert_false(again.drops_loop_barrier);
    program_free(&p);
}

/* A published barrier at the end of the prologue stays where the loop's is taken out. */
static void what_was_taken_out_is_dropped(void **state)
{
    program p = two_loads();
    program_read(&p, SWP_PROLOGUE, "|");
    swp_schedule again = *listed_of(*state, &p.schedule);
    again.streams[0].prologue.count--;
    swp_ir_hide_barriers(&again);
    assert_int_equal(again.streams[0].prologue.count, 3);
    assert_true(again.drops_loop_barrier);
    program_free(&p);
}

/* Group 1 may fall behind at the end of the prologue, which the loop's barrier is not a part of. */
static void a_lag_begins_before_it_or_never(void **state)
{
    program p = two_loads();
    p.schedule.machine.groups = 2;
    p.schedule.machine.lag = 1;
    const swp_schedule *listed = listed_of(*state, &p.schedule);
    swp_schedule lagging = *listed;
    static const int entries[][2] = {{0, 0}, {2, 2}, {3, -1}, {4, -1}};
    for (size_t i = 0; i < COUNT_OF(entries); i++) {
        lagging.machine.lag_prologue_index = entries[i][0];
        assert_int_equal(swp_ir_lag_entry(&lagging), entries[i][1]);
    }
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(that_of_the_loop_is_behind_the_prologue),
        CONTEXT_TEST(it_is_listed_once),
        CONTEXT_TEST(a_dropped_one_is_not_listed),
        CONTEXT_TEST(a_loop_that_takes_the_next_tile_has_none),
        CONTEXT_TEST(what_is_hidden_again_is_the_same),
        CONTEXT_TEST(what_was_taken_out_is_dropped),
        CONTEXT_TEST(a_lag_begins_before_it_or_never),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
