/* SPDX-License-Identifier: Apache-2.0 */
#include "../schedules.h"

#include "swp/reference.h"

static const char *name_of(const void *user, int tag)
{
    (void)user;
    return tag == 7 ? "LOAD" : NULL;
}

static const swp_op_namer namer = {name_of, NULL};

static void add(swp_context *ctx, swp_entry_list *list, swp_op op)
{
    const swp_entry entry = {.op = op, .time_slot = (int)list->count};
    assert_int_equal(swp_entry_list_push(ctx, list, entry), SWP_OK);
}

static swp_op load(void)
{
    swp_op op = swp_op_logical(7, 0, 1, 1, SWP_K_PREV);
    op.role = SWP_GLOBAL_LOAD;
    op.vm_cost = 4;
    return op;
}

static void counts_of_an_empty_phase_are_zero(void **state)
{
    (void)state;
    const swp_entry_list none = {0};
    const swp_sync_counts counts = swp_count_sync(&none);
    assert_int_equal(counts.vm_waits + counts.lgkm_waits + counts.merged_waits + counts.barriers +
                         counts.schedule_barriers,
                     0);
}

static void waits_merge_only_when_vm_comes_directly_before_lgkm(void **state)
{
    swp_entry_list list = {0};
    add(*state, &list, swp_op_wait_vm(4));
    add(*state, &list, swp_op_wait_lgkm(0)); /* merged with the one before */
    add(*state, &list, swp_op_wait_vm(4));
    add(*state, &list, swp_op_barrier());
    add(*state, &list, swp_op_wait_lgkm(0));
    add(*state, &list, swp_op_wait_vm(0)); /* the wrong way round */
    const swp_sync_counts counts = swp_count_sync(&list);
    assert_int_equal(counts.vm_waits, 3);
    assert_int_equal(counts.lgkm_waits, 2);
    assert_int_equal(counts.merged_waits, 1);
    assert_int_equal(counts.barriers, 1);
}

static void other_fences_are_no_schedule_barriers(void **state)
{
    swp_entry_list list = {0};
    add(*state, &list, swp_op_schedule_barrier());
    add(*state, &list, swp_op_sched_group_barrier(0, 1));
    add(*state, &list, swp_op_set_prio(1));
    const swp_sync_counts counts = swp_count_sync(&list);
    assert_int_equal(counts.schedule_barriers, 1);
    assert_int_equal(counts.barriers, 0);
}

static void a_line_shows(swp_context *ctx, swp_op op, bool is_prefetch, const char *expected)
{
    const swp_entry entry = {.op = op, .time_slot = 12, .is_prefetch = is_prefetch};
    char *text = NULL;
    assert_int_equal(swp_dump_entry(ctx, "> ", &entry, &namer, &text), SWP_OK);
    assert_string_equal(text, expected);
}

static void an_entry_is_one_line(void **state)
{
    swp_op compute = swp_op_logical(9, -1, 1, 0, SWP_K_NONE);
    compute.role = SWP_COMPUTE;
    a_line_shows(*state, load(), true,
                 ">   12  LOAD          slot 1   sub 1   K-1  vmcnt +4     prefetch\n");
    a_line_shows(*state, compute, false, ">   12  op9           row 1    col 0\n");
    a_line_shows(*state, swp_op_wait_vm(6), false, ">   12    wait_vm     vmcnt <= 6\n");
    a_line_shows(*state, swp_op_barrier(), false, ">   12    barrier\n");
    a_line_shows(*state, swp_op_set_prio(1), false, ">   12    set_prio    1\n");
    a_line_shows(*state, swp_op_sched_group_barrier(3, 2), false,
                 ">   12    sched_group_barrier  mfma x 2\n");
    a_line_shows(*state, swp_op_sched_group_barrier(9, 2), false,
                 ">   12    sched_group_barrier  mask 9 x 2\n");
}

static void a_phase_has_a_header_and_a_line_an_entry(void **state)
{
    swp_entry_list list = {0};
    add(*state, &list, load());
    add(*state, &list, swp_op_barrier());
    char *text = NULL;
    assert_int_equal(swp_dump_phase(*state, "kernel", &list, &namer, &text), SWP_OK);
    assert_string_equal(text, "kernel: 2 entries, 0 vm and 0 lgkm waits (0 merged), 1 barrier\n"
                              "   0  LOAD          slot 1   sub 1   K-1  vmcnt +4\n"
                              "   1    barrier\n");
}

static void blocks_show_what_they_hold(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    char *text = NULL;
    assert_int_equal(swp_dump_program_blocks(*state, &schedule->program, NULL, &text), SWP_OK);
    assert_has(text, "program: 8 blocks");
    assert_int_equal(occurrences(text, "\nblock "), 8);
    assert_int_equal(occurrences(text, "\n  fragment load "), 8);
    assert_int_equal(occurrences(text, "\n  global load "), 8);
    assert_int_equal(occurrences(text, "\n  mma "), 8);
    assert_int_equal(occurrences(text, "wait_vm(12)"), 2);
    assert_int_equal(occurrences(text, "  prefetch\n"), 7);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_an_empty_phase_are_zero),
        TEST_IN_CONTEXT(waits_merge_only_when_vm_comes_directly_before_lgkm),
        TEST_IN_CONTEXT(other_fences_are_no_schedule_barriers),
        TEST_IN_CONTEXT(an_entry_is_one_line),
        TEST_IN_CONTEXT(a_phase_has_a_header_and_a_line_an_entry),
        TEST_IN_CONTEXT(blocks_show_what_they_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
