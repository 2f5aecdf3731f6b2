/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

#include "emit/c/roles.h"

static swp_status check(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_c_header header = {.ctx = ctx, .schedule = schedule};
    swp_context_clear_diags(ctx);
    return swp_c_check_roles(&header);
}

static void expect_refusal(swp_context *ctx, const swp_schedule *schedule, const char *code,
                           const char *text)
{
    assert_int_equal(check(ctx, schedule), SWP_INVALID);
    assert_diag(ctx, code, text);
}

static void registers_that_cannot_be_set_are_refused(void **state)
{
    swp_schedule *schedule = ring(*state);
    assert_ok(*state, check(*state, schedule));
    schedule->streams[PRODUCER].registers = 42;
    expect_refusal(*state, schedule, "E0705", "role producer: 42 registers");
    schedule->streams[PRODUCER].registers = 16;
    expect_refusal(*state, schedule, "E0705", "role producer: 16 registers");
    /* 12 warps are launched with 168: 40 and twice 232 are as many. */
    schedule->streams[PRODUCER].registers = 48;
    expect_refusal(*state, schedule, "E0705", "has 2016");
    swp_schedule_free(schedule);
}

static void more_than_a_phase_counts_is_refused(void **state)
{
    swp_schedule *schedule = ring(*state);
    swp_role_object *full = object_of(schedule, FULL);
    full->arrivals = (1 << 20) - 1;
    assert_ok(*state, check(*state, schedule));
    full->arrivals = 1 << 20;
    expect_refusal(*state, schedule, "E0705", "mbarrier full");
    full->arrivals = 1;
    schedule->streams[PRODUCER].kernel.items[1].op.bytes = 1 << 20;
    expect_refusal(*state, schedule, "E0705", "role producer: 1048576 bytes");
    schedule->streams[PRODUCER].kernel.items[1].op.bytes = 1;
    schedule->streams[PRODUCER].prologue.items[1].op.bytes = 1 << 20;
    expect_refusal(*state, schedule, "E0705", "role producer: 1048576 bytes");
    schedule->streams[PRODUCER].prologue.items[1].op.bytes = 1;
    schedule->streams[PRODUCER].prologue.items[2].op.bytes = 1 << 20;
    expect_refusal(*state, schedule, "E0705", "role producer: 1048576 bytes");
    swp_schedule_free(schedule);
}

/* Each of two arrivals expects what a phase can count, and both together more; of two phases that is right. */
static void arrivals_of_one_phase_in_any_list_are_summed(void **state)
{
    enum { BYTES = 600000 };
    swp_schedule *schedule = ring(*state);
    swp_entry_list *straight = &schedule->streams[PRODUCER].tails.straight[0];
    swp_entry arrival = schedule->streams[PRODUCER].kernel.items[1];
    arrival.op.bytes = BYTES;
    for (int turn = 0; turn < 2; turn++) {
        arrival.op.iteration = turn;
        assert_ok(*state, swp_entry_list_push(*state, straight, arrival));
    }
    assert_int_equal(swp_ir_most_phase_bytes(schedule, FULL), BYTES);
    assert_ok(*state, check(*state, schedule));
    straight->items[straight->count - 1].op.iteration = 0;
    assert_int_equal(swp_ir_most_phase_bytes(schedule, FULL), 2 * BYTES);
    expect_refusal(*state, schedule, "E0705", "mbarrier full: a phase expects 1200000 bytes");
    swp_schedule_free(schedule);
}

static void named_barriers_are_of_whole_warps_and_at_most_15(void **state)
{
    swp_schedule *schedule = ring(*state);
    swp_role_object *more = object_of(schedule, schedule->object_count++);
    *more = (swp_role_object){
        .name = "turns", .kind = SWP_OBJECT_NAMED_BARRIER, .slots = 15, .threads = 256};
    assert_ok(*state, check(*state, schedule));
    more->threads = 100;
    expect_refusal(*state, schedule, "E0705", "its 100 threads");
    more->threads = 256;
    more->slots = 16;
    expect_refusal(*state, schedule, "E0705", "16 slots");
    swp_schedule_free(schedule);
}

static void warps_that_cannot_be_are_refused(void **state)
{
    swp_schedule *schedule = ring(*state);
    schedule->streams[PRODUCER].registers = schedule->streams[CONSUMER].registers = 0;
    schedule->streams[CONSUMER].warps = 2;
    expect_refusal(*state, schedule, "E0705", "an instance has 2");
    schedule->streams[CONSUMER].warps = 4;
    schedule->streams[CONSUMER].instances = 7;
    assert_ok(*state, check(*state, schedule));
    schedule->streams[CONSUMER].instances = 8;
    expect_refusal(*state, schedule, "E0705", "36 warps");
    swp_schedule_free(schedule);
}

static void a_loop_that_begins_elsewhere_is_refused(void **state)
{
    swp_schedule *schedule = ring(*state);
    schedule->loop.first_base = 1;
    expect_refusal(*state, schedule, "E0801", "first_base is 1");
    schedule->loop.first_base = 0;
    schedule->loop.tiles_per_pass = 0;
    expect_refusal(*state, schedule, "E0701", "describe no loop");
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(registers_that_cannot_be_set_are_refused),
        CONTEXT_TEST(more_than_a_phase_counts_is_refused),
        CONTEXT_TEST(arrivals_of_one_phase_in_any_list_are_summed),
        CONTEXT_TEST(named_barriers_are_of_whole_warps_and_at_most_15),
        CONTEXT_TEST(warps_that_cannot_be_are_refused),
        CONTEXT_TEST(a_loop_that_begins_elsewhere_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
