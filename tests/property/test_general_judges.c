/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of general loops against the judge that unrolls them, and both against the executor, on
 * random loops: derived synchronisation, edits of it, and synchronisation at random.
 */
#include "fixture.h"

#include "execute.h"
#include "loop_agreement.h"
#include "loop_programs.h"
#include "op_program.h"

#include "swp/run.h"

#include <stdio.h>
#include <stdlib.h>

/* More passes than small counters take to fill. */
enum { CASES = 150 };
enum { PASSES = 7, RUN_PASSES = 3, MOST_PRINTED = 3 };

typedef struct tally {
    size_t programs;
    size_t safe;
    size_t one_edit;
    size_t derived_otherwise; /* synchronised at random */
    size_t conditional;       /* with an op that may not run */
    size_t hazards[SWP_HAZARD_KINDS];
    size_t shown[SWP_HAZARD_KINDS];
    size_t runs;
    size_t differences; /* of verdict or least N */
    size_t strange;     /* hazards that the judge does not know */
    size_t wrong_runs;
    size_t unshown;
} tally;

typedef struct trial {
    tally *sum;
    const loop_program *p;
    size_t index;
} trial;

static void show(const trial *t, const char *what, size_t *count)
{
    if ((*count)++ >= MOST_PRINTED)
        return;
    printf("--- case %zu: %s; edits %d:", t->index, what, t->p->edits);
    for (int i = 0; i < t->p->edits; i++)
        printf(" %s;", t->p->names[i]);
    printf("\n");
    loop_program_print(&t->p->schedule);
}

/* --- The proof and the judge --- */

static void print_both(const judgement *judged, const swp_verdict *verdict)
{
    for (size_t i = 0; i < judged->count; i++)
        printf("  judge: %s at %s %d from N = %d\n", swp_hazard_name(judged->items[i].kind),
               swp_phase_name(judged->items[i].phase), judged->items[i].entry,
               judged->items[i].smallest_n);
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        printf("  proof: %s at %s %d from N = %d; %s\n", swp_hazard_name(h->kind),
               swp_phase_name(h->at.phase), h->at.entry, h->smallest_n, h->detail);
    }
}

static bool compare_form(const trial *t, int form)
{
    swp_context *ctx = swp_context_new(NULL);
    const swp_schedule one = swp_schedule_form(&t->p->schedule, form);
    judgement judged = loop_judge(&one, PASSES);
    const int most = one.loop.min_tiles + PASSES * one.loop.tiles_per_pass;
    swp_verdict verdict;
    assert_ok(ctx, swp_verify_form(ctx, &t->p->schedule, form, &verdict));
    const loop_agreement agreement = loop_judges_agree(&judged, &verdict, most);
    if (agreement == LOOP_DIFFERS)
        show(t, "the proof and the judge differ", &t->sum->differences);
    if (agreement == LOOP_IS_STRANGE)
        show(t, "the judge does not know a hazard", &t->sum->strange);
    if (agreement != LOOP_AGREES) {
        printf("form %d\n", form);
        print_both(&judged, &verdict);
    }
    judgement_free(&judged);
    swp_context_free(ctx);
    return agreement != LOOP_DIFFERS;
}

/* --- The executor --- */

static bool runs_right(const swp_schedule *schedule, int n, swp_timing timing, uint64_t seed)
{
    swp_context *ctx = swp_context_new(NULL);
    const swp_run_options options = {.n = n, .timing = timing, .seed = seed};
    swp_run_outcome outcome;
    char *text = NULL;
    assert_ok(ctx, swp_run(ctx, schedule, &options, &outcome));
    const bool right = outcome.symptom == SWP_NO_SYMPTOM;
    if (!right) {
        assert_ok(ctx, swp_run_outcome_text(ctx, schedule, &outcome, &text, NULL));
        printf("timing %s, seed %llu:\n%s", swp_timing_name(timing), (unsigned long long)seed,
               text);
    }
    swp_context_free(ctx);
    return right;
}

static void run_safe(const trial *t)
{
    const swp_loop_shape *loop = &t->p->schedule.loop;
    const int most = loop->min_tiles + RUN_PASSES * loop->tiles_per_pass;
    for (int n = 0; n <= most; n++)
        for (int seed = 0; seed < 3 && swp_schedule_form_of(&t->p->schedule, n) >= 0; seed++) {
            const swp_timing timing = seed < 2 ? SWP_TIMING_ADVERSARIAL : SWP_TIMING_RANDOM;
            t->sum->runs++;
            if (!runs_right(&t->p->schedule, n, timing, (uint64_t)(t->index * 7 + (size_t)seed))) {
                show(t, "a safe schedule goes wrong", &t->sum->wrong_runs);
                return;
            }
        }
}

static void show_hazards(const trial *t, const swp_verdict *verdict)
{
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        const showing how = execute_hazard(&t->p->schedule, h);
        t->sum->hazards[h->kind]++;
        t->sum->shown[h->kind] += how != NOT_SHOWN;
        if (how == NOT_SHOWN) {
            show(t, "no execution shows a hazard", &t->sum->unshown);
            printf("%s at %s %d from N = %d; %s\n", swp_hazard_name(h->kind),
                   swp_phase_name(h->at.phase), h->at.entry, h->smallest_n, h->detail);
        }
    }
}

static bool is_conditional(const swp_loop *loop)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (loop->ops[i].when.kind != SWP_WHEN_ALWAYS)
            return true;
    return false;
}

static void check_program(const trial *t)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    bool agreed = true;
    for (int form = 0; form < swp_schedule_forms(&t->p->schedule) && agreed; form++)
        agreed = compare_form(t, form);
    assert_ok(ctx, swp_verify(ctx, &t->p->schedule, NULL, 0, &verdict));
    t->sum->programs++;
    t->sum->safe += verdict.safe;
    t->sum->one_edit += t->p->edits == 1;
    t->sum->derived_otherwise += t->p->edits < 0;
    t->sum->conditional += is_conditional(&t->p->loop);
    if (agreed && verdict.safe)
        run_safe(t);
    else if (agreed)
        show_hazards(t, &verdict);
    swp_context_free(ctx);
}

static void print_tally(const tally *sum)
{
    printf("%zu programs, %zu safe; %zu by one edit, %zu synchronised at random; %zu with ops that "
           "may not run\n",
           sum->programs, sum->safe, sum->one_edit, sum->derived_otherwise, sum->conditional);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        printf("  %-18s %5zu hazards, %5zu shown\n", swp_hazard_name((swp_hazard_kind)kind),
               sum->hazards[kind], sum->shown[kind]);
    printf("%zu runs of safe programs, %zu programs go wrong; %zu hazards not shown\n", sum->runs,
           sum->wrong_runs, sum->unshown);
    printf("proof and judge differ in %zu programs, and in the hazards of %zu\n", sum->differences,
           sum->strange);
}

static void proof_judge_and_executor_agree(void **state)
{
    const uint64_t seed = random_seed(1);
    const size_t cases = random_sample(CASES);
    const char *only = getenv("SWP_ONLY");
    tally sum = {0};
    (void)state;
    for (size_t i = only ? strtoull(only, NULL, 0) : 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        loop_program p;
        if (loop_program_new(&p, &random))
            check_program(&(trial){&sum, &p, i});
        loop_program_free(&p);
        if (only)
            break;
    }
    print_tally(&sum);
    assert_int_equal(sum.differences, 0);
    assert_int_equal(sum.strange, 0);
    assert_int_equal(sum.wrong_runs, 0);
    assert_int_equal(sum.unshown, 0);
    assert_true(only || (sum.safe > 0 && sum.safe < sum.programs && sum.conditional > 0));
}

/* --- Programs by hand --- */

/* All three must agree on it: in verdict, hazards and runs. */
static void expect_agreement(op_program *p, bool safe)
{
    tally sum = {0};
    const loop_program by_hand = {.schedule = p->schedule};
    check_program(&(trial){&sum, &by_hand, 0});
    assert_int_equal(sum.differences + sum.strange + sum.wrong_runs + sum.unshown, 0);
    assert_int_equal(sum.safe, safe);
}

static bool has(const swp_verdict *verdict, swp_hazard_kind kind, swp_entry_ref at, int n)
{
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        if (h->kind == kind && h->at.phase == at.phase && h->at.entry == at.entry)
            return h->smallest_n == n;
    }
    return false;
}

/* Group 1 begins when group 0 has done all: it finds version 3 where version 1 has replaced what it reads. */
static void a_write_that_another_one_hides_is_told(void **state)
{
    op_program p;
    swp_verdict verdict = {0};
    swp_loop_builder *l = swp_loop_new(*state, "ahead");
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_SHARED, .least_slots = 2);
    swp_work(l, "STEP", .completion = SWP_COMPLETION_NONE, .updates = {sum});
    op_program_begin(&p, *state, l, 4, 4);
    p.schedule.machine.groups = 2;
    p.schedule.machine.lag = 1;
    p.schedule.machine.lag_end_barrier = true;
    p.schedule.machine.waves_per_group = 1;
    op_program_read(&p, SWP_KERNEL, "| | STEP+0 STEP+1 STEP+2 STEP+3");
    op_program_read(&p, SWP_EPILOGUE, "| | STEP+0 STEP+1 STEP+2 STEP+3");
    expect_agreement(&p, false);
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_true(has(&verdict, SWP_OVERWRITTEN, (swp_entry_ref){SWP_EPILOGUE, 3}, 4));
}

/* READ has read when USE holds what OTHER makes: both are on lgkmcnt. */
static void a_scoreboard_retires_older_lds_operations(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "two reads");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS);
    const int b = swp_value(l, "b", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "READ", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = tile}},
             .writes = {a});
    swp_work(l, "OTHER", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = tile}},
             .writes = {b});
    swp_work(l, "USE", .reads = {{.value = b}});
    op_program_begin(&p, *state, l, 1, 1);
    p.schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
    op_program_read(&p, SWP_KERNEL, "| LOAD+0 v0 | READ+0 OTHER+0 USE+0");
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | READ+0 OTHER+0 USE+0");
    expect_agreement(&p, true);
    op_program_read(&p, SWP_KERNEL, "| LOAD+0 v0 | OTHER+0 USE+0 READ+0");
    expect_agreement(&p, false);
}

/* What orders matrix instructions is their accumulator: what works on shared memory besides is no such one. */
static void a_group_that_writes_shared_memory_is_in_no_order(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "both");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED, .least_slots = 2);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "STEP", .completion = SWP_COMPLETION_GROUP,
             .reads = {{.value = tile, .distance = 1}}, .writes = {tile}, .updates = {sum});
    op_program_begin(&p, *state, l, 2, 2);
    p.schedule.machine.waves_per_group = 1;
    op_program_read(&p, SWP_KERNEL, "STEP+0 l0 STEP+1 l0");
    op_program_read(&p, SWP_EPILOGUE, "STEP+0 l0 STEP+1 l0");
    expect_agreement(&p, true);
    op_program_read(&p, SWP_KERNEL, "STEP+0 l0 STEP+1");
    expect_agreement(&p, false);
}

/* What the judge finds out of range the proof does too, from the same number of iterations on. */
static void expect_all_out_of_range(swp_context *ctx, const op_program *p)
{
    judgement judged = loop_judge(&p->schedule, PASSES);
    swp_verdict verdict = {0};
    assert_ok(ctx, swp_verify(ctx, &p->schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < judged.count; i++) {
        const judged_hazard *j = &judged.items[i];
        if (j->kind == SWP_OUT_OF_RANGE)
            assert_true(has(&verdict, j->kind, (swp_entry_ref){j->phase, j->entry}, j->smallest_n));
    }
    judgement_free(&judged);
}

/* Group 1 waits for ever at its last barrier, and no run is judged behind it. */
static void nothing_is_told_behind_a_deadlock(void **state)
{
    static const struct {
        const char *prologue, *kernel, *epilogue;
    } lists[] = {{"DO+0", "| DO+1", "| DO+1 | DO+7"}, {"DO+0", "| DO+1", "| DO+7 | DO+1"},
                 {"DO+0", "| DO+1", "DO+1 DO+7"},     {"DO+0", "DO-1 | DO+1", "DO+1"},
                 {"DO+0", "| DO+1 DO+4", "DO+1"},     {"DO+0", "| DO+1 DO+3", "DO+1"},
                 {"DO+0", "| DO+1 DO-1", "DO+1"},     {"| DO+0 DO+2", "DO+1 |", "DO+1"},
                 {"| DO+0 DO+3", "DO+1 |", "DO+1"},   {"DO+9 | DO+0", "DO+1", "DO+1"},
                 {"| DO+0 DO+9", "DO+1", "DO+1"},     {"DO+9 DO+0", "DO+1", "DO+1"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        for (int lag_at = 0; lag_at <= 1; lag_at++) {
            swp_context *ctx = swp_context_new(NULL);
            op_program p;
            swp_loop_builder *l = swp_loop_new(ctx, "behind");
            swp_work(l, "DO");
            op_program_begin(&p, ctx, l, 1, 2);
            p.schedule.machine.groups = 2;
            p.schedule.machine.lag = 1;
            p.schedule.machine.lag_prologue_index = lag_at;
            p.schedule.machine.lag_end_barrier = false;
            op_program_read(&p, SWP_PROLOGUE, lists[i].prologue);
            op_program_read(&p, SWP_KERNEL, lists[i].kernel);
            op_program_read(&p, SWP_EPILOGUE, lists[i].epilogue);
            expect_agreement(&p, false);
            expect_all_out_of_range(ctx, &p);
            swp_context_free(ctx);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_write_that_another_one_hides_is_told),
        CONTEXT_TEST(a_scoreboard_retires_older_lds_operations),
        CONTEXT_TEST(a_group_that_writes_shared_memory_is_in_no_order),
        cmocka_unit_test(nothing_is_told_behind_a_deadlock),
        cmocka_unit_test(proof_judge_and_executor_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
