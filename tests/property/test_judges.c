/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier against the unrolled judge on random programs: verdict, hazards and smallest number
 * of tiles. SWP_CASES=10000 is the run that page 2 asks for; it also checks the mix of programs.
 */
#include "fixture.h"

#include "generator.h"
#include "unrolled.h"

enum { TILES = 12, SHOWN = 5, BUILT_INS = 40 };

typedef struct tally {
    size_t cases;
    size_t safe;
    size_t one_edit;
    size_t first[SWP_HAZARD_KINDS];
    size_t modes[8];
    size_t verdicts_differ;
    size_t hazards_differ;
} tally;

static size_t skip_late(const swp_verdict *verdict, size_t i)
{
    while (i < verdict->hazards.count && verdict->hazards.items[i].smallest_n > TILES)
        i++;
    return i;
}

static bool is_same(const judged_hazard *a, const swp_hazard *b)
{
    return a->kind == b->kind && a->phase == b->at.phase && a->entry == b->at.entry &&
           a->smallest_n == b->smallest_n;
}

/* Hazards that only show beyond the judge's last N do not count. */
static bool hazards_agree(const judgement *judged, const swp_verdict *verdict)
{
    size_t at = skip_late(verdict, 0);
    for (size_t i = 0; i < judged->count; i++, at = skip_late(verdict, at + 1))
        if (at >= verdict->hazards.count ||
            !is_same(&judged->items[i], &verdict->hazards.items[at]))
            return false;
    return at >= verdict->hazards.count;
}

static void print_hazard(const char *judge, swp_hazard_kind kind, swp_phase phase, int entry, int n)
{
    print_message("  %s: %s at %s entry %d from N = %d\n", judge, swp_hazard_name(kind),
                  swp_phase_name(phase), entry, n);
}

static void print_both(const judgement *judged, const swp_verdict *verdict)
{
    for (size_t i = 0; i < judged->count; i++)
        print_hazard("unrolled", judged->items[i].kind, judged->items[i].phase,
                     judged->items[i].entry, judged->items[i].smallest_n);
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        print_hazard("verifier", h->kind, h->at.phase, h->at.entry, h->smallest_n);
    }
}

typedef enum difference { AGREE, OTHER_HAZARDS, OTHER_VERDICT } difference;

static difference compare(const swp_schedule *schedule, const judgement *judged, bool print)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict = {0};
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    difference out = hazards_agree(judged, &verdict) ? AGREE : OTHER_HAZARDS;
    const bool safe = skip_late(&verdict, 0) == verdict.hazards.count;
    if (safe != (judged->count == 0))
        out = OTHER_VERDICT;
    if (print)
        print_both(judged, &verdict);
    swp_context_free(ctx);
    return out;
}

static bool still_differs(const swp_schedule *schedule, void *user)
{
    judgement judged = unrolled_judge(schedule, TILES);
    const difference kind = compare(schedule, &judged, false);
    judgement_free(&judged);
    return kind == *(const difference *)user;
}

static void show_difference(const random_program *random, size_t index, difference kind)
{
    program smaller = program_copy(&random->program.schedule);
    program_shrink(&smaller, still_differs, &kind);
    print_message("case %zu, %d edits, the last: %s\n", index, random->edits, random->edit);
    program_print(stdout, &smaller.schedule);
    judgement judged = unrolled_judge(&smaller.schedule, TILES);
    compare(&smaller.schedule, &judged, true);
    judgement_free(&judged);
    program_free(&smaller);
}

static void count_program(tally *counts, const random_program *random, const judgement *judged)
{
    const swp_machine *m = &random->program.schedule.machine;
    counts->cases++;
    counts->one_edit += random->edits == 1;
    if (judged->count == 0)
        counts->safe++;
    else
        counts->first[judged->items[0].kind]++;
    counts->modes[(m->lag ? 1 : 0) + (m->barrier == SWP_BARRIER_FENCED ? 2 : 0) +
                  (m->registers == SWP_REGISTERS_RAW ? 4 : 0)]++;
}

static void print_tally(const tally *counts)
{
    print_message("%zu programs: %zu safe, %zu one edit from a safe one\n", counts->cases,
                  counts->safe, counts->one_edit);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        print_message("  %-18s first in %zu\n", swp_hazard_name((swp_hazard_kind)kind),
                      counts->first[kind]);
    for (int mode = 0; mode < 8; mode++)
        print_message("  %-6s %-6s %-7s in %zu\n", mode & 1 ? "lag" : "no lag",
                      mode & 2 ? "fenced" : "raw", mode & 4 ? "raw" : "managed",
                      counts->modes[mode]);
    print_message("verdicts differ in %zu, hazards in %zu\n", counts->verdicts_differ,
                  counts->hazards_differ);
}

/* What page 2's ten thousand have to be. */
static void check_mix(const tally *counts)
{
    if (counts->cases < 10000)
        return;
    assert_true(counts->safe * 100 >= counts->cases * 30);
    assert_true(counts->one_edit * 100 >= counts->cases * 40);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        assert_true(counts->first[kind] >= 100);
    for (int mode = 0; mode < 8; mode++)
        assert_true(counts->modes[mode] >= 500);
}

static void run_case(tally *counts, const program_library *library, uint64_t seed, size_t index)
{
    random_program random = random_program_new(library, seed, index);
    judgement judged = unrolled_judge(&random.program.schedule, TILES);
    count_program(counts, &random, &judged);
    const difference kind = compare(&random.program.schedule, &judged, false);
    judgement_free(&judged);
    counts->verdicts_differ += kind == OTHER_VERDICT;
    counts->hazards_differ += kind == OTHER_HAZARDS;
    if (kind != AGREE && counts->verdicts_differ + counts->hazards_differ <= SHOWN)
        show_difference(&random, index, kind);
    program_free(&random.program);
}

static void the_judges_agree_on_random_programs(void **state)
{
    const uint64_t seed = random_seed(1);
    const size_t cases = random_cases(400);
    tally counts = {0};
    program_library library = program_library_new(*state, seed, BUILT_INS);
    for (size_t i = 0; i < cases; i++)
        run_case(&counts, &library, seed, i);
    program_library_free(&library);
    print_tally(&counts);
    check_mix(&counts);
    assert_int_equal(counts.verdicts_differ, 0);
    assert_int_equal(counts.hazards_differ, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_judges_agree_on_random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
