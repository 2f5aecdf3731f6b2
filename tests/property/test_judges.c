/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier against the unrolled judge on random programs: verdict, hazards and smallest number
 * of tiles. An optimised build runs ten thousand of them and checks their mix.
 */
#include "fixture.h"

#include "agree.h"
#include "edits.h"
#include "mix.h"
#include "small_programs.h"
#include "unrolled.h"
#include "words.h"

#include "swp/run.h"

/*
 * A pass may leave one access in flight more than the last, until the counter is full. With a hazard each
 * second one may leave one more write in sight, up to 128, and then as many pass until these are all replaced.
 */
enum { TILES = 12, SHOWN = 5, BUILT_INS = 40, MOST_PASSES = 450, MANY_TILES = 64, MOST_COUNT = 60 };

typedef struct tally {
    program_mix mix;
    size_t verdicts_differ;
    size_t hazards_differ;
    int passes; /* the most that were explored */
} tally;

static disagreement compare(const swp_schedule *schedule, const judgement *judged, int tiles,
                            int *passes)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict = {0};
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    const disagreement out = judges_disagree(judged, &verdict, tiles);
    if (verdict.passes_explored > *passes)
        *passes = verdict.passes_explored;
    swp_context_free(ctx);
    return out;
}

static bool is_alike(const disagreement *a, const disagreement *b)
{
    return a->found == b->found && a->verdicts == b->verdicts && a->hazard.kind == b->hazard.kind &&
           (a->judged_n > 0) == (b->judged_n > 0) && (a->verified_n > 0) == (b->verified_n > 0);
}

typedef struct difference {
    disagreement found;
    int tiles;
} difference;

static bool still_differs(const swp_schedule *schedule, void *user)
{
    const difference *before = user;
    int passes = 0;
    judgement judged = unrolled_judge(schedule, before->tiles);
    const disagreement d = compare(schedule, &judged, before->tiles, &passes);
    judgement_free(&judged);
    return is_alike(&d, &before->found);
}

static void show_difference(const random_program *random, size_t index, difference differs)
{
    disagreement d;
    const int tiles = differs.tiles;
    char text[160];
    int passes = 0;
    program smaller = program_copy(&random->program.schedule);
    program_shrink(&smaller, still_differs, &differs);
    judgement judged = unrolled_judge(&smaller.schedule, tiles);
    d = compare(&smaller.schedule, &judged, tiles, &passes);
    judgement_free(&judged);
    disagreement_print(text, sizeof text, &d);
    print_message("case %zu, %d edits, the last: %s\n", index, random->edits, random->edit);
    program_print(stdout, &smaller.schedule);
    print_message("  %s\n", text);
    program_free(&smaller);
}

static void print_tally(const tally *counts)
{
    program_mix_print(&counts->mix);
    print_message("verdicts differ in %zu, hazards in %zu; at most %d passes explored\n",
                  counts->verdicts_differ, counts->hazards_differ, counts->passes);
}

/* What the ten thousand have to be. */
static void check_mix(const program_mix *mix)
{
    if (mix->programs < 10000)
        return;
    assert_true(mix->safe * 100 >= mix->programs * 30);
    assert_true(mix->one_edit * 100 >= mix->programs * 40);
    for (int kind = 0; kind < SWP_ARRIVALS; kind++) /* what only warp roles have begins there */
        assert_true(mix->first[kind] >= 100);
    for (int mode = 0; mode < MIX_MODES; mode++)
        assert_true(mix->modes[mode] >= 500);
}

static void judge_program(tally *counts, const random_program *random, size_t index, int tiles)
{
    judgement judged = unrolled_judge(&random->program.schedule, tiles);
    program_mix_add(&counts->mix, random->edits, &judged);
    program_mix_add_mode(&counts->mix, &random->program.schedule.machine);
    const disagreement d = compare(&random->program.schedule, &judged, tiles, &counts->passes);
    judgement_free(&judged);
    counts->verdicts_differ += d.verdicts;
    counts->hazards_differ += d.found;
    if (d.found && counts->hazards_differ <= SHOWN)
        show_difference(random, index, (difference){d, tiles});
}

/* A case with so many further edits. */
static void run_case(tally *counts, const program_library *library, uint64_t seed, size_t index,
                     int edits)
{
    random_program random = random_program_new(library, seed, index);
    test_random dice = random_for_case(~seed, index);
    for (; edits > 0; edits--, random.edits++)
        random.edit = random_edit(&random.program, &dice);
    judge_program(counts, &random, index, TILES);
    program_free(&random.program);
}

enum { CASES = 1500 };

static void check_tally(const tally *counts)
{
    print_tally(counts);
    assert_int_equal(counts->verdicts_differ, 0);
    assert_int_equal(counts->hazards_differ, 0);
    assert_true(counts->passes <= MOST_PASSES);
}

static tally run_cases(swp_context *ctx, size_t cases, int edits)
{
    const uint64_t seed = random_seed(1);
    tally counts = {0};
    program_library library = program_library_new(ctx, seed, BUILT_INS);
    for (size_t i = 0; i < cases; i++)
        run_case(&counts, &library, seed, i, edits);
    program_library_free(&library);
    check_tally(&counts);
    return counts;
}

static void the_judges_agree_on_random_programs(void **state)
{
    const tally counts = run_cases(*state, random_sample(CASES), 0);
    check_mix(&counts.mix);
}

/* Programs without any sense left have more faults at once, and stranger ones. */
static void the_judges_agree_on_programs_edited_often(void **state)
{
    (void)run_cases(*state, random_sample(CASES) / 4, 10);
}

/* Counters as large as many passes' accesses; waits that leave so many in flight, or none at all. */
static void fill_slowly(program *p, test_random *random)
{
    swp_machine *machine = &p->schedule.machine;
    const bool deletes = random_chance(random, 50);
    machine->vm_max = random_int(random, 1, MOST_COUNT);
    machine->lgkm_max = random_int(random, 1, MOST_COUNT);
    machine->counter_full = random_chance(random, 50) ? SWP_COUNTER_WRAPS : SWP_COUNTER_STALLS;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = (int)program_phase(p, phase)->count; i-- > 0;) {
            swp_op *op = &program_phase(p, phase)->items[i].op;
            if ((op->tag != SWP_TAG_WAIT_VM && op->tag != SWP_TAG_WAIT_LGKM) ||
                random_chance(random, 40))
                continue;
            op->wait_value = random_int(random, 0, MOST_COUNT);
            if (deletes && random_chance(random, 80)) {
                program_delete(p, phase, i);
                if (phase == SWP_PROLOGUE && i < machine->lag_prologue_index)
                    machine->lag_prologue_index--;
            }
        }
}

/* The proof leaves passes out that differ in counts alone; the other judge runs them all. */
static void the_judges_agree_on_counters_that_fill_slowly(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(4);
    const size_t cases = random_sample(CASES) / 8;
    tally counts = {0};
    for (size_t i = 0; i < cases; i++) {
        random_program random = small_program_new(seed, i);
        test_random dice = random_for_case(~seed, i);
        fill_slowly(&random.program, &dice);
        judge_program(&counts, &random, i, MANY_TILES);
        program_free(&random.program);
    }
    check_tally(&counts);
}

/* Group 1 reads tile 0 of A when group 0 has loaded tile 1 over it, and tile 0 again: no number goes wrong. */
static void a_tile_that_is_brought_back_was_overwritten(void **state)
{
    program p = program_double_buffer();
    swp_machine *machine = &p.schedule.machine;
    swp_verdict verdict = {0};
    swp_counterexample found;
    machine->groups = 2;
    machine->waves_per_group = 1;
    machine->lag = 1;
    machine->lag_prologue_index = 5;
    machine->lag_end_barrier = true;
    program_read(&p, SWP_PROLOGUE,
                 "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0 | | a0.0 b0.0 l0 A0.0:k1 v0 A0.0:k0 v0 | |");
    program_read(&p, SWP_KERNEL,
                 "m0.0 | | A0.0:k0 B0.0:k0 a1.0 b1.0 l0 v0 | |"
                 " m0.0 A1.0:k1 B1.0:k1 a0.0 b0.0 l0 v0 | |");
    program_read(&p, SWP_EPILOGUE, "m0.0 a1.0 b1.0 l0 m0.0");
    judgement judged = unrolled_judge(&p.schedule, TILES);
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_false(judges_disagree(&judged, &verdict, TILES).found);
    assert_int_equal(verdict.hazards.count, 1);
    assert_int_equal(verdict.hazards.items[0].kind, SWP_OVERWRITTEN);
    assert_int_equal(verdict.hazards.items[0].at.entry, 10);
    assert_status(*state,
                  swp_counterexample_find(*state, &p.schedule, &verdict.hazards.items[0], &found),
                  SWP_INFEASIBLE);
    assert_diag(*state, "E0714", "overwritten at prologue entry 10");
    judgement_free(&judged);
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_tile_that_is_brought_back_was_overwritten),
        CONTEXT_TEST(the_judges_agree_on_random_programs),
        CONTEXT_TEST(the_judges_agree_on_programs_edited_often),
        CONTEXT_TEST(the_judges_agree_on_counters_that_fill_slowly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
