/* SPDX-License-Identifier: Apache-2.0 */
/* A run written down: on schedules whose moments a reader can add up. */
#include "../emit/loops.h"

#include "swp/timeline.h"

static swp_timeline recorded(swp_context *ctx, const swp_schedule *schedule, int tiles)
{
    swp_timeline out;
    const swp_timeline_options options = {.tiles = tiles};
    assert_int_equal(swp_timeline_record(ctx, schedule, &options, &out), SWP_OK);
    return out;
}

static const char *name_of(const swp_timeline *t, const swp_timeline_event *event)
{
    const swp_entry_list *list = swp_schedule_phase(t->schedule, event->at.phase);
    return swp_schedule_op_name(t->schedule, list->items[event->at.entry].op.tag);
}

/* The event of an op for an iteration. */
static int event_of(const swp_timeline *t, const char *op, int tile)
{
    for (size_t i = 0; i < t->events.count; i++)
        if (t->events.items[i].has_tile && t->events.items[i].tile == tile &&
            strcmp(name_of(t, &t->events.items[i]), op) == 0)
            return (int)i;
    fail_msg("no %s of %d", op, tile);
    return -1;
}

/* A load takes 100 cycles from its issue, its MMA 50 from then on. */
static void a_flow_goes_from_the_load_to_the_product(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const swp_timeline t = recorded(*state, schedule, 0);
    const int load = event_of(&t, "LOAD", 3);
    const int mma = event_of(&t, "MMA", 3);
    bool found = false;
    for (size_t i = 0; i < t.flows.count; i++)
        found = found || (t.flows.items[i].maker == load && t.flows.items[i].reader == mma);
    assert_true(found);
    assert_int_equal(t.events.items[load].finished, t.events.items[load].issued + 100);
    assert_true(t.events.items[mma].issued >= t.events.items[load].finished);
    swp_schedule_free(schedule);
}

/* Tile 3 is in the slot of tile 1 from its load's issue until its MMA has read it for 50 cycles. */
static void a_slot_holds_a_tile_until_it_is_read(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const swp_timeline t = recorded(*state, schedule, 0);
    const swp_timeline_event *load = &t.events.items[event_of(&t, "LOAD", 3)];
    const swp_timeline_event *mma = &t.events.items[event_of(&t, "MMA", 3)];
    size_t lives = 0;
    for (size_t i = 0; i < t.lives.count; i++) {
        const swp_timeline_life *life = &t.lives.items[i];
        const swp_timeline_slot *slot = &t.slots.items[life->slot];
        if (!slot->is_shared || life->tile != 3)
            continue;
        lives++;
        assert_string_equal(slot->value, "A");
        assert_int_equal(slot->number, 1);
        assert_int_equal(life->from, load->issued);
        assert_int_equal(life->made, load->finished);
        assert_int_equal(life->until, mma->issued + 50);
    }
    assert_int_equal(lives, 1);
    swp_schedule_free(schedule);
}

/* What holds an entry fills all the time from where its group came to it, with no gap. */
static void stalls_lie_back_to_back(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_timeline t = recorded(*state, schedule, 0);
    for (size_t i = 0; i < t.events.count; i++) {
        const swp_timeline_event *event = &t.events.items[i];
        int64_t at = event->ready;
        for (size_t k = 0; k < t.stalls.count; k++)
            if (t.stalls.items[k].event == (int)i) {
                assert_int_equal(t.stalls.items[k].from, at);
                at = t.stalls.items[k].until;
            }
        assert_int_equal(event->issued, at);
        assert_true(event->left >= event->issued);
    }
    swp_schedule_free(schedule);
}

static void groups_issue_in_order(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_timeline t = recorded(*state, schedule, 0);
    for (size_t g = 0; g < t.group_count; g++) {
        int64_t left = 0;
        for (size_t i = 0; i < t.events.count; i++) {
            const swp_timeline_event *event = &t.events.items[i];
            if (event->group != (int)g)
                continue;
            assert_int_equal(event->ready, left);
            left = event->left;
        }
    }
    swp_schedule_free(schedule);
}

/* The interval is the simulation's, and the chain that it comes from is found. */
static void the_interval_is_that_of_the_simulation(void **state)
{
    swp_schedule *schedules[] = {pingpong(*state), fourwave(*state), single_buffer(*state),
                                 small_loop(*state)};
    for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++) {
        swp_simulation simulation;
        assert_int_equal(swp_simulate(*state, schedules[i], NULL, &simulation), SWP_OK);
        const swp_timeline t = recorded(*state, schedules[i], 0);
        size_t critical = 0;
        assert_true(t.is_steady);
        assert_int_equal(t.steady_passes, simulation.passes);
        assert_int_equal(t.steady_until - t.steady_from, simulation.cycles);
        for (size_t k = 0; k < t.events.count; k++)
            critical += t.events.items[k].is_critical;
        assert_true(critical > 0);
        swp_schedule_free(schedules[i]);
    }
}

/* 150 cycles in two iterations: the load waits for the MMA, and that for the load. */
static void the_chain_of_two_slots_has_both_ops(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const swp_timeline t = recorded(*state, schedule, 0);
    bool load = false;
    bool mma = false;
    assert_int_equal(t.full_unit, -1);
    for (size_t i = 0; i < t.events.count; i++) {
        if (!t.events.items[i].is_critical || !t.events.items[i].has_tile)
            continue;
        load = load || strcmp(name_of(&t, &t.events.items[i]), "LOAD") == 0;
        mma = mma || strcmp(name_of(&t, &t.events.items[i]), "MMA") == 0;
    }
    assert_true(load && mma);
    swp_schedule_free(schedule);
}

/* pingpong takes 2 tiles and two more a pass. */
static void a_run_has_as_many_passes_as_its_tiles_ask_for(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    swp_timeline t;
    assert_int_equal(recorded(*state, schedule, 2).passes, 0);
    assert_int_equal(recorded(*state, schedule, 8).passes, 3);
    const swp_timeline_options odd = {.tiles = 3};
    assert_int_equal(swp_timeline_record(*state, schedule, &odd, &t), SWP_INVALID);
    swp_schedule_free(schedule);
}

/* Without the barrier at the end group 1 waits for ever, up to where the run is cut off. */
static void who_waits_for_ever_is_shown(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->machine.lag_end_barrier = false;
    const swp_timeline t = recorded(*state, schedule, 2);
    size_t stuck = 0;
    assert_true(t.is_cut);
    for (size_t i = 0; i < t.events.count; i++) {
        if (!t.events.items[i].is_stuck)
            continue;
        stuck++;
        assert_int_equal(t.events.items[i].group, 1);
        assert_int_equal(t.events.items[i].issued, t.end);
    }
    assert_int_equal(stuck, 1);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_flow_goes_from_the_load_to_the_product),
        TEST_IN_CONTEXT(a_slot_holds_a_tile_until_it_is_read),
        TEST_IN_CONTEXT(stalls_lie_back_to_back),
        TEST_IN_CONTEXT(groups_issue_in_order),
        TEST_IN_CONTEXT(the_interval_is_that_of_the_simulation),
        TEST_IN_CONTEXT(the_chain_of_two_slots_has_both_ops),
        TEST_IN_CONTEXT(a_run_has_as_many_passes_as_its_tiles_ask_for),
        TEST_IN_CONTEXT(who_waits_for_ever_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
