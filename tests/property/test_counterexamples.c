/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier against the executor on random programs: every hazard is shown by an execution for
 * the number of tiles that the verifier names, and what it calls safe goes right in 64 adversarial
 * runs. SWP_CASES scales the run.
 */
#include "fixture.h"

#include "execute.h"
#include "small_programs.h"

enum { RUNS = 64, MOST_TILES = 12, SHOWN_FAILURES = 5, BUILT_INS = 40, MOST_COPIES = 3 };

typedef struct tally {
    size_t programs;
    size_t safe;
    size_t hazards[SWP_HAZARD_KINDS];
    size_t shown[SWP_HAZARD_KINDS]; /* as an execution with the symptom */
    size_t plain[SWP_HAZARD_KINDS]; /* of these, with what went wrong at an entry of the hazard */
    size_t right;                   /* shown, though no number goes wrong */
    size_t failures;
    size_t runs; /* of safe programs */
    size_t wrong_runs;
    size_t caught; /* unsafe programs that as many adversarial runs find without being told */
} tally;

/*
 * Of three writes that race the one found may be the third, which the hazard does not name.
 * Only a wrong number is told to be at an entry; who adds a product too few or twice is not.
 */
static bool has_operand(swp_hazard_kind kind)
{
    return kind == SWP_STALE_READ || kind == SWP_OVERWRITTEN || kind == SWP_WRONG_TILE ||
           kind == SWP_REGISTER_NOT_READY;
}

/* A wrong number may be another hazard's, unless there is none. */
static bool is_shown(const swp_verdict *verdict, const swp_hazard *hazard, showing how)
{
    return how == SHOWN_PLAINLY || how == SHOWN_RIGHT ||
           (how == SHOWN && (verdict->hazards.count > 1 || !has_operand(hazard->kind)));
}

static bool has_unshown(const swp_schedule *schedule, void *user)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    bool unshown = false;
    assert_non_null(ctx);
    if (swp_verify(ctx, schedule, NULL, 0, &verdict) == SWP_OK)
        for (size_t i = 0; i < verdict.hazards.count && !unshown; i++) {
            const swp_hazard *h = &verdict.hazards.items[i];
            unshown = h->kind == *(const swp_hazard_kind *)user &&
                      !is_shown(&verdict, h, execute_hazard(schedule, h));
        }
    swp_context_free(ctx);
    return unshown;
}

static void report_unshown(tally *counts, const swp_schedule *schedule, const swp_hazard *hazard,
                           size_t index)
{
    swp_hazard_kind kind = hazard->kind;
    if (++counts->failures > SHOWN_FAILURES)
        return;
    print_message("case %zu: %s at %s entry %d is not shown at N = %d\n", index,
                  swp_hazard_name(kind), swp_phase_name(hazard->at.phase), hazard->at.entry,
                  hazard->smallest_n);
    program smaller = program_copy(schedule);
    program_shrink(&smaller, has_unshown, &kind);
    program_print(stdout, &smaller.schedule);
    program_free(&smaller);
}

static void check_hazard(tally *counts, const swp_schedule *schedule, const swp_verdict *verdict,
                         const swp_hazard *hazard, size_t index)
{
    const showing how = execute_hazard(schedule, hazard);
    counts->hazards[hazard->kind]++;
    counts->shown[hazard->kind] += how != NOT_SHOWN;
    counts->plain[hazard->kind] += how == SHOWN_PLAINLY;
    counts->right += how == SHOWN_RIGHT;
    if (!is_shown(verdict, hazard, how))
        report_unshown(counts, schedule, hazard, index);
}

static void check_safe(tally *counts, const swp_schedule *schedule, size_t index)
{
    const int wrong = execute_adversarially(schedule, RUNS, schedule->loop.min_tiles, MOST_TILES);
    counts->safe++;
    counts->runs += RUNS;
    counts->wrong_runs += (size_t)wrong;
    if (wrong > 0) {
        print_message("case %zu is called safe, but %d of %d runs go wrong\n", index, wrong, RUNS);
        program_print(stdout, schedule);
    }
}

static int least_n(const swp_verdict *verdict)
{
    int least = verdict->hazards.items[0].smallest_n;
    for (size_t i = 1; i < verdict->hazards.count; i++)
        if (verdict->hazards.items[i].smallest_n < least)
            least = verdict->hazards.items[i].smallest_n;
    return least;
}

static void check_program(tally *counts, const swp_schedule *schedule, size_t index)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    counts->programs++;
    for (size_t i = 0; i < verdict.hazards.count; i++)
        check_hazard(counts, schedule, &verdict, &verdict.hazards.items[i], index);
    if (verdict.safe) {
        check_safe(counts, schedule, index);
    } else {
        const int n = least_n(&verdict);
        counts->caught += execute_adversarially(schedule, RUNS, n, n) > 0;
    }
    swp_context_free(ctx);
}

static void print_tally(const tally *counts)
{
    print_message("%zu programs, %zu safe\n", counts->programs, counts->safe);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        print_message("  %-18s %5zu hazards, %5zu shown, %5zu at their entries\n",
                      swp_hazard_name((swp_hazard_kind)kind), counts->hazards[kind],
                      counts->shown[kind], counts->plain[kind]);
    print_message("%zu are not shown; of %zu no number goes wrong\n", counts->failures,
                  counts->right);
    print_message("%zu adversarial runs of safe programs, %zu wrong\n", counts->runs,
                  counts->wrong_runs);
    print_message("%d adversarial runs each catch %zu of %zu unsafe programs\n", RUNS,
                  counts->caught, counts->programs - counts->safe);
}

static void check_tally(const tally *counts)
{
    print_tally(counts);
    assert_int_equal(counts->failures, 0);
    assert_int_equal(counts->wrong_runs, 0);
}

static void hazards_of_small_programs_are_shown(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(1);
    const size_t cases = random_sample(2000);
    tally counts = {0};
    for (size_t i = 0; i < cases; i++) {
        random_program random = small_program_new(seed, i);
        check_program(&counts, &random.program.schedule, i);
        program_free(&random.program);
    }
    check_tally(&counts);
}

static void hazards_of_any_programs_are_shown(void **state)
{
    const uint64_t seed = random_seed(2);
    const size_t cases = random_sample(400);
    tally counts = {0};
    program_library library = program_library_new(*state, seed, BUILT_INS);
    for (size_t i = 0; i < cases; i++) {
        random_program random = random_program_new(&library, seed, i);
        check_program(&counts, &random.program.schedule, i);
        program_free(&random.program);
    }
    program_library_free(&library);
    check_tally(&counts);
}

/* A copy of a load somewhere after it: writes of one tile, that loads of another stand between. */
static void repeat_load(program *p, test_random *random)
{
    const swp_entry_list *kernel = &p->schedule.streams[0].kernel;
    const int from = random_int(random, 0, (int)kernel->count - 1);
    for (int i = from; i < (int)kernel->count; i++)
        if (kernel->items[i].op.role == SWP_GLOBAL_LOAD) {
            const int to = random_int(random, i + 1, (int)kernel->count);
            program_insert(p, SWP_KERNEL, to, kernel->items[i].op);
            return;
        }
}

/* The read then goes wrong only if several loads of its place take effect in another order. */
static void hazards_of_repeated_loads_are_shown(void **state)
{
    const uint64_t seed = random_seed(3);
    const size_t cases = random_sample(150);
    tally counts = {0};
    program_library library = program_library_new(*state, seed, BUILT_INS);
    for (size_t i = 0; i < cases; i++) {
        random_program random = random_program_new(&library, seed, i);
        test_random dice = random_for_case(~seed, i);
        for (int copies = random_int(&dice, 1, MOST_COPIES); copies > 0; copies--)
            repeat_load(&random.program, &dice);
        check_program(&counts, &random.program.schedule, i);
        program_free(&random.program);
    }
    program_library_free(&library);
    check_tally(&counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(hazards_of_small_programs_are_shown),
        CONTEXT_TEST(hazards_of_any_programs_are_shown),
        CONTEXT_TEST(hazards_of_repeated_loads_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
