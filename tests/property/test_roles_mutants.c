/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in loops with warp roles, and all that one small edit makes of them (tests/judges/roles_mutants.h), judged by the proof and by
 * the judge that writes runs out.
 *
 *   no schedule  it has no meaning, and is refused before it is judged
 *   caught       both find the same hazards, each from the same N, and an execution shows one of them, and goes wrong again when it is
 *                replayed
 *   equivalent   both find none, and adversarial runs go right
 *   wrong        anything else: a defect of one of them
 *
 * A random part of the mutants is taken, unless SWP_FULL=1; SWP_LIST=1 prints the equivalent ones; SWP_ONLY=TEXT takes the
 * built-ins whose names hold TEXT.
 */
#include "fixture.h"

#include "agree.h"
#include "builtins.h"
#include "random.h"
#include "roles_mutants.h"
#include "roles_unrolled.h"

#include "ir/roles.h"
#include "swp/run.h"

#include <stdlib.h>
#include <string.h>

/* One of so many mutants is taken, of those that remove or weaken and of the others; SWP_FULL=1: each. */
#ifdef NDEBUG
enum { PART_OF_WEAKENED = 2, PART_OF_OTHERS = 16 };
#else
enum { PART_OF_WEAKENED = 20, PART_OF_OTHERS = 200 };
#endif

enum { RUNS = 8, MOST_TILES = 2, LESS_OF_TILES = 40 };

typedef struct origin {
    const char *words;
    swp_role_counts counts; /* in a pass */
} origin;

static const origin origins[] = {
    {"gemm_ws", {2, 0, 9, 9, 6, 0}},
    {"attention_ws", {4, 0, 12, 12, 8, 8}},
    {"attention_ws loop.causal=true", {4, 0, 12, 12, 8, 8}},
    {"gemm_ws loop.persistent=true", {2, 1, 9, 9, 6, 0}},
    {"attention_ws loop.persistent=true", {6, 1, 12, 12, 8, 8}},
};

typedef enum result { NO_SCHEDULE, CAUGHT, EQUIVALENT, WRONG, RESULTS } result;

typedef struct examiner {
    const char *name; /* of the base */
    int counts[ROLE_MUTANT_KINDS][RESULTS];
    test_random random;
    bool takes_all;
} examiner;

/* ---- One mutant ---- */

static bool is_shown(swp_context *ctx, const swp_schedule *schedule, const swp_hazard *hazard)
{
    swp_counterexample example;
    swp_run_outcome outcome = {0};
    const swp_status status = swp_counterexample_find(ctx, schedule, hazard, &example);
    if (status == SWP_INFEASIBLE)
        return false;
    assert_ok(ctx, status);
    assert_ok(ctx, swp_counterexample_replay(ctx, schedule, &example, &outcome));
    assert_int_not_equal(outcome.symptom, SWP_NO_SYMPTOM);
    return true;
}

static bool is_any_shown(swp_context *ctx, const swp_schedule *schedule,
                         const swp_hazard_list *hazards)
{
    for (size_t i = 0; i < hazards->count; i++)
        if (is_shown(ctx, schedule, &hazards->items[i]))
            return true;
    return false;
}

static bool goes_right(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_run_sweep sweep = {.seeds = RUNS, .timing = SWP_TIMING_ADVERSARIAL};
    swp_run_summary runs = {0};
    assert_ok(ctx, swp_run_many(ctx, schedule, &sweep, &runs));
    return runs.wrong == 0;
}

/* With output tiles: by all sequences of a few short ones, some of them with passes. */
static result judge_tiles(swp_context *ctx, const swp_schedule *schedule)
{
    const int longest = schedule->loop.min_tiles + schedule->loop.tiles_per_pass;
    swp_verdict verdict = {0};
    judgement judged;
    if (swp_ir_check_roles(ctx, schedule) != SWP_OK)
        return NO_SCHEDULE;
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    roles_unrolled_judge_tiles(schedule, longest, MOST_TILES, &judged);
    const bool agree = roles_tiles_are_found(&verdict, &judged, MOST_TILES, longest);
    judgement_free(&judged);
    return !agree ? WRONG : verdict.safe ? EQUIVALENT : CAUGHT;
}

static result judge(swp_context *ctx, const swp_schedule *schedule)
{
    const int most_n = roles_most_n(schedule);
    swp_verdict verdict = {0};
    judgement judged;
    if (swp_ir_check_roles(ctx, schedule) != SWP_OK)
        return NO_SCHEDULE;
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    roles_unrolled_judge(schedule, most_n, &judged);
    const bool agree = verdict.safe == (judged.count == 0) &&
                       roles_differences(&verdict, &judged, most_n, stdout) == 0;
    judgement_free(&judged);
    if (!agree)
        return WRONG;
    if (verdict.safe)
        return goes_right(ctx, schedule) ? EQUIVALENT : WRONG;
    return is_any_shown(ctx, schedule, &verdict.hazards) ? CAUGHT : WRONG;
}

static void examine(const role_mutant *m, void *user)
{
    examiner *e = user;
    const int usual = m->kind <= ROLE_LAST_WEAKENED ? PART_OF_WEAKENED : PART_OF_OTHERS;
    const int part = m->schedule->output_tiles ? usual * LESS_OF_TILES : usual;
    if (!e->takes_all && random_int(&e->random, 1, part) != 1)
        return;
    swp_context *ctx = swp_context_new(NULL);
    assert_non_null(ctx);
    const result what = (m->schedule->output_tiles ? judge_tiles : judge)(ctx, m->schedule);
    e->counts[m->kind][what]++;
    if (what == WRONG || (what == EQUIVALENT && getenv("SWP_LIST")))
        print_message("%s %s: %s, %s\n", what == WRONG ? "WRONG" : "equivalent", e->name,
                      role_mutant_kind_name(m->kind), m->what);
    swp_context_free(ctx);
}

/* ---- The table ---- */

static void print_row(const char *name, const int *counts)
{
    print_message("%-36s %11d %6d %10d %5d\n", name, counts[NO_SCHEDULE], counts[CAUGHT],
                  counts[EQUIVALENT], counts[WRONG]);
}

static void print_rows(const examiner *e, int first, int last, const char *sum)
{
    int all[RESULTS] = {0};
    for (int kind = first; kind <= last; kind++) {
        print_row(role_mutant_kind_name((role_mutant_kind)kind), e->counts[kind]);
        for (int i = 0; i < RESULTS; i++)
            all[i] += e->counts[kind][i];
    }
    print_row(sum, all);
}

static void print_table(const examiner *e)
{
    print_message("\n%-36s %11s %6s %10s %5s\n", e->name, "no schedule", "caught", "equivalent",
                  "wrong");
    print_rows(e, 0, ROLE_LAST_WEAKENED, "all that remove or weaken");
    print_rows(e, ROLE_LAST_WEAKENED + 1, ROLE_MUTANT_KINDS - 1, "all others");
}

/* ---- Tests ---- */

static void mutants_are_caught_or_equivalent(void **state)
{
    const char *only = getenv("SWP_ONLY");
    const uint64_t seed = random_seed(1);
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(origins); i++) {
        if (only && !strstr(origins[i].words, only))
            continue;
        swp_schedule *base = compile_builtin(*state, origins[i].words);
        examiner e = {.name = origins[i].words,
                      .random = random_for_case(seed, i),
                      .takes_all = getenv("SWP_FULL") != NULL};
        role_mutants_visit(base, examine, &e);
        print_table(&e);
        for (int kind = 0; kind < ROLE_MUTANT_KINDS; kind++)
            wrong += e.counts[kind][WRONG];
        swp_schedule_free(base);
    }
    assert_int_equal(wrong, 0);
}

static void counts_of_a_pass_are_known(void **state)
{
    for (size_t i = 0; i < COUNT_OF(origins); i++) {
        swp_schedule *schedule = compile_builtin(*state, origins[i].words);
        const swp_role_counts counts = swp_count_role_sync(schedule);
        assert_memory_equal(&counts, &origins[i].counts, sizeof counts);
        swp_schedule_free(schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(counts_of_a_pass_are_known),
        CONTEXT_TEST(mutants_are_caught_or_equivalent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
