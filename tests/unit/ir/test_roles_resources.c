/* SPDX-License-Identifier: Apache-2.0 */
#include "../emit/c/ring.h"

#include "ir/roles.h"

static void expect_warps(const swp_schedule *schedule, size_t role, int first, int end)
{
    const swp_ir_warps warps = swp_ir_role_warps(schedule, role);
    assert_int_equal(warps.first, first);
    assert_int_equal(warps.end, end);
}

static void roles_with_registers_have_whole_warp_groups(void **state)
{
    swp_schedule *schedule = ring(*state);
    expect_warps(schedule, PRODUCER, 0, 4);
    expect_warps(schedule, CONSUMER, 4, 12);
    assert_int_equal(swp_ir_all_warps(schedule), 12);
    assert_int_equal(swp_ir_instance_warps(schedule), 9);
    assert_int_equal(swp_ir_launch_registers(schedule), 168);
    swp_schedule_free(schedule);
}

static void others_stand_side_by_side_until_a_warp_group_begins(void **state)
{
    swp_schedule *schedule = ring(*state);
    schedule->streams[PRODUCER].registers = schedule->streams[CONSUMER].registers = 0;
    expect_warps(schedule, PRODUCER, 0, 1);
    expect_warps(schedule, CONSUMER, 4, 12);
    schedule->streams[CONSUMER].warps = 1;
    expect_warps(schedule, CONSUMER, 1, 3);
    assert_int_equal(swp_ir_launch_registers(schedule), 256);
    swp_schedule_free(schedule);
}

/* Ten warps are three in two of a multiprocessor's quarters, which have 16,384 registers each. */
static void registers_of_a_launch_are_those_of_the_fullest_quarter(void **state)
{
    swp_schedule *schedule = ring(*state);
    schedule->streams[PRODUCER].registers = schedule->streams[CONSUMER].registers = 0;
    schedule->streams[PRODUCER].warps = 8;
    schedule->streams[CONSUMER].warps = 1;
    assert_int_equal(swp_ir_all_warps(schedule), 10);
    assert_int_equal(swp_ir_launch_registers(schedule), 168);
    swp_schedule_free(schedule);
}

static void slots_of_a_kind_are_counted_on(void **state)
{
    swp_schedule *schedule = ring(*state);
    *object_of(schedule, 2) = (swp_role_object){
        .name = "turns", .kind = SWP_OBJECT_NAMED_BARRIER, .slots = 2, .threads = 256};
    *object_of(schedule, 3) =
        (swp_role_object){.name = "late", .kind = SWP_OBJECT_MBARRIER, .slots = 3, .arrivals = 1};
    schedule->object_count = 4;
    assert_int_equal(swp_ir_first_slot(schedule, EMPTY), 4);
    assert_int_equal(swp_ir_first_slot(schedule, 2), 0);
    assert_int_equal(swp_ir_first_slot(schedule, 3), 8);
    assert_int_equal(swp_ir_object_slots(schedule, SWP_OBJECT_MBARRIER), 11);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(roles_with_registers_have_whole_warp_groups),
        CONTEXT_TEST(others_stand_side_by_side_until_a_warp_group_begins),
        CONTEXT_TEST(registers_of_a_launch_are_those_of_the_fullest_quarter),
        CONTEXT_TEST(slots_of_a_kind_are_counted_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
