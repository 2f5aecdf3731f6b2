/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of random schedules with warp roles against the judge that writes their runs out, that judge against the
 * explorer of all interleavings, and both against the executor; SWP_SEED replays a run.
 */
#include "fixture.h"

#include "roles_agree.h"
#include "roles_explorer.h"
#include "roles_unrolled.h"

#include "swp/run.h"

enum { EXPLORED_N = 3, STATES = 200000 };

/* What a test asks of a program. @return whether it is as it should be */
typedef bool ask_program(const random_roles *p, size_t index);

static void ask_of_programs(uint64_t standard, size_t sample, ask_program *ask)
{
    const uint64_t seed = random_seed(standard);
    const size_t cases = random_sample(sample);
    size_t failed = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_new(&random);
        if (!ask(&p, i)) {
            print_message("case %zu\n", i);
            failed++;
        }
        random_roles_free(&p);
    }
    assert_int_equal(failed, 0);
}

static bool is_proven_as_judged(const random_roles *p, size_t index)
{
    const int most_n = roles_most_n(&p->schedule);
    swp_verdict verdict = {0};
    role_judgement judged;
    (void)index;
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    roles_unrolled_judge(&p->schedule, most_n, &judged);
    const bool agree = roles_agree(p, &verdict, &judged, most_n);
    role_judgement_free(&judged);
    return agree;
}

static void proof_and_judge_say_the_same(void **state)
{
    (void)state;
    ask_of_programs(31, 300, is_proven_as_judged);
}

/* What the runs of up to EXPLORED_N come to, each from the least. @return false: there are too many states */
static bool explore(const swp_schedule *schedule, role_judgement *out)
{
    const roles_explorer_options options = {.most_states = STATES};
    bool decided = true;
    for (int n = 0; decided && n <= EXPLORED_N; n++) {
        roles_exploration x = roles_explore(schedule, n, &options);
        decided = !x.undecided;
        for (size_t i = 0; i < x.count; i++) {
            const roles_hazard *h = &x.items[i];
            role_judgement_add(out, (role_hazard){.kind = h->kind,
                                                  .stream = h->stream,
                                                  .phase = h->phase,
                                                  .entry = h->entry,
                                                  .smallest_n = n});
        }
        roles_exploration_free(&x);
    }
    return decided;
}

static bool is_judged_as_explored(const random_roles *p, size_t index)
{
    role_judgement judged;
    role_judgement explored = {0};
    (void)index;
    roles_unrolled_judge(&p->schedule, EXPLORED_N, &judged);
    const bool agree = !explore(&p->schedule, &explored) ||
                       role_judgements_differ("judge", &judged, "explorer", &explored, stdout) == 0;
    if (!agree)
        random_roles_print(p);
    role_judgement_free(&judged);
    role_judgement_free(&explored);
    return agree;
}

static void judge_and_explorer_say_the_same(void **state)
{
    (void)state;
    ask_of_programs(32, 100, is_judged_as_explored);
}

/* Whether an execution of the hazard is found, and goes wrong again when it is replayed. */
static bool is_shown(const random_roles *p, const swp_hazard *hazard)
{
    swp_counterexample example;
    swp_run_outcome outcome = {0};
    const swp_status status = swp_counterexample_find(p->ctx, &p->schedule, hazard, &example);
    if (status == SWP_INFEASIBLE)
        return false;
    assert_ok(p->ctx, status);
    assert_ok(p->ctx, swp_counterexample_replay(p->ctx, &p->schedule, &example, &outcome));
    assert_int_not_equal(outcome.symptom, SWP_NO_SYMPTOM);
    return true;
}

static size_t hazards, unshown;

/* A safe one goes right whatever the timing does; of another the hazards are shown. */
static bool runs_as_proven(const random_roles *p, size_t index)
{
    const swp_run_sweep sweep = {.seeds = 64, .timing = SWP_TIMING_ADVERSARIAL};
    swp_run_summary runs = {0};
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    if (verdict.safe)
        assert_ok(p->ctx, swp_run_many(p->ctx, &p->schedule, &sweep, &runs));
    for (size_t i = 0; i < verdict.hazards.count; i++) {
        const swp_hazard *h = &verdict.hazards.items[i];
        hazards++;
        if (is_shown(p, h))
            continue;
        unshown++;
        print_message("case %zu: no execution shows %s of %s in %s entry %d\n", index,
                      swp_hazard_name(h->kind), h->role, swp_phase_name(h->at.phase), h->at.entry);
    }
    if (runs.wrong > 0)
        random_roles_print(p);
    return runs.wrong == 0;
}

/* Some hazards are too well hidden for the executor's search; those that it finds it replays. */
static void runs_go_as_proven(void **state)
{
    (void)state;
    hazards = unshown = 0;
    ask_of_programs(33, 60, runs_as_proven);
    print_message("%zu hazards, %zu not shown\n", hazards, unshown);
    assert_true(unshown * 10 <= hazards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proof_and_judge_say_the_same),
        cmocka_unit_test(judge_and_explorer_say_the_same),
        cmocka_unit_test(runs_go_as_proven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
