/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters so large that thousands of passes fill them: the proof ends all the same, and the least
 * number of tiles is what counting says. tests/judges/words.h has the notation.
 */
#include "fixture.h"

#include "agree.h"
#include "builtins.h"
#include "swp/verify.h"
#include "unrolled.h"
#include "words.h"

enum { LARGEST = 65535, FEW_PASSES = 40 };

/* Four accesses a pass, of two tiles; nothing waits for them but what `wait` says. */
static program loads_of_each_pass(const char *wait)
{
    program p = program_double_buffer();
    program_read(&p, SWP_PROLOGUE, "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0");
    program_read(&p, SWP_KERNEL,
                 "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 "
                 "B1.0:k1 m0.0");
    program_read(&p, SWP_KERNEL, wait);
    program_read(&p, SWP_KERNEL, "|");
    program_read(&p, SWP_EPILOGUE, "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0");
    p.schedule.machine.vm_max = LARGEST;
    return p;
}

static swp_verdict verified(swp_context *ctx, const swp_schedule *schedule)
{
    swp_verdict verdict;
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    assert_in_range(verdict.passes_explored, 1, FEW_PASSES);
    return verdict;
}

static const swp_hazard *hazard_at(const swp_verdict *verdict, swp_hazard_kind kind, int entry)
{
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *hazard = &verdict->hazards.items[i];
        if (hazard->kind == kind && hazard->at.phase == SWP_KERNEL && hazard->at.entry == entry)
            return hazard;
    }
    return NULL;
}

static void a_large_counter_does_not_keep_the_proof_from_its_end(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule =
        compile_builtin(ctx, "single_buffer machine.registers=raw machine.vm_max=65535");
    assert_false(verified(ctx, schedule).safe);
    swp_schedule_free(schedule);
    program p = loads_of_each_pass("");
    assert_non_null(hazard_at((swp_verdict[]){verified(ctx, &p.schedule)}, SWP_STALE_READ, 0));
    program_free(&p);
    p = loads_of_each_pass("v0");
    assert_true(verified(ctx, &p.schedule).safe);
    program_free(&p);
}

/* The second pass reads what the first one loads, and has not waited for. */
static void a_wait_that_thousands_of_passes_come_to_is_followed(void **state)
{
    swp_context *ctx = *state;
    program p = loads_of_each_pass("v60000");
    const swp_verdict verdict = verified(ctx, &p.schedule);
    assert_int_equal(hazard_at(&verdict, SWP_STALE_READ, 0)->smallest_n, 6);
    program_free(&p);
}

/* Pass p issues accesses 4 p + 1 to 4 p + 4, so that of number 65536 is the last of pass 16383. */
static void the_pass_in_which_a_counter_wraps_is_counted(void **state)
{
    swp_context *ctx = *state;
    static const int loads[] = {4, 5, 11, 12};
    program p = loads_of_each_pass("");
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    const swp_verdict verdict = verified(ctx, &p.schedule);
    for (int i = 0; i < 4; i++) {
        const swp_hazard *hazard = hazard_at(&verdict, SWP_COUNTER, loads[i]);
        assert_non_null(hazard);
        assert_int_equal(hazard->smallest_n, 2 + 2 * (i == 3 ? 16384 : 16385));
    }
    program_free(&p);
}

static const swp_hazard *hazard_of_end(const swp_verdict *verdict, swp_hazard_kind kind, int entry)
{
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *hazard = &verdict->hazards.items[i];
        if (hazard->kind == kind && hazard->at.phase == SWP_EPILOGUE && hazard->at.entry == entry)
            return hazard;
    }
    return NULL;
}

/* P passes leave 4 P accesses in flight: with 3000 more they are 65536 from P = 15634 on. */
static void an_epilogue_of_many_passes_accesses_is_counted(void **state)
{
    swp_context *ctx = *state;
    program p = loads_of_each_pass("");
    p.schedule.machine.counter_full = SWP_COUNTER_WRAPS;
    program_read(&p, SWP_EPILOGUE, "A0.0:k0*3000");
    const swp_verdict verdict = verified(ctx, &p.schedule);
    const swp_hazard *hazard = hazard_of_end(&verdict, SWP_COUNTER, 6);
    assert_non_null(hazard);
    assert_int_equal(hazard->smallest_n, 2 + 2 * 15634);
    program_free(&p);
}

static void expect_agreement(swp_context *ctx, const program *p, int tiles)
{
    swp_verdict verdict;
    judgement judged = unrolled_judge(&p->schedule, tiles);
    assert_ok(ctx, swp_verify(ctx, &p->schedule, NULL, 0, &verdict));
    assert_false(verdict.safe);
    assert_false(judges_disagree(&judged, &verdict, tiles).found);
    judgement_free(&judged);
}

/* Of two loads a pass one is stored, so that a tile is asked for ever longer after its store, which is then still in sight. */
static void writes_in_sight_of_many_passes_are_all_kept(void **state)
{
    program p = program_single_buffer();
    swp_machine *machine = &p.schedule.machine;
    program_read(&p, SWP_PROLOGUE, "L v9 S l46 | | L f0");
    program_read(&p, SWP_KERNEL, "l34 | | v0 S L L c0 l29 | | f0");
    program_read(&p, SWP_EPILOGUE, "l59 | | v31 S c0 l49 | | f0 l12 c0");
    machine->groups = 2;
    machine->waves_per_group = 1;
    machine->lag = 1;
    machine->lag_prologue_index = 8;
    machine->lag_end_barrier = true;
    machine->registers = SWP_REGISTERS_RAW;
    machine->barrier = SWP_BARRIER_RAW;
    machine->vm_max = 9;
    machine->lgkm_max = 25;
    expect_agreement(*state, &p, 32);
    program_free(&p);
}

/* The same without a barrier: no store ever goes out of sight. */
static void what_never_comes_back_is_told_all_the_same(void **state)
{
    program p = program_single_buffer();
    program_read(&p, SWP_PROLOGUE, "L v0 S L l0 f0");
    program_read(&p, SWP_KERNEL, "v0 S L v0 S L c0 f0");
    program_read(&p, SWP_EPILOGUE, "v0 S c0 f0 c0");
    expect_agreement(*state, &p, 24);
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_large_counter_does_not_keep_the_proof_from_its_end),
        CONTEXT_TEST(a_wait_that_thousands_of_passes_come_to_is_followed),
        CONTEXT_TEST(the_pass_in_which_a_counter_wraps_is_counted),
        CONTEXT_TEST(an_epilogue_of_many_passes_accesses_is_counted),
        CONTEXT_TEST(writes_in_sight_of_many_passes_are_all_kept),
        CONTEXT_TEST(what_never_comes_back_is_told_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
