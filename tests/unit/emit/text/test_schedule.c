/* SPDX-License-Identifier: Apache-2.0 */
#include "../schedules.h"

static void lines_are_short_and_end_in_no_space(const char *text)
{
    while (*text) {
        const char *end = strchr(text, '\n');
        assert_non_null(end);
        assert_in_range(end - text, 0, 99);
        assert_false(end > text && end[-1] == ' ');
        text = end + 1;
    }
}

static void pingpong_reads_block_by_block(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const char *text = emitted(*state, schedule, "text");
    lines_are_short_and_end_in_no_space(text);
    assert_int_equal(strncmp(text, "pingpong for mi355x\n", 20), 0);
    assert_has(text, "csp order, depth 2, 2 halves of 2x2 MMAs\n");
    assert_has(text, "24 ops in 8 blocks, 54 edges: 22 flow and 14 anti in a pass, 18 across\n");
    assert_has(text, "\nprologue, 10 entries\n");
    assert_has(text, "\nkernel, 70 entries\n  half 0, block 0\n   0  MMA_LOAD_B ");
    assert_has(text, "\n  half 1, block 4\n  35  MMA_LOAD_B ");
    assert_has(text, "\n  half 1, block 7\n  63  LOAD_B ");
    assert_int_equal(occurrences(text, "  half "), 8);
    assert_has(text, "\nepilogue, 58 entries\n");
    swp_schedule_free(schedule);
}

static void pingpong_ends_with_its_counts_and_figures(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const char *text = emitted(*state, schedule, "text");
    assert_has(text, "kernel           70         2           8       0        16");
    assert_has(text, "makespan   420 cycles, lower bound 420: proven optimal\n");
    assert_has(text, "registers  96 at the peak\n");
    assert_has(text, "waits      lgkmcnt <= 8 first, vmcnt <= 12 last in each half (derived)\n");
    swp_schedule_free(schedule);
}

static void the_lag_stands_in_the_prologue_where_it_begins(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const char *text = emitted(*state, schedule, "text");
    const char *third = strstr(text, "\n   3  LOAD_");
    const char *mark = strstr(text, "-- group 1 runs one more barrier");
    const char *fourth = strstr(text, "\n   4    wait_vm     vmcnt <= 0\n");
    assert_non_null(third);
    assert_true(third < mark && mark < fourth);
    assert_has(text, "\n   9    wait_vm     vmcnt <= 0\n        barrier\n\nkernel, 70 entries\n");
    assert_has(text, "-- group 0 runs one more barrier --\n");
    schedule->machine.lag_end_barrier = false;
    assert_null(strstr(emitted(*state, schedule, "text"), "group 0 runs"));
    swp_schedule_free(schedule);
}

static void a_machine_without_lag_has_no_marks(void **state)
{
    swp_schedule *schedule = fourwave(*state);
    const char *text = emitted(*state, schedule, "text");
    lines_are_short_and_end_in_no_space(text);
    assert_null(strstr(text, " -- "));
    assert_has(text, "\nkernel, 48 entries\n");
    swp_schedule_free(schedule);
}

static void a_single_buffer_has_hints_and_no_blocks(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    const char *text = emitted(*state, schedule, "text");
    lines_are_short_and_end_in_no_space(text);
    assert_has(text, "\nkernel, 56 entries\n   0  LOAD_FRAG ");
    assert_null(strstr(text, "block 0"));
    assert_null(strstr(text, "makespan"));
    assert_has(text, "sched_group_barrier  ds_read x 1\n");
    assert_has(text, "sched_group_barrier  mfma x 2\n");
    assert_has(text, "fenced barriers");
    swp_schedule_free(schedule);
}

static void an_unproven_makespan_shows_its_gap(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->metrics.optimal = false;
    schedule->metrics.makespan = 450;
    schedule->schedule.max_vgpr = 100;
    schedule->schedule.auto_waits = false;
    schedule->metrics.wait_lgkm_first = SWP_NO_WAIT_LGKM_FIRST;
    const char *text = emitted(*state, schedule, "text");
    assert_has(text, "makespan   450 cycles, lower bound 420: gap 30, not proven optimal\n");
    assert_has(text, "registers  96 at the peak, budget 100\n");
    assert_has(text, "waits      no lgkm wait first, vmcnt <= 12 last in each half (manual)\n");
    swp_schedule_free(schedule);
}

static void has_sync(swp_context *ctx, swp_sync_result sync, const char *expected)
{
    swp_schedule *schedule = single_buffer(ctx);
    schedule->sync = sync;
    const char *text = emitted(ctx, schedule, "text");
    lines_are_short_and_end_in_no_space(text);
    assert_has(text, expected);
    swp_schedule_free(schedule);
}

static void derived_synchronisation_says_what_is_proven(void **state)
{
    has_sync(
        *state, (swp_sync_result){4, 3, 892, 3, 892, true, 3095},
        "\nsync       297.33 cycles a pass, lower bound 297.33: proven optimal for this order\n"
        "           in the steady state, with its waits and barriers\n"
        "           4 barriers a pass, at least 3 needed\n");
    has_sync(
        *state, (swp_sync_result){1, 1, 400, 2, 400, false, 3095},
        "\nsync       200 cycles a pass, lower bound 200: proven; whether fewer barriers do is "
        "not\n           in the steady state, with its waits and barriers\n           1 barrier a "
        "pass, at least 1 needed\n");
    has_sync(*state, (swp_sync_result){16, 6, 856, 3, 816, false, 3095},
             "\nsync       285.33 cycles a pass, lower bound 272: gap 13.33, not proven optimal\n");
}

static void channels_show_where_names_do_not_tell_them(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    assert_null(strstr(emitted(*state, schedule, "text"), "  B  stage"));
    for (size_t i = 0; i < schedule->streams[0].prologue.count; i++)
        if (schedule->streams[0].prologue.items[i].op.channel == 1)
            schedule->streams[0].prologue.items[i].op.tag = SWP_LOAD_A;
    const char *text = emitted(*state, schedule, "text");
    lines_are_short_and_end_in_no_space(text);
    assert_has(text, "   0  LOAD_A        B  slot 0   sub 0   K+0");
    assert_has(text, "   1  LOAD_A        A  slot 0   sub 0   K+0");
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(pingpong_reads_block_by_block),
        TEST_IN_CONTEXT(pingpong_ends_with_its_counts_and_figures),
        TEST_IN_CONTEXT(the_lag_stands_in_the_prologue_where_it_begins),
        TEST_IN_CONTEXT(a_machine_without_lag_has_no_marks),
        TEST_IN_CONTEXT(a_single_buffer_has_hints_and_no_blocks),
        TEST_IN_CONTEXT(an_unproven_makespan_shows_its_gap),
        TEST_IN_CONTEXT(derived_synchronisation_says_what_is_proven),
        TEST_IN_CONTEXT(channels_show_where_names_do_not_tell_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
