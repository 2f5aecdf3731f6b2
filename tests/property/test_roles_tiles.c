/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of schedules with output tiles, a few edits from safe ones, against the judge that writes out all
 * sequences of a few tiles, and against the executor. SWP_SEED replays a run, SWP_CASES scales it, SWP_ONLY takes the
 * tests of that name, which may have a *.
 */
#include "agree.h"
#include "fixture.h"
#include "random.h"
#include "roles_accept.h"
#include "roles_tiles.h"
#include "roles_unrolled.h"

#include "ir/roles.h"

#include "swp/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4 /* two more than the rings have slots */, MOST_EDITS = 2, RUNS = 64 };

static roles_accept_tally accepted; /* that a test has seen */

/* What a test asks of a program. @return whether it is as it should be */
typedef bool ask_program(roles_program *p, test_random *random);

static void print(const roles_tiles_edit *edits, int count)
{
    for (int i = 0; i < count; i++)
        print_message("edit %d: role %d, list %d, entry %d, by %d\n", edits[i].what, edits[i].role,
                      edits[i].list, edits[i].entry, edits[i].by);
}

static bool agree(roles_program *p)
{
    swp_verdict verdict = {0};
    judgement judged = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    roles_unrolled_judge_tiles(&p->schedule, LONGEST, ROLE_MOST_TILES, &judged);
    const bool same = roles_tiles_agree(&verdict, &judged, ROLE_MOST_TILES, LONGEST);
    if (!same)
        (void)roles_differences(&verdict, &judged, LONGEST, stdout);
    judgement_free(&judged);
    return same;
}

/* Whether an execution of the hazard is found, and goes wrong again when it is replayed. */
static bool is_shown(const roles_program *p, const swp_hazard *hazard)
{
    swp_counterexample example;
    swp_run_outcome outcome = {0};
    const swp_status status = swp_counterexample_find(p->ctx, &p->schedule, hazard, &example);
    if (status != SWP_INFEASIBLE) {
        assert_ok(p->ctx, status);
        assert_ok(p->ctx, swp_counterexample_replay(p->ctx, &p->schedule, &example, &outcome));
        assert_no_diag(p->ctx, "W0710");
    }
    if (outcome.symptom == SWP_NO_SYMPTOM)
        print_message("no execution shows %s of %s in %s entry %d\n", swp_hazard_name(hazard->kind),
                      hazard->role, swp_phase_name(hazard->at.phase), hazard->at.entry);
    return outcome.symptom != SWP_NO_SYMPTOM;
}

static bool goes_right(const roles_program *p, test_random *random)
{
    for (int seed = 0; seed < RUNS; seed++) {
        int tiles[ROLE_MOST_TILES];
        const int count = random_int(random, 0, ROLE_MOST_TILES);
        for (int t = 0; t < count; t++)
            tiles[t] = random_int(random, 0, LONGEST);
        const swp_run_options options = {.timing = SWP_TIMING_ADVERSARIAL,
                                         .seed = (uint64_t)seed,
                                         .tiles = tiles,
                                         .tile_count = count};
        swp_run_outcome outcome;
        assert_ok(p->ctx, swp_run(p->ctx, &p->schedule, &options, &outcome));
        if (outcome.symptom == SWP_NO_SYMPTOM)
            continue;
        print_message("%s, safe: seed %d, %d tiles\n", swp_symptom_name(outcome.symptom), seed,
                      count);
        return false;
    }
    return true;
}

/* A safe one goes right whatever the timing does; of another every hazard is shown. */
static bool runs_as_proven(roles_program *p, test_random *random)
{
    swp_verdict verdict = {0};
    bool all_shown = true;
    if (swp_ir_ranks(&p->schedule) > 1) /* the executor knows none */
        return true;
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < verdict.hazards.count; i++)
        all_shown &= is_shown(p, &verdict.hazards.items[i]);
    return all_shown && (!verdict.safe || goes_right(p, random));
}

static bool is_judged_as_proven(roles_program *p, test_random *random)
{
    (void)random;
    return agree(p);
}

/* Longer sequences, or more of them, take the judge too long. */
static bool is_judged_behind(roles_program *p, test_random *random)
{
    enum { SHORT = 2, FEW_TILES = 2, ALL_SUBSETS_OF = 2, SUBSETS = 4 };
    const roles_accept_case of = {.schedule = &p->schedule,
                                  .most_n = SHORT,
                                  .most_tiles = FEW_TILES,
                                  .all_subsets_of = ALL_SUBSETS_OF,
                                  .subsets = SUBSETS,
                                  .orders = 1};
    return roles_accept_all(&of, random, &accepted);
}

/* A case, in a context of its own. @return false: it is not as it should be */
static bool try_case(test_random *random, ask_program *ask)
{
    swp_context *ctx = swp_context_new(NULL);
    const int shape = random_int(random, 0, ROLES_TILES_SHAPES - 1);
    const int count = random_int(random, 0, MOST_EDITS);
    roles_tiles_edit edits[MOST_EDITS];
    roles_program p;
    bool is_legal = true;
    roles_tiles_shape(shape, &p, ctx);
    for (int i = 0; i < count; i++) {
        edits[i] = roles_tiles_draw(&p, random);
        is_legal = is_legal && roles_tiles_make(&p, &edits[i]);
    }
    p.schedule.machine.fence_reads = random_chance(random, 75);
    is_legal = is_legal && swp_ir_check_role_loop(ctx, &p.schedule) == SWP_OK;
    const bool same = !is_legal || ask(&p, random);
    if (!same) {
        print_message("shape %d, fence_reads %d\n", shape, p.schedule.machine.fence_reads);
        print(edits, count);
    }
    swp_context_free(ctx);
    return same;
}

static void try_cases(uint64_t standard, size_t sample, ask_program *ask)
{
    const uint64_t seed = random_seed(standard);
    const size_t cases = random_sample(sample);
    size_t failed = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        if (try_case(&random, ask))
            continue;
        print_message("case %zu\n", i);
        failed++;
    }
    assert_int_equal(failed, 0);
}

static void proof_and_judge_say_the_same(void **state)
{
    (void)state;
    try_cases(61, 110, is_judged_as_proven);
}

static void runs_go_as_proven(void **state)
{
    (void)state;
    try_cases(62, 40, runs_as_proven);
}

static void what_is_accepted_ends_no_judgement(void **state)
{
    (void)state;
    accepted = (roles_accept_tally){0};
    try_cases(72, 36, is_judged_behind);
    roles_accept_print(&accepted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proof_and_judge_say_the_same),
        cmocka_unit_test(runs_go_as_proven),
        cmocka_unit_test(what_is_accepted_ends_no_judgement),
    };
    cmocka_set_test_filter(getenv("SWP_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
