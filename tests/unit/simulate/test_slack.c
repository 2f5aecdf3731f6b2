/* SPDX-License-Identifier: Apache-2.0 */
#include "programs.h"
#include "roles_program.h"

#include "swp/loop.h"

static swp_verdict verdict_of(swp_hazard *hazard)
{
    return (swp_verdict){.hazards = {.items = hazard, .count = 1, .capacity = 1}};
}

static void slack_is_from_the_end_of_one_to_the_issue_of_the_other(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    swp_hazard hazard = {.kind = SWP_STALE_READ,
                         .at = {SWP_EPILOGUE, 0},
                         .has_other = true,
                         .other = {SWP_PROLOGUE, 0},
                         .passes_before = 1,
                         .smallest_n = 2};
    swp_verdict verdict = verdict_of(&hazard);
    add(ctx, &s.streams[0].prologue, SWP_PROLOGUE, load(0, 1));
    add(ctx, &s.streams[0].epilogue, SWP_EPILOGUE, fragment(0, 0));
    KERNEL(ctx, &s, mma(0, 0), mma(0, 0));
    /* Load from 0 to 100, barrier at 1, read at 2. */
    assert_ok(ctx, swp_simulate_slack(ctx, &s, &verdict));
    assert_true(hazard.has_slack);
    assert_int_equal(hazard.slack_cycles, -98);
    /* With four passes between them, of an MMA at 2 and then every 16 cycles, at 2 + 7 * 16 + 1. */
    hazard.smallest_n = 10;
    hazard.passes_before = 5;
    assert_ok(ctx, swp_simulate_slack(ctx, &s, &verdict));
    assert_int_equal(hazard.slack_cycles, 2 + 7 * 16 + 1 - 100);
}

static void slack_is_for_what_latency_can_prevent(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    swp_hazard hazard = {.kind = SWP_WRONG_TILE,
                         .at = {SWP_KERNEL, 0},
                         .has_other = true,
                         .other = {SWP_KERNEL, 0},
                         .smallest_n = 4,
                         .has_slack = true};
    swp_verdict verdict = verdict_of(&hazard);
    KERNEL(ctx, &s, mma(0, 0));
    assert_ok(ctx, swp_simulate_slack(ctx, &s, &verdict));
    assert_false(hazard.has_slack);
    hazard.kind = SWP_STALE_READ;
    hazard.other.entry = 7; /* there is none */
    assert_ok(ctx, swp_simulate_slack(ctx, &s, &verdict));
    assert_false(hazard.has_slack);
    hazard.other.entry = 0;
    hazard.smallest_n = 1 << 30; /* too long a run */
    assert_ok(ctx, swp_simulate_slack(ctx, &s, &verdict));
    assert_false(hazard.has_slack);
}

/* The hazard counts between any two groups: here the read of group 0 and the load of group 1. */
static void slack_is_the_least_over_groups(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = empty_schedule();
    swp_hazard hazard = {.kind = SWP_STALE_READ,
                         .at = {SWP_EPILOGUE, 0},
                         .has_other = true,
                         .other = {SWP_PROLOGUE, 1},
                         .passes_before = 1,
                         .smallest_n = 2};
    swp_verdict verdict = verdict_of(&hazard);
    s.machine.groups = 2;
    add(ctx, &s.streams[0].prologue, SWP_PROLOGUE, mma(0, 0));
    add(ctx, &s.streams[0].prologue, SWP_PROLOGUE, load(0, 1));
    add(ctx, &s.streams[0].epilogue, SWP_EPILOGUE, fragment(0, 0));
    /* MMAs at 0 and 16; loads at 1 and 17, until 101 and 117; barrier at 18, reads at 19. */
    assert_ok(ctx, swp_simulate_slack(ctx, &s, &verdict));
    assert_int_equal(hazard.slack_cycles, 19 - 117);
    hazard.kind = SWP_REGISTER_NOT_READY;
    assert_ok(ctx, swp_simulate_slack(ctx, &s, &verdict));
    assert_int_equal(hazard.slack_cycles, 19 - 117);
}

/* The MMA is issued at 0 and ends at 9; its commit is at 1, and what reads the sum at 2. */
static void slack_of_warp_roles_is_told_too(void **state)
{
    roles_program p;
    swp_loop_builder *l = swp_loop_new(*state, "sum");
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_hazard hazard = {.kind = SWP_ACCUMULATOR_IN_FLIGHT,
                         .at = {SWP_KERNEL, 2},
                         .has_other = true,
                         .other = {SWP_KERNEL, 0},
                         .smallest_n = 1};
    swp_verdict verdict = verdict_of(&hazard);
    swp_work(l, "MMA", .latency = 9, .completion = SWP_COMPLETION_MATRIX_GROUP, .updates = {sum});
    swp_work(l, "READ", .latency = 1, .completion = SWP_COMPLETION_NONE, .reads = {{.value = sum}});
    roles_program_begin(&p, *state, l, 1, 0);
    roles_program_add(&p, .name = "consumer", .warps = 4,
                      .kernel = "MMA+0 matrix_commit READ+0 matrix_wait:0");
    assert_ok(*state, swp_simulate_slack(*state, &p.schedule, &verdict));
    assert_true(hazard.has_slack);
    assert_int_equal(hazard.slack_cycles, 2 - 9);
    hazard.other_stream = 1; /* whose instances there are none of */
    assert_ok(*state, swp_simulate_slack(*state, &p.schedule, &verdict));
    assert_false(hazard.has_slack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(slack_is_from_the_end_of_one_to_the_issue_of_the_other),
        CONTEXT_TEST(slack_is_for_what_latency_can_prevent),
        CONTEXT_TEST(slack_is_the_least_over_groups),
        CONTEXT_TEST(slack_of_warp_roles_is_told_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
