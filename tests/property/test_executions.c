/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier against the executor on random programs: an execution shows every hazard with the
 * number of tiles that the verifier names, and what it calls safe goes right in adversarial runs.
 */
#include "fixture.h"

#include "generator.h"
#include "swp/run.h"
#include "swp/verify.h"

enum { BUILT_INS = 40, RUNS = 8, MOST_TILES = 6 };

#ifdef NDEBUG
enum { CASES = 3000 };
#else
enum { CASES = 200 };
#endif

typedef struct tally {
    size_t safe;
    size_t hazards;
    size_t in_stopped_runs; /* hazards that no execution shows, of programs that deadlock */
} tally;

static bool deadlocks(const swp_verdict *verdict)
{
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (verdict->hazards.items[i].kind == SWP_DEADLOCK)
            return true;
    return false;
}

/* A run that stops has no results, so that it may hide what went wrong before. */
static void expect_shown(swp_context *ctx, const swp_schedule *schedule, const swp_verdict *verdict,
                         size_t index, tally *counts)
{
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        swp_counterexample found;
        const swp_status status = swp_counterexample_find(ctx, schedule, h, &found);
        counts->hazards++;
        if (status == SWP_OK && found.n == h->smallest_n)
            continue;
        if (!deadlocks(verdict))
            fail_msg("program %zu: %s at %s entry %d is not shown at N = %d", index,
                     swp_hazard_name(h->kind), swp_phase_name(h->at.phase), h->at.entry,
                     h->smallest_n);
        counts->in_stopped_runs++;
    }
}

static void expect_right(swp_context *ctx, const swp_schedule *schedule, size_t index)
{
    for (int n = schedule->loop.min_tiles; n <= MOST_TILES; n += schedule->loop.multiple)
        for (uint64_t seed = 0; seed < RUNS; seed++) {
            const swp_run_options options = {
                .n = n, .timing = SWP_TIMING_ADVERSARIAL, .seed = seed};
            swp_run_outcome outcome;
            assert_ok(ctx, swp_run(ctx, schedule, &options, &outcome));
            if (outcome.symptom != SWP_NO_SYMPTOM)
                fail_msg("program %zu is called safe, but N = %d, seed %d shows %s", index, n,
                         (int)seed, swp_symptom_name(outcome.symptom));
        }
}

static void check(const swp_schedule *schedule, size_t index, tally *counts)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    counts->safe += verdict.safe;
    if (verdict.safe)
        expect_right(ctx, schedule, index);
    expect_shown(ctx, schedule, &verdict, index, counts);
    swp_context_free(ctx);
}

static void executions_show_the_hazards_and_no_others(void **state)
{
    const uint64_t seed = random_seed(1);
    const size_t cases = random_cases(CASES);
    tally counts = {0};
    program_library library = program_library_new(*state, seed, BUILT_INS);
    for (size_t i = 0; i < cases; i++) {
        random_program random = random_program_new(&library, seed, i);
        check(&random.program.schedule, i, &counts);
        program_free(&random.program);
    }
    program_library_free(&library);
    print_message("%zu programs: %zu safe, %zu hazards, %zu of them not shown where waves wait for "
                  "ever\n",
                  cases, counts.safe, counts.hazards, counts.in_stopped_runs);
    assert_true(counts.safe > 0 && counts.hazards > 0);
    assert_true(counts.in_stopped_runs * 100 <= counts.hazards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(executions_show_the_hazards_and_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
