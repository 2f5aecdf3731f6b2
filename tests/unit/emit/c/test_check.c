/* SPDX-License-Identifier: Apache-2.0 */
#include "../schedules.h"

#include "fixture.h"

#include "emit/c/header.h"

static swp_status check(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_c_header header = {
        .ctx = ctx, .schedule = schedule, .machine = swp_c_machine_of(schedule->target)};
    swp_context_clear_diags(ctx);
    return swp_c_check(&header);
}

static swp_op *last_of(swp_schedule *schedule, int tag)
{
    for (size_t i = schedule->streams[0].kernel.count; i-- > 0;)
        if (schedule->streams[0].kernel.items[i].op.tag == tag)
            return &schedule->streams[0].kernel.items[i].op;
    fail_msg("no op of tag %d", tag);
    return NULL;
}

static void numbers_beyond_an_instruction_are_refused(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    assert_int_equal(check(*state, schedule), SWP_OK);
    swp_op *prio = last_of(schedule, SWP_TAG_SET_PRIO);
    prio->wait_value = 3;
    assert_int_equal(check(*state, schedule), SWP_OK);
    prio->wait_value = 4;
    assert_int_equal(check(*state, schedule), SWP_INVALID);
    assert_diag(*state, "E0802", "(set_prio): the priority is 4");
    schedule->target = "sm_80"; /* which has none, so any will do */
    schedule->machine.vm_max = SWP_MOST_ACCESSES;
    assert_int_equal(check(*state, schedule), SWP_OK);
    last_of(schedule, SWP_TAG_WAIT_VM)->wait_value = -1;
    assert_int_equal(check(*state, schedule), SWP_INVALID);
    assert_diag(*state, "E0802", "(wait_vm): its number is -1");
    swp_schedule_free(schedule);
}

static void a_wait_that_is_none_is_refused(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    last_of(schedule, SWP_TAG_WAIT_LGKM)->tag = 9;
    assert_int_equal(check(*state, schedule), SWP_INVALID);
    assert_diag(*state, "E0802", "its kind is sync, but its tag is 9");
    swp_schedule_free(schedule);
}

static void masks_are_the_compilers(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    swp_op *hint = last_of(schedule, SWP_TAG_SCHED_GROUP_BARRIER);
    assert_int_equal(check(*state, schedule), SWP_OK);
    hint->subtile = 4;
    assert_int_equal(check(*state, schedule), SWP_INVALID);
    assert_diag(*state, "E0802", "the mask is 4");
    /* LLVM's: DS read, DS write, VMEM read, MFMA. */
    assert_int_equal(swp_c_group_mask(0), 0x100);
    assert_int_equal(swp_c_group_mask(1), 0x200);
    assert_int_equal(swp_c_group_mask(2), 0x20);
    assert_int_equal(swp_c_group_mask(3), 0x8);
    swp_schedule_free(schedule);
}

/* A proof with a smaller counter rests on stalls that the real one does not have. */
static void a_counter_that_stalls_too_early_is_refused(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->machine.vm_max = 62;
    assert_int_equal(check(*state, schedule), SWP_INVALID);
    assert_diag(*state, "E0803", "machine.vm_max is 62, but on mi355x issue stalls at 63 only");
    schedule->machine.vm_max = 100;
    assert_int_equal(check(*state, schedule), SWP_OK);
    schedule->machine.lgkm_max = 14;
    assert_int_equal(check(*state, schedule), SWP_INVALID);
    schedule->machine.counter_full = SWP_COUNTER_WRAPS;
    assert_int_equal(check(*state, schedule), SWP_OK);
    swp_schedule_free(schedule);
}

/* In a schedule of two forms, each with the same prologue and loop. */
static void a_wait_that_no_counter_holds_is_warned_of_once(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    swp_entry_list other = schedule->streams[0].epilogue;
    size_t count = 0;
    schedule->streams[0].tails = (swp_tails){.epilogues = &other, .epilogue_count = 1};
    last_of(schedule, SWP_TAG_WAIT_VM)->wait_value = 64;
    assert_int_equal(check(*state, schedule), SWP_OK);
    assert_diag(*state, "W0801", "lets 64 stay outstanding");
    (void)swp_context_diags(*state, &count);
    assert_int_equal(count, 1);
    schedule->streams[0].tails = (swp_tails){0};
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(numbers_beyond_an_instruction_are_refused),
        TEST_IN_CONTEXT(a_wait_that_is_none_is_refused),
        TEST_IN_CONTEXT(masks_are_the_compilers),
        TEST_IN_CONTEXT(a_wait_that_no_counter_holds_is_warned_of_once),
        TEST_IN_CONTEXT(a_counter_that_stalls_too_early_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
