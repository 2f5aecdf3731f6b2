/* SPDX-License-Identifier: Apache-2.0 */
/* Two warp groups: shared units, barriers, the lag; and sums over the built-ins. */
#include "programs.h"

#include "swp/describe.h"

static swp_schedule two_groups(void)
{
    swp_schedule s = empty_schedule();
    s.machine.groups = 2;
    return s;
}

static void groups_share_the_units(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = two_groups();
    KERNEL(ctx, &s, mma(0, 0));
    const swp_simulation m = simulated(ctx, &s);
    assert_pass(&m, 32);
    assert_int_equal(busy(&m, SWP_MMA_UNIT), m.cycles);
}

static void a_barrier_waits_for_the_other_group(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = two_groups();
    KERNEL(ctx, &s, mma(0, 0), swp_op_barrier());
    const swp_simulation m = simulated(ctx, &s);
    /* The MMAs take the unit for 32 cycles; who is first waits 16 for the other at the barrier. */
    assert_pass(&m, 32);
    int waited = 0;
    for (size_t i = 0; i < m.stalls.count; i++)
        if (m.stalls.items[i].cause == SWP_STALL_BARRIER) {
            assert_int_equal(m.stalls.items[i].entry, 1);
            assert_int_equal(m.stalls.items[i].other_group, 1 - m.stalls.items[i].group);
            waited += (int)m.stalls.items[i].cycles;
        }
    assert_int_equal(waited, 16 * m.passes);
}

static void the_lag_is_a_barrier_of_group_1_alone(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = two_groups();
    s.machine.lag = 1;
    KERNEL(ctx, &s, mma(0, 0), swp_op_barrier(), swp_op_barrier());
    const swp_simulation m = simulated(ctx, &s);
    /*
     * Group 1 is at its second barrier when group 0 is at its first, so an MMA of one stands beside
     * a lone barrier of the other: MMA, barrier, barrier without a stall are 3 cycles, and the unit
     * makes them 32.
     */
    assert_pass(&m, 32);
    assert_int_equal(busy(&m, SWP_MMA_UNIT), m.cycles);
}

static void a_group_left_alone_is_an_error(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = two_groups();
    swp_simulation m;
    s.machine.lag = 1;
    s.machine.lag_end_barrier = false;
    KERNEL(ctx, &s, swp_op_barrier());
    assert_status(ctx, swp_simulate(ctx, &s, NULL, &m), SWP_INVALID);
    assert_diag(ctx, "E0721", "group 1");
}

/* What a group does not issue in, it stalls in. */
static void assert_adds_up(const swp_schedule *s, const swp_simulation *m)
{
    for (int group = 0; group < s->machine.groups; group++) {
        int64_t sum = (int64_t)s->streams[0].kernel.count * s->machine.issue_cycles * m->passes;
        for (size_t i = 0; i < m->stalls.count; i++)
            sum += m->stalls.items[i].group == group ? m->stalls.items[i].cycles : 0;
        assert_int_equal(sum, m->cycles);
    }
    for (size_t i = 0; i < m->unit_count; i++)
        assert_in_range((uint64_t)m->units[i].busy, 0, (uint64_t)m->cycles);
}

static void issue_and_stalls_are_all_of_a_pass(void **state)
{
    swp_context *ctx = *state;
    static const char *const names[] = {"pingpong", "fourwave", "single_buffer"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        swp_description *description = NULL;
        swp_schedule *schedule = NULL;
        assert_ok(ctx, swp_description_from_builtin(ctx, names[i], &description));
        assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
        for (int occupancy = 0; occupancy < 24; occupancy += 3)
            for (int cost = 0; cost < 12; cost += 5) {
                const swp_simulate_options options = {.occupancy_global = occupancy,
                                                      .occupancy_lds = occupancy / 2};
                swp_simulation m;
                schedule->machine.barrier_cycles = cost;
                assert_ok(ctx, swp_simulate(ctx, schedule, &options, &m));
                assert_adds_up(schedule, &m);
            }
        swp_schedule_free(schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(groups_share_the_units),
        CONTEXT_TEST(a_barrier_waits_for_the_other_group),
        CONTEXT_TEST(the_lag_is_a_barrier_of_group_1_alone),
        CONTEXT_TEST(a_group_left_alone_is_an_error),
        CONTEXT_TEST(issue_and_stalls_are_all_of_a_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
