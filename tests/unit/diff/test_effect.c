/* SPDX-License-Identifier: Apache-2.0 */
/* What each difference does by itself, on the safe program of unit/verify/test_hazards.c. */
#include "pairs.h"

#define PROLOGUE "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0"
/* Entries:       0    1    2  3 */
#define READS "a0.0 b0.0 l0 "
#define REST " A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |"
#define EPILOGUE "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0"

static pair with_kernels(const char *a, const char *b)
{
    pair p = kernels(a, b);
    program_read(&p.a, SWP_PROLOGUE, PROLOGUE);
    program_read(&p.b, SWP_PROLOGUE, PROLOGUE);
    program_read(&p.a, SWP_EPILOGUE, EPILOGUE);
    program_read(&p.b, SWP_EPILOGUE, EPILOGUE);
    return p;
}

static void assert_hazard(const swp_diff_hazard *hazard, swp_hazard_kind kind, swp_phase phase,
                          int a, int b)
{
    assert_int_equal(hazard->kind, kind);
    assert_int_equal(hazard->phase, phase);
    assert_int_equal(hazard->a, a);
    assert_int_equal(hazard->b, b);
}

static void assert_no_effect(const swp_diff_effect *effect)
{
    assert_non_null(effect);
    assert_true(effect->judged);
    assert_int_equal(effect->hazards.count, 0);
    assert_int_equal(effect->gone.count, 0);
}

/* Its loads may then overwrite what another wave still reads: entries 4 and 5, in B 3 and 4. */
static void a_barrier_less_is_two_hazards_more(void **state)
{
    pair p = with_kernels(READS "|" REST, READS REST);
    const swp_diff diff = compared(*state, &p);
    const swp_diff_row *row = &diff.roles[0].phases[SWP_KERNEL].items[3];
    assert_int_equal(row->difference, SWP_DIFF_REMOVED);
    assert_true(row->with->was_safe);
    assert_false(row->with->is_safe);
    assert_int_equal(row->with->hazards.count, 2);
    assert_hazard(&row->with->hazards.items[0], SWP_OVERWRITTEN, SWP_KERNEL, 4, 3);
    assert_hazard(&row->with->hazards.items[1], SWP_OVERWRITTEN, SWP_KERNEL, 5, 4);
    assert_string_equal(row->with->hazards.items[0].name, "LOAD_A");
    assert_int_equal(row->with->hazards.items[0].smallest_n, 4);
    assert_int_equal(row->with->gone.count, 0);
    assert_int_equal(row->with->barriers, -1);
    assert_int_equal(row->with->waits, 0);
    /* Nothing has a latency here, so each entry is a cycle: 16 a pass, then 15. */
    assert_true(row->with->simulated);
    assert_true(row->with->cycles_per_pass == -1.0);
    assert_int_equal(row->with->prologue_cycles, 0);
    assert_int_equal(row->without->gone.count, 2);
    assert_int_equal(row->without->hazards.count, 0);
    assert_int_equal(row->without->barriers, 1);
    assert_true(row->without->is_safe);
    assert_null(diff.roles[0].phases[SWP_KERNEL].items[0].with);
    assert_null(diff.roles[0].phases[SWP_PROLOGUE].with);
    /* It is all that differs. */
    assert_int_equal(diff.effect.hazards.count, 2);
    assert_int_equal(diff.roles[0].phases[SWP_KERNEL].with->hazards.count, 2);
    assert_int_equal(diff.a.hazards.count, 0);
    assert_int_equal(diff.b.hazards.count, 2);
    assert_hazard(&diff.b.hazards.items[0], SWP_OVERWRITTEN, SWP_KERNEL, 4, 3);
    pair_free(&p);
}

/* Each of two barriers covers for the other. */
static void differences_that_do_nothing_alone_do_so_together(void **state)
{
    pair p = with_kernels(READS "| |" REST, READS REST);
    const swp_diff diff = compared(*state, &p);
    const swp_diff_phase *kernel = &diff.roles[0].phases[SWP_KERNEL];
    assert_no_effect(kernel->items[3].with);
    assert_no_effect(kernel->items[4].with);
    assert_int_equal(kernel->items[3].without->gone.count, 2);
    assert_int_equal(kernel->items[4].without->gone.count, 2);
    assert_int_equal(kernel->with->hazards.count, 2);
    assert_int_equal(kernel->with->barriers, -2);
    assert_int_equal(kernel->without->gone.count, 2);
    pair_free(&p);
}

static void a_change_is_undone_as_a_whole(void **state)
{
    /* Of two reads one may then be in flight when the barrier comes. */
    pair p = with_kernels("a0.0 b0.0 l0 |" REST, "a0.0 b0.0 l1 |" REST);
    const swp_diff diff = compared(*state, &p);
    const swp_diff_row *row = &diff.roles[0].phases[SWP_KERNEL].items[2];
    assert_int_equal(row->difference, SWP_DIFF_CHANGED);
    assert_int_equal(row->with->hazards.count, 1);
    assert_hazard(&row->with->hazards.items[0], SWP_OVERWRITTEN, SWP_KERNEL, 5, 5);
    assert_int_equal(row->without->gone.count, 1);
    assert_int_equal(row->with->waits, 0);
    pair_free(&p);
}

/* The epilogue has no waits: its COMPUTEs, entries 2 and 5, lean on managed registers. */
static void a_setting_of_the_machine_has_effects(void **state)
{
    pair p = with_kernels(READS "|" REST, READS "|" REST);
    p.b.schedule.machine.registers = SWP_REGISTERS_RAW;
    p.b.schedule.schedule.sync = SWP_SYNC_DERIVED;
    const swp_diff diff = compared(*state, &p);
    assert_int_equal(diff.settings.count, 2);
    const swp_diff_setting *registers = &diff.settings.items[0];
    assert_string_equal(registers->path, "machine.registers");
    assert_string_equal(registers->a, "managed");
    assert_string_equal(registers->b, "raw");
    assert_false(registers->with->is_safe);
    const swp_diff_hazard_list *hazards = &registers->with->hazards;
    assert_hazard(&hazards->items[hazards->count - 2], SWP_REGISTER_NOT_READY, SWP_EPILOGUE, 2, 2);
    assert_hazard(&hazards->items[hazards->count - 1], SWP_REGISTER_NOT_READY, SWP_EPILOGUE, 5, 5);
    assert_true(registers->without->is_safe);
    /* What only made the phases does nothing to them. */
    assert_string_equal(diff.settings.items[1].path, "schedule.sync");
    assert_null(diff.settings.items[1].with);
    assert_false(diff.alike);
    pair_free(&p);
}

/* No judge knows what a COMPUTE of the VALU reads; that is no error of the comparison's. */
static void what_no_judge_takes_is_compared_all_the_same(void **state)
{
    swp_context *ctx = *state;
    pair p = with_kernels(READS "|" REST, READS "|" REST);
    swp_op op = swp_op_logical(40, -1, 0, 0, SWP_K_NONE);
    op.role = SWP_VALU_COMPUTE;
    program_insert(&p.b, SWP_KERNEL, 0, op);
    const swp_diff diff = compared(ctx, &p);
    assert_null(diff.a.unjudged);
    assert_non_null(strstr(diff.b.unjudged, "kernel entry 0 is of kind valu_compute"));
    assert_false(diff.effect.judged);
    assert_false(diff.roles[0].phases[SWP_KERNEL].items[0].with->judged);
    size_t count = 1;
    (void)swp_context_diags(ctx, &count);
    assert_int_equal(count, 0);
    pair_free(&p);
}

static void loops_that_differ_are_compared_without_effects(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *a = compiled(ctx, "single_buffer", "schedule.sync", "template");
    swp_schedule *b = compiled(ctx, "pingpong", "schedule.sync", "template");
    swp_diff diff;
    assert_ok(ctx, swp_diff_schedules(ctx, a, b, NULL, &diff));
    assert_true(diff.little_in_common);
    assert_false(diff.alike);
    assert_null(diff.a.unjudged);
    assert_null(diff.b.unjudged);
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (size_t i = 0; i < diff.roles[0].phases[phase].count; i++)
            assert_null(diff.roles[0].phases[phase].items[i].with);
    swp_schedule_free(a);
    swp_schedule_free(b);
}

static void a_schedule_is_like_itself(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compiled(ctx, "fourwave", "schedule.sync", "template");
    swp_diff diff;
    assert_ok(ctx, swp_diff_schedules(ctx, schedule, schedule, NULL, &diff));
    assert_true(diff.alike);
    assert_false(diff.little_in_common);
    assert_no_effect(&diff.effect);
    assert_int_equal(diff.a.hazards.count, diff.b.hazards.count);
    assert_true(diff.a.hazards.count > 0);
    swp_schedule_free(schedule);
}

/* What stands only in the list of a remainder keeps its own number: the epilogue's rows know nothing of it. */
static void hazards_of_remainders_are_not_aligned(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *a = compiled(ctx, "stencil", "schedule.sync", "derived");
    swp_schedule *b = compiled(ctx, "stencil", "schedule.sync", "derived");
    swp_stream *stream = &b->streams[0];
    assert_true(stream->tails.epilogue_count > 0);
    swp_entry_list *list = &stream->tails.epilogues[0];
    swp_entry_list longer = {0};
    const int beyond = (int)(list->count + stream->epilogue.count);
    for (int i = 0; i <= beyond; i++)
        assert_ok(ctx, swp_entry_list_push(ctx, &longer, list->items[(size_t)i % list->count]));
    *list = longer;
    swp_diff diff;
    assert_ok(ctx, swp_diff_schedules(ctx, a, b, NULL, &diff));
    int last = -1;
    for (size_t i = 0; i < diff.b.hazards.count; i++) {
        const swp_diff_hazard *hazard = &diff.b.hazards.items[i];
        assert_int_equal(hazard->a, hazard->b);
        last = hazard->b > last ? hazard->b : last;
    }
    assert_true(last > (int)stream->epilogue.count);
    *list = (swp_entry_list){0};
    swp_schedule_free(a);
    swp_schedule_free(b);
}

static void a_limit_leaves_out_effects(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.work = 1};
    pair p = with_kernels(READS "| |" REST, READS REST);
    swp_context_set_limits(ctx, &limits);
    const swp_diff diff = compared(ctx, &p);
    assert_true(diff.stopped);
    assert_diag(ctx, "W0401", "after 1 proof");
    assert_non_null(diff.roles[0].phases[SWP_KERNEL].items[3].with);
    assert_null(diff.roles[0].phases[SWP_KERNEL].items[3].without);
    assert_null(diff.roles[0].phases[SWP_KERNEL].items[4].with);
    /* What concerns the two themselves is there. */
    assert_int_equal(diff.b.hazards.count, 2);
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_barrier_less_is_two_hazards_more),
        CONTEXT_TEST(differences_that_do_nothing_alone_do_so_together),
        CONTEXT_TEST(a_change_is_undone_as_a_whole),
        CONTEXT_TEST(a_setting_of_the_machine_has_effects),
        CONTEXT_TEST(what_no_judge_takes_is_compared_all_the_same),
        CONTEXT_TEST(loops_that_differ_are_compared_without_effects),
        CONTEXT_TEST(a_schedule_is_like_itself),
        CONTEXT_TEST(hazards_of_remainders_are_not_aligned),
        CONTEXT_TEST(a_limit_leaves_out_effects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
