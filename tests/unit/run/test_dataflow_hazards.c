/* SPDX-License-Identifier: Apache-2.0 */
/* For each kind of hazard a minimal general loop, and the execution that shows it. */
#include "small_dataflow.h"

typedef struct wrong_case {
    void (*describe)(swp_loop_builder *l);
    const int *slots;
    const char *kernel;
    bool raw;
    swp_hazard hazard; /* with the least n */
    swp_symptom symptom;
} wrong_case;

#define AT(kind_, entry_, n_) .kind = (kind_), .at = {SWP_KERNEL, (entry_)}, .smallest_n = (n_)
#define OTHER(entry_, passes_)                                                                     \
    .has_other = true, .other = {SWP_KERNEL, (entry_)}, .passes_before = (passes_)

static const wrong_case wrong_cases[] = {
    /* No barrier, no wait, a wait behind the barrier. */
    {load_read_use,
     one_slot,
     "L0 vm0 R0 lgkm0 U0 bar",
     false,
     {AT(SWP_STALE_READ, 2, 1), OTHER(0, 0)},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "L0 bar R0 lgkm0 U0 bar",
     false,
     {AT(SWP_STALE_READ, 2, 1), OTHER(0, 0)},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "L0 bar vm0 R0 lgkm0 U0 bar",
     false,
     {AT(SWP_STALE_READ, 3, 1), OTHER(0, 0)},
     SWP_WRONG_VALUE},
    {write_read,
     one_slot,
     "W0 R0 bar",
     false,
     {AT(SWP_STALE_READ, 1, 1), OTHER(0, 0)},
     SWP_WRONG_VALUE},
    /* In the same slot it is in its own way. */
    {write_change_read,
     one_slot,
     "W0 bar V0 bar R0 bar",
     false,
     {AT(SWP_OVERWRITTEN, 2, 1), OTHER(2, 0)},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "L0 vm0 bar R0 lgkm0 U0",
     false,
     {AT(SWP_OVERWRITTEN, 0, 2), OTHER(3, 1)},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "L0 vm0 bar R0 bar U0",
     false,
     {AT(SWP_OVERWRITTEN, 0, 2), OTHER(3, 1)},
     SWP_WRONG_VALUE},
    {write_read,
     one_slot,
     "W0 bar R0",
     false,
     {AT(SWP_OVERWRITTEN, 0, 2), OTHER(2, 1)},
     SWP_WRONG_VALUE},
    {write_read_before,
     two_slots,
     "W0 bar R0",
     false,
     {AT(SWP_OVERWRITTEN, 0, 2), OTHER(2, 1)},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "L-1 L0 vm0 bar R0 lgkm0 U0 bar",
     false,
     {AT(SWP_WRITE_RACE, 1, 1), OTHER(0, 0)},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "U0 L0 vm0 bar R0 lgkm0 bar",
     false,
     {AT(SWP_WRONG_TILE, 0, 1)},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "L0 vm0 bar R0 lgkm0 bar",
     false,
     {.kind = SWP_MISSING_WORK, .at = {SWP_EPILOGUE, 0}, .smallest_n = 1},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "L0 vm0 bar R0 lgkm0 U0 U0 bar",
     false,
     {AT(SWP_DOUBLE_WORK, 6, 1), OTHER(5, 0)},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "L0 vm0 bar R0 U0 lgkm0 bar",
     true,
     {AT(SWP_REGISTER_NOT_READY, 4, 1), OTHER(3, 0)},
     SWP_WRONG_VALUE},
    {update_store_group,
     one_slot,
     "U0 T0",
     false,
     {AT(SWP_REGISTER_NOT_READY, 0, 2), OTHER(1, 1)},
     SWP_WRONG_VALUE},
    {accumulate_read,
     one_slot,
     "M0 V0",
     false,
     {AT(SWP_REGISTER_NOT_READY, 1, 1), OTHER(0, 0)},
     SWP_WRONG_VALUE},
    /* All barriers are fenced: that is none of a group's business. */
    {load_and_group,
     one_slot,
     "L0 vm0 bar M0 bar",
     false,
     {AT(SWP_OVERWRITTEN, 0, 2), OTHER(3, 1)},
     SWP_WRONG_VALUE},
    /* One of each may stay in flight. */
    {copy_store_read,
     one_slot,
     "L0 U0 F0 vm1 bar V0 bar",
     false,
     {AT(SWP_STALE_READ, 5, 1), OTHER(0, 0)},
     SWP_WRONG_VALUE},
    /* The registers are two, so nothing orders the groups. */
    {accumulate,
     two_registers,
     "M0",
     true,
     {AT(SWP_REGISTER_NOT_READY, 0, 2), OTHER(0, 1)},
     SWP_WRONG_VALUE},
    {load_read_use,
     one_slot,
     "L1 vm0 bar R1 lgkm0 U1 bar",
     false,
     {AT(SWP_OUT_OF_RANGE, 0, 1)},
     SWP_TILE_OUTSIDE},
};

static swp_schedule wrong_schedule(swp_context *ctx, const wrong_case *c)
{
    swp_schedule schedule = small_dataflow(ctx, loop_of(ctx, c->describe), c->slots, c->kernel);
    schedule.machine.registers = c->raw ? SWP_REGISTERS_RAW : SWP_REGISTERS_MANAGED;
    if (c->describe == load_and_group)
        schedule.machine.barrier = SWP_BARRIER_FENCED;
    return schedule;
}

static void programs_that_lack_something_go_wrong(void **state)
{
    for (size_t i = 0; i < COUNT_OF(wrong_cases); i++) {
        const swp_schedule schedule = wrong_schedule(*state, &wrong_cases[i]);
        expect_wrong(*state, &schedule);
    }
}

/* As it was found, and as it is read again from its JSON. */
static void replay(swp_context *ctx, const swp_schedule *schedule, const swp_counterexample *found,
                   swp_run_outcome *outcome)
{
    swp_counterexample again;
    char *text = NULL;
    size_t length = 0;
    assert_ok(ctx, swp_counterexample_write(ctx, found, &text, &length));
    assert_ok(ctx, swp_counterexample_read(ctx, text, length, "cex.json", &again));
    assert_ok(ctx, swp_counterexample_replay(ctx, schedule, &again, outcome));
    assert_false(has_diag(ctx, "W0710", NULL));
}

static bool is_at(const swp_instance *at, const swp_entry_ref *ref)
{
    return at->phase == ref->phase && at->entry == ref->entry;
}

/* The first read that goes wrong is that of the hazard, because of its other op. */
static void expect_met(const swp_run_outcome *outcome, const swp_hazard *hazard)
{
    const swp_wrong_operand *first = &outcome->operands.items[0];
    const bool reads = hazard->kind != SWP_OVERWRITTEN;
    assert_true(outcome->operands.count > 0);
    assert_true(is_at(&first->reader, reads ? &hazard->at : &hazard->other));
    assert_true(is_at(&first->other, reads ? &hazard->other : &hazard->at));
    assert_int_equal(first->too_late, reads);
}

static void every_kind_of_hazard_is_shown(void **state)
{
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(wrong_cases); i++) {
        const wrong_case *c = &wrong_cases[i];
        const swp_schedule schedule = wrong_schedule(ctx, c);
        swp_counterexample found;
        swp_run_outcome outcome;
        assert_ok(ctx, swp_counterexample_find(ctx, &schedule, &c->hazard, &found));
        assert_int_equal(found.n, c->hazard.smallest_n);
        assert_int_equal(found.symptom, c->symptom);
        replay(ctx, &schedule, &found, &outcome);
        assert_true(c->symptom == SWP_WRONG_VALUE ? outcome.values.count > 0
                                                  : outcome.symptom != SWP_NO_SYMPTOM);
        if (c->hazard.kind == SWP_STALE_READ || c->hazard.kind == SWP_OVERWRITTEN)
            expect_met(&outcome, &c->hazard);
        /* Nothing goes wrong with fewer iterations. */
        assert_int_equal(run_once(ctx, &schedule, 0, SWP_TIMING_RACE, 0).symptom, SWP_NO_SYMPTOM);
    }
}

static void expect_instance(const swp_instance *at, int entry, int pass)
{
    assert_int_equal(at->phase, SWP_KERNEL);
    assert_int_equal(at->entry, entry);
    assert_int_equal(at->pass, pass);
}

static void a_read_that_goes_wrong_names_value_slot_and_versions(void **state)
{
    swp_context *ctx = *state;
    const wrong_case stale = {write_read, two_slots, "W0 R0 bar", false, {0}, SWP_WRONG_VALUE};
    const swp_schedule schedule = wrong_schedule(ctx, &stale);
    const swp_hazard hazard = {AT(SWP_STALE_READ, 1, 2), OTHER(0, 0)};
    swp_counterexample found;
    swp_run_outcome outcome;
    char *text = NULL;
    assert_ok(ctx, swp_counterexample_find(ctx, &schedule, &hazard, &found));
    replay(ctx, &schedule, &found, &outcome);
    const swp_wrong_operand *operand = &outcome.operands.items[0];
    assert_int_equal(operand->value, 0);
    assert_int_equal(operand->found, operand->wanted - 2);
    assert_int_equal(operand->slot, operand->wanted % 2);
    assert_true(operand->has_other && operand->too_late);
    expect_instance(&operand->reader, 1, operand->wanted);
    expect_instance(&operand->other, 0, operand->wanted);
    assert_int_not_equal(operand->reader.wave, operand->other.wave);
    assert_ok(ctx, swp_run_outcome_text(ctx, &schedule, &outcome, &text, NULL));
    assert_non_null(strstr(text, "N = 2, 2 waves: a result that is not the loop's\n"));
    assert_non_null(
        strstr(text, "reads version -2 of A instead of version 0 (slot 0, wave 1's share)"));
    assert_non_null(strstr(text, "R of iteration 0: "));
    assert_non_null(strstr(text, "wave 1's kernel entry 0 (W) of pass 0 takes effect after it\n"));
}

static void a_tile_says_which_op_made_it(void **state)
{
    swp_context *ctx = *state;
    const wrong_case *c = &wrong_cases[4];
    const swp_schedule schedule = wrong_schedule(ctx, c);
    swp_counterexample found;
    swp_run_outcome outcome;
    char *text = NULL;
    assert_ok(ctx, swp_counterexample_find(ctx, &schedule, &c->hazard, &found));
    replay(ctx, &schedule, &found, &outcome);
    assert_ok(ctx, swp_run_outcome_text(ctx, &schedule, &outcome, &text, NULL));
    assert_non_null(strstr(text, "version 0 of A as of V instead of version 0 as of W (slot 0"));
}

static void what_nobody_reads_is_nobodys_result(void **state)
{
    swp_context *ctx = *state;
    const wrong_case race = {load_only, one_slot, "L0", false, {0}, SWP_WRONG_VALUE};
    const swp_schedule schedule = wrong_schedule(ctx, &race);
    const swp_hazard hazard = {AT(SWP_WRITE_RACE, 0, 2), OTHER(0, 1)};
    swp_counterexample found;
    assert_int_not_equal(swp_counterexample_find(ctx, &schedule, &hazard, &found), SWP_OK);
    assert_diag(ctx, "E0714", "no execution was found that shows write_race");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(programs_that_lack_something_go_wrong),
        CONTEXT_TEST(every_kind_of_hazard_is_shown),
        CONTEXT_TEST(a_read_that_goes_wrong_names_value_slot_and_versions),
        CONTEXT_TEST(a_tile_says_which_op_made_it),
        CONTEXT_TEST(what_nobody_reads_is_nobodys_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
