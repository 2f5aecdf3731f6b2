/* SPDX-License-Identifier: Apache-2.0 */
/* Derived synchronisation: safe, with the fewest barriers or cycles a pass. */
#include "fixture.h"
#include "interruption.h"
#include "op_program.h"

#include "swp/swp.h"

#include <string.h>

static swp_status try_compile(swp_context *ctx, const char *builtin, const char *const settings[],
                              swp_schedule **out)
{
    const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    *out = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, builtin, &description));
    assert_ok(ctx, swp_description_set(ctx, description, "schedule.sync", "derived", nowhere));
    assert_ok(ctx,
              swp_description_set(ctx, description, "schedule.sync_goal", "barriers", nowhere));
    for (size_t i = 0; settings && settings[i]; i += 2)
        assert_ok(ctx,
                  swp_description_set(ctx, description, settings[i], settings[i + 1], nowhere));
    return swp_description_compile(ctx, description, out);
}

static swp_schedule *compile(swp_context *ctx, const char *builtin, const char *const settings[])
{
    swp_schedule *schedule = NULL;
    assert_ok(ctx, try_compile(ctx, builtin, settings, &schedule));
    return schedule;
}

/* The schedule is safe and has so many barriers in its kernel phase. */
static void expect(swp_context *ctx, const char *builtin, const char *const settings[],
                   int barriers)
{
    swp_verdict verdict = {0};
    swp_schedule *schedule = compile(ctx, builtin, settings);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    assert_true(verdict.safe);
    assert_int_equal(swp_count_sync(&schedule->streams[0].kernel).barriers, barriers);
    swp_schedule_free(schedule);
}

static void fourwave_needs_three_barriers_a_pass(void **state)
{
    expect(*state, "fourwave", NULL, 3);
}

static void raw_registers_need_waits_but_no_more_barriers(void **state)
{
    const char *const raw[] = {"machine.registers", "raw", NULL};
    expect(*state, "fourwave", raw, 3);
}

/* From the lagging group to the other, two barriers where one would do side by side. */
static void a_lag_doubles_the_demand(void **state)
{
    const char *const lag[] = {
        "pipeline.warp_stagger", "fixed(0)", "machine.groups", "2", "machine.lag", "1", NULL};
    expect(*state, "fourwave", lag, 6);
}

static void the_pace_keeps_a_barrier_on_each_side_of_every_mma(void **state)
{
    const char *const free_running[] = {"schedule.sync_pace", "false", NULL};
    expect(*state, "pingpong", NULL, 16);
    expect(*state, "pingpong", free_running, 6);
}

static void the_single_buffer_needs_its_two_barriers(void **state)
{
    const char *const raw[] = {"machine.barrier", "raw", "machine.registers", "raw", NULL};
    expect(*state, "single_buffer", NULL, 2);
    expect(*state, "single_buffer", raw, 2);
}

/* --- Cycles --- */

typedef struct figures {
    const char *builtin;
    const char *goal;
    int barriers;
    int64_t cycles; /* of `passes` passes */
    int passes;
} figures;

/* The table of docs/scheduling.md. */
static void the_built_ins_are_proven_optimal(void **state)
{
    static const figures expected[] = {
        {"fourwave", "cycles", 4, 892, 3},      {"fourwave", "barriers", 3, 673, 2},
        {"pingpong", "cycles", 16, 291, 1},     {"pingpong", "barriers", 16, 291, 1},
        {"single_buffer", "cycles", 2, 201, 1}, {"single_buffer", "barriers", 2, 201, 1},
    };
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const char *const goal[] = {"schedule.sync_goal", expected[i].goal, NULL};
        swp_schedule *schedule = compile(*state, expected[i].builtin, goal);
        const swp_sync_result *sync = &schedule->sync;
        assert_true(sync->optimal);
        assert_int_equal(sync->bound, sync->cycles);
        assert_int_equal(sync->barriers, expected[i].barriers);
        assert_int_equal(sync->cycles * expected[i].passes, expected[i].cycles * sync->passes);
        swp_schedule_free(schedule);
    }
}

static void simulate(swp_context *ctx, const char *builtin, const char *sync, swp_simulation *out,
                     int *barriers)
{
    const char *const settings[] = {"schedule.sync", sync, "schedule.sync_goal", "cycles", NULL};
    swp_schedule *schedule = compile(ctx, builtin, settings);
    assert_ok(ctx, swp_simulate(ctx, schedule, NULL, out));
    if (schedule->sync.passes > 0)
        assert_int_equal(out->cycles * schedule->sync.passes, schedule->sync.cycles * out->passes);
    *barriers = swp_count_sync(&schedule->streams[0].kernel).barriers;
    swp_schedule_free(schedule);
}

static void the_goal_cycles_beats_the_template_with_no_more_barriers(void **state)
{
    const char *const builtins[] = {"fourwave", "pingpong", "single_buffer"};
    for (size_t i = 0; i < COUNT_OF(builtins); i++) {
        int before = 0;
        int after = 0;
        swp_simulation published;
        swp_simulation derived;
        simulate(*state, builtins[i], "template", &published, &before);
        simulate(*state, builtins[i], "derived", &derived, &after);
        assert_true(derived.cycles * published.passes <= published.cycles * derived.passes);
        assert_true(after <= before);
    }
}

static unsigned causes_of(const swp_simulation *simulation)
{
    unsigned causes = 0;
    for (size_t i = 0; i < simulation->stalls.count; i++)
        causes |= 1U << simulation->stalls.items[i].cause;
    return causes;
}

/* What is derived waits for nothing that the template does not wait for too. */
static void fourwave_has_no_stall_that_the_template_has_not(void **state)
{
    int barriers = 0;
    swp_simulation published;
    swp_simulation derived;
    simulate(*state, "fourwave", "template", &published, &barriers);
    simulate(*state, "fourwave", "derived", &derived, &barriers);
    assert_int_equal(causes_of(&derived) & ~causes_of(&published), 0);
}

/* Groups that run freely may take turns at the MMA unit in any order. */
static void what_is_not_proven_has_its_gap_stated(void **state)
{
    const char *const free_running[] = {"schedule.sync_pace", "false", "schedule.sync_goal",
                                        "cycles", NULL};
    swp_schedule *schedule = compile(*state, "pingpong", free_running);
    const swp_sync_result *sync = &schedule->sync;
    assert_false(sync->optimal);
    assert_true(sync->bound < sync->cycles);
    /* 2 groups x 8 MMAs x 16 cycles on one unit. */
    assert_true(sync->bound >= INT64_C(256) * sync->passes);
    swp_schedule_free(schedule);
}

static void the_template_has_no_figures_of_its_synchronisation(void **state)
{
    const char *const template[] = {"schedule.sync", "template", NULL};
    swp_schedule *schedule = compile(*state, "fourwave", template);
    assert_int_equal(schedule->sync.passes, 0);
    swp_schedule_free(schedule);
}

/* --- Safety --- */

static bool is_safe(swp_context *ctx, const swp_schedule *schedule)
{
    swp_verdict verdict = {0};
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    return verdict.safe;
}

/* Any one wait or barrier less, or any count one higher, and the proof is gone. */
static void every_entry_of_the_result_is_needed(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compile(ctx, "fourwave", NULL);
    swp_entry_list *phases[] = {&schedule->streams[0].prologue, &schedule->streams[0].kernel,
                                &schedule->streams[0].epilogue};
    for (int p = 0; p < 3; p++)
        for (size_t i = 0; i < phases[p]->count; i++) {
            const swp_entry entry = phases[p]->items[i];
            if (entry.op.role != SWP_SYNC)
                continue;
            phases[p]->items[i].op = swp_op_set_prio(0);
            assert_false(is_safe(ctx, schedule));
            phases[p]->items[i] = entry;
            phases[p]->items[i].op.wait_value++;
            assert_true(entry.op.tag == SWP_TAG_BARRIER || !is_safe(ctx, schedule));
            phases[p]->items[i] = entry;
        }
    swp_schedule_free(schedule);
}

/* However early it is stopped it is safe, says that it was stopped, and how far off it may be. */
static void a_stopped_derivation_is_safe(void **state)
{
    swp_context *ctx = *state;
    const char *const cycles[] = {"schedule.sync_goal", "cycles", NULL};
    for (uint64_t work = 1; work < 3000; work = 2 * work + 1) {
        const swp_limits limits = {.work = work};
        swp_context_set_limits(ctx, &limits);
        swp_schedule *schedule = compile(ctx, "fourwave", cycles);
        assert_true(schedule->metrics.stopped);
        assert_true(is_safe(ctx, schedule));
        assert_true(schedule->sync.bound * 3 <= INT64_C(892) * schedule->sync.passes);
        assert_true(schedule->sync.cycles * 3 >= INT64_C(892) * schedule->sync.passes);
        assert_true(!schedule->sync.optimal || schedule->sync.bound == schedule->sync.cycles);
        swp_schedule_free(schedule);
    }
    swp_context_set_limits(ctx, NULL);
    assert_diag(ctx, "W0401", "derived synchronisation was stopped");
}

static bool has_two_barriers_in_a_row(const swp_entry_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        if (list->items[i - 1].op.tag == SWP_TAG_BARRIER &&
            list->items[i].op.tag == SWP_TAG_BARRIER)
            return true;
    return false;
}

/* Its prologue is synchronised at every operation: by one barrier, and by two where a group lags. */
static void a_stopped_derivation_has_the_barriers_of_its_groups(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.work = 1};
    swp_context_set_limits(ctx, &limits);
    swp_schedule *side_by_side = compile(ctx, "fourwave", NULL);
    swp_schedule *lagging = compile(ctx, "pingpong", NULL);
    swp_context_set_limits(ctx, NULL);
    assert_true(side_by_side->metrics.stopped && lagging->metrics.stopped);
    assert_false(has_two_barriers_in_a_row(&side_by_side->streams[0].prologue));
    assert_true(has_two_barriers_in_a_row(&lagging->streams[0].prologue));
    assert_true(is_safe(ctx, side_by_side) && is_safe(ctx, lagging));
    swp_schedule_free(side_by_side);
    swp_schedule_free(lagging);
}

/* A tile that is loaded and used; stopped at once, the lists have so many barriers. */
static void expect_stopped(swp_context *ctx, int slots, const char *const lists[3],
                           const int barriers[2])
{
    op_program p;
    swp_verdict verdict = {0};
    swp_sync_result result = {0};
    const swp_limits limits = {.work = 1};
    swp_loop_builder *l = swp_loop_new(ctx, "copies");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED, .least_slots = slots);
    const int product = swp_value(l, "product", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "USE", .reads = {{.value = tile}}, .writes = {product});
    op_program_begin(&p, ctx, l, slots, 3);
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        op_program_read(&p, phase, lists[phase - SWP_PROLOGUE]);
    swp_context_set_limits(ctx, &limits);
    assert_ok(ctx, swp_derive_sync(ctx, &p.schedule, SWP_SYNC_BARRIERS, false, &result));
    swp_context_set_limits(ctx, NULL);
    assert_diag(ctx, "W0401", "derived synchronisation was stopped");
    assert_ok(ctx, swp_verify(ctx, &p.schedule, NULL, 0, &verdict));
    assert_true(verdict.safe);
    assert_int_equal(swp_count_sync(&p.schedule.streams[0].prologue).barriers, barriers[0]);
    assert_int_equal(swp_count_sync(&p.schedule.streams[0].epilogue).barriers, barriers[1]);
}

/* Three slots: nothing in a list is in conflict, and it is synchronised where it begins; the prologue at its end, too. */
static void a_stopped_derivation_has_no_barriers_within_lists_of_loads(void **state)
{
    const char *const lists[] = {"LOAD+0 LOAD+1 LOAD+2", "USE+0 LOAD+3 USE+1 LOAD+4 USE+2 LOAD+5",
                                 "USE+0 USE+1 USE+2"};
    expect_stopped(*state, 3, lists, (const int[]){2, 1});
}

/* One slot: each is in conflict with the one before it. */
static void a_stopped_derivation_keeps_a_barrier_at_each_conflict(void **state)
{
    const char *const lists[] = {"", "LOAD+0 USE+0", "LOAD+0 USE+0 LOAD+1 USE+1 LOAD+2 USE+2"};
    expect_stopped(*state, 1, lists, (const int[]){1, 6});
}

/* Ever later, as one that comes before there is any answer leaves none. */
static void an_interrupt_stops_it(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = NULL;
    swp_status status = SWP_STOPPED;
    for (size_t from = 1; status == SWP_STOPPED; from++) {
        interruption i = {.from = from};
        interrupt_with(ctx, &i);
        status = try_compile(ctx, "fourwave", NULL, &schedule);
        swp_context_set_limits(ctx, NULL);
        if (status == SWP_STOPPED)
            swp_context_clear_diags(ctx);
    }
    assert_ok(ctx, status);
    assert_true(schedule->metrics.stopped);
    assert_true(is_safe(ctx, schedule));
    swp_schedule_free(schedule);
}

static void it_comes_out_the_same_each_time(void **state)
{
    const char *const free_running[] = {"schedule.sync_pace", "false", "schedule.sync_goal",
                                        "cycles", NULL};
    swp_schedule *once = compile(*state, "pingpong", free_running);
    swp_schedule *again = compile(*state, "pingpong", free_running);
    assert_int_equal(once->streams[0].kernel.count, again->streams[0].kernel.count);
    for (size_t i = 0; i < once->streams[0].kernel.count; i++) {
        assert_int_equal(once->streams[0].kernel.items[i].op.tag,
                         again->streams[0].kernel.items[i].op.tag);
        assert_int_equal(once->streams[0].kernel.items[i].op.wait_value,
                         again->streams[0].kernel.items[i].op.wait_value);
    }
    assert_int_equal(once->sync.work, again->sync.work);
    swp_schedule_free(once);
    swp_schedule_free(again);
}

/* Where lgkmcnt tracks the MMA a fenced barrier is enough; for a group there has to be a wait too. */
static void a_group_is_waited_for_at_a_fenced_barrier(void **state)
{
    static const swp_completion completions[] = {SWP_COMPLETION_COUNTER, SWP_COMPLETION_GROUP};
    for (int i = 0; i < 2; i++) {
        op_program p;
        swp_verdict verdict = {0};
        swp_loop_builder *l = swp_loop_new(*state, "matrix");
        const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
        const int product = swp_value(l, "product", .space = SWP_SPACE_REGISTERS);
        swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
        swp_work(l, "MMA", .completion = completions[i], .reads = {{.value = tile}},
                 .writes = {product});
        op_program_begin(&p, *state, l, 1, 1);
        p.schedule.machine.barrier = SWP_BARRIER_FENCED;
        p.schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
        op_program_read(&p, SWP_KERNEL, "LOAD+0 MMA+0");
        op_program_read(&p, SWP_EPILOGUE, "LOAD+0 MMA+0");
        swp_sync_result result = {0};
        assert_ok(*state, swp_derive_sync(*state, &p.schedule, SWP_SYNC_BARRIERS, false, &result));
        assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
        assert_true(verdict.safe);
        assert_int_equal(swp_count_sync(&p.schedule.streams[0].kernel).lgkm_waits, i);
    }
}

static void an_order_that_reads_before_it_loads_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compile(ctx, "fourwave", NULL);
    swp_sync_result result = {0};
    /* The fragments of the other stage now come after the loads that replace their tiles. */
    for (size_t i = 0; i < schedule->streams[0].kernel.count; i++)
        if (schedule->streams[0].kernel.items[i].op.role == SWP_FRAGMENT_LOAD)
            schedule->streams[0].kernel.items[i].op.stage =
                1 - schedule->streams[0].kernel.items[i].op.stage;
    assert_int_equal(swp_derive_sync(ctx, schedule, SWP_SYNC_BARRIERS, false, &result),
                     SWP_INVALID);
    assert_true(has_error(ctx));
    swp_schedule_free(schedule);
}

/* A VALU operation has no reads and writes that the proof knows: it is not dropped in silence. */
static void an_operation_of_unknown_effect_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compile(ctx, "fourwave", NULL);
    swp_sync_result result = {0};
    swp_op valu = swp_op_logical(7, -1, 0, 0, SWP_K_NONE);
    valu.role = SWP_VALU_COMPUTE;
    assert_ok(ctx, swp_entry_list_push(ctx, &schedule->streams[0].kernel, (swp_entry){.op = valu}));
    assert_int_equal(swp_derive_sync(ctx, schedule, SWP_SYNC_CYCLES, false, &result), SWP_INVALID);
    assert_diag(ctx, "E0701", "valu_compute");
    swp_schedule_free(schedule);
}

static void nothing_to_synchronise_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compile(ctx, "fourwave", NULL);
    swp_sync_result result = {0};
    schedule->streams[0].kernel.count = 0;
    assert_int_equal(swp_derive_sync(ctx, schedule, SWP_SYNC_CYCLES, false, &result), SWP_INVALID);
    assert_diag(ctx, "E0730", "no data operations");
    swp_schedule_free(schedule);
}

/* --- Barriers that published lists leave out --- */

static swp_schedule *compile_for_hopper(swp_context *ctx, const char *builtin,
                                        const char *const settings[])
{
    const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, builtin, &description));
    assert_ok(ctx, swp_description_set_target(ctx, description, "sm_90", nowhere));
    for (size_t i = 0; settings && settings[i]; i += 2)
        assert_ok(ctx,
                  swp_description_set(ctx, description, settings[i], settings[i + 1], nowhere));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    return schedule;
}

/* The first pass has a barrier of its own before it reads what the prologue loads. */
static void the_barrier_before_a_loop_goes_where_it_may(void **state)
{
    swp_schedule *schedule = compile_for_hopper(*state, "gemm_fragments", NULL);
    assert_true(schedule->drops_loop_barrier);
    assert_true(is_safe(*state, schedule));
    swp_schedule_free(schedule);
}

static void the_barrier_before_a_loop_stays_where_it_must(void **state)
{
    swp_schedule *schedule = compile_for_hopper(*state, "stencil", NULL);
    assert_false(schedule->drops_loop_barrier);
    assert_true(is_safe(*state, schedule));
    schedule->drops_loop_barrier = true;
    assert_false(is_safe(*state, schedule));
    swp_schedule_free(schedule);
}

/* Its run has no prologue in which group 1 could fall behind, so group 0 makes up for nothing. */
static void no_group_lags_in_a_straight_list(void **state)
{
    const char *const lag[] = {"machine.groups", "2", "machine.lag", "1", NULL};
    swp_schedule *schedule = compile_for_hopper(*state, "gemm_tile", lag);
    assert_int_equal(schedule->streams[0].tails.straight_count, 1);
    schedule->machine.lag_prologue_index = 1;
    assert_true(is_safe(*state, schedule));
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(fourwave_needs_three_barriers_a_pass),
        CONTEXT_TEST(raw_registers_need_waits_but_no_more_barriers),
        CONTEXT_TEST(a_lag_doubles_the_demand),
        CONTEXT_TEST(the_pace_keeps_a_barrier_on_each_side_of_every_mma),
        CONTEXT_TEST(the_single_buffer_needs_its_two_barriers),
        CONTEXT_TEST(the_built_ins_are_proven_optimal),
        CONTEXT_TEST(the_goal_cycles_beats_the_template_with_no_more_barriers),
        CONTEXT_TEST(fourwave_has_no_stall_that_the_template_has_not),
        CONTEXT_TEST(what_is_not_proven_has_its_gap_stated),
        CONTEXT_TEST(the_template_has_no_figures_of_its_synchronisation),
        CONTEXT_TEST(every_entry_of_the_result_is_needed),
        CONTEXT_TEST(a_stopped_derivation_is_safe),
        CONTEXT_TEST(a_stopped_derivation_has_the_barriers_of_its_groups),
        CONTEXT_TEST(a_stopped_derivation_has_no_barriers_within_lists_of_loads),
        CONTEXT_TEST(a_stopped_derivation_keeps_a_barrier_at_each_conflict),
        CONTEXT_TEST(an_interrupt_stops_it),
        CONTEXT_TEST(it_comes_out_the_same_each_time),
        CONTEXT_TEST(a_group_is_waited_for_at_a_fenced_barrier),
        CONTEXT_TEST(an_order_that_reads_before_it_loads_is_refused),
        CONTEXT_TEST(an_operation_of_unknown_effect_is_refused),
        CONTEXT_TEST(nothing_to_synchronise_is_refused),
        CONTEXT_TEST(the_barrier_before_a_loop_goes_where_it_may),
        CONTEXT_TEST(the_barrier_before_a_loop_stays_where_it_must),
        CONTEXT_TEST(no_group_lags_in_a_straight_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
