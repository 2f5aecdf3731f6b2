/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of random schedules with warp roles against the judge that writes their runs out, both against the
 * explorer of all interleavings, and the proof against the executor. SWP_SEED replays a run, SWP_CASES scales it,
 * SWP_ONLY takes the tests of that name, which may have a *.
 */
#include "fixture.h"

#include "agree.h"
#include "executed.h"
#include "mix.h"
#include "roles_conditions.h"
#include "roles_explorer.h"
#include "roles_unrolled.h"

#include <stdlib.h>

enum { EXPLORED_N = 3, STATES = 200000 };

/* What a test has seen. */
typedef struct tally {
    program_mix mix;
    size_t undecided; /* programs with too many states for the explorer */
    roles_executions executions;
} tally;

/* What a test asks of a program. @return whether it is as it should be */
typedef bool ask_program(const random_roles *p, tally *t);

typedef random_roles make_program(test_random *random);

static tally ask_of(uint64_t standard, size_t sample, make_program *make, ask_program *ask)
{
    const uint64_t seed = random_seed(standard);
    const size_t cases = random_sample(sample);
    tally t = {0};
    size_t failed = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = make(&random);
        if (!ask(&p, &t)) {
            random_roles_print(&p);
            print_message("case %zu\n", i);
            failed++;
        }
        random_roles_free(&p);
    }
    assert_int_equal(failed, 0);
    return t;
}

static tally ask_of_programs(uint64_t standard, size_t sample, ask_program *ask)
{
    return ask_of(standard, sample, random_roles_new, ask);
}

/* --- Proof and judge --- */

static bool is_proven_as_judged(const random_roles *p, tally *t)
{
    const int most_n = roles_most_n(&p->schedule);
    swp_verdict verdict = {0};
    judgement judged;
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    roles_unrolled_judge(&p->schedule, most_n, &judged);
    const bool agree = roles_agree(p, &verdict, &judged, most_n);
    program_mix_add(&t->mix, p->edits, &judged);
    judgement_free(&judged);
    return agree;
}

static void proof_and_judge_say_the_same(void **state)
{
    (void)state;
    const tally t = ask_of_programs(31, 200, is_proven_as_judged);
    program_mix_print(&t.mix);
    assert_true(role_mix_is_rich(&t.mix));
}

/* --- Both and the explorer --- */

/* What the runs of up to EXPLORED_N come to, each from the least. @return false: there are too many states */
static bool explore(const swp_schedule *schedule, judgement *out)
{
    const roles_explorer_options options = {.most_states = STATES};
    bool decided = true;
    for (int n = 0; decided && n <= EXPLORED_N; n++) {
        roles_exploration x = roles_explore(schedule, n, &options);
        decided = !x.undecided;
        for (size_t i = 0; i < x.count; i++) {
            const roles_hazard *h = &x.items[i];
            judgement_add(out, (judged_hazard){.kind = h->kind,
                                               .stream = h->stream,
                                               .phase = h->phase,
                                               .entry = h->entry,
                                               .smallest_n = n});
        }
        roles_exploration_free(&x);
    }
    return decided;
}

static bool is_judged_as_explored(const random_roles *p, tally *t)
{
    judgement judged;
    judgement explored = {0};
    bool agree = true;
    roles_unrolled_judge(&p->schedule, EXPLORED_N, &judged);
    if (!explore(&p->schedule, &explored))
        t->undecided++;
    else
        agree = is_proven_as_judged(p, t) &&
                judgements_differ("judge", &judged, "explorer", &explored, stdout) == 0;
    judgement_free(&judged);
    judgement_free(&explored);
    return agree;
}

static void proof_judge_and_explorer_say_the_same(void **state)
{
    (void)state;
    const tally t = ask_of_programs(32, 100, is_judged_as_explored);
    program_mix_print(&t.mix);
    print_message("%zu more have too many states\n", t.undecided);
    assert_true(role_mix_is_rich(&t.mix));
}

/* --- The proof and the executor --- */

static bool runs_as_proven(const random_roles *p, tally *t)
{
    return roles_run_as_proven(p->ctx, &p->schedule, &t->executions);
}

enum { FEW = 20 /* that may all be safe, or none */ };

static void expect_runs_as_proven(uint64_t standard, size_t cases, make_program *make)
{
    const tally t = ask_of(standard, cases, make, runs_as_proven);
    print_message("%zu hazards shown; %zu runs of safe schedules right\n", t.executions.hazards,
                  t.executions.runs);
    assert_true(t.executions.hazards > 0 || random_sample(cases) < FEW);
    assert_true(t.executions.runs > 0 || random_sample(cases) < FEW);
}

static void runs_go_as_proven(void **state)
{
    (void)state;
    expect_runs_as_proven(33, 60, random_roles_new);
}

/* --- Ops that do not always run --- */

static void proof_and_judge_say_the_same_of_conditions(void **state)
{
    (void)state;
    const tally t = ask_of(34, 100, random_roles_with_conditions, is_proven_as_judged);
    program_mix_print(&t.mix);
}

/* Runs leave some of them out, so that others find what was there before. */
static void runs_with_conditions_go_as_proven(void **state)
{
    (void)state;
    expect_runs_as_proven(35, 60, random_roles_with_conditions);
}

/* What is safe with an op that need not run is so without it: that is the run in which it never does. */
static bool is_safe_without_them(const random_roles *p, tally *t)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    bool safe = true;
    for (int op = 0; verdict.safe && op < (int)p->schedule.dataflow->loop->op_count; op++) {
        if (p->schedule.dataflow->loop->ops[op].when.kind == SWP_WHEN_ALWAYS)
            continue;
        const swp_schedule without = roles_without_op(p->ctx, &p->schedule, op);
        swp_verdict other = {0};
        assert_ok(p->ctx, swp_verify(p->ctx, &without, NULL, 0, &other));
        safe = safe && other.safe;
        t->executions.runs++;
    }
    return safe;
}

static void what_is_safe_is_so_without_conditional_ops(void **state)
{
    (void)state;
    const tally t = ask_of(36, 100, random_roles_with_conditions, is_safe_without_them);
    print_message("%zu ops taken out\n", t.executions.runs);
    assert_true(t.executions.runs > 0 || random_sample(100) < FEW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proof_and_judge_say_the_same),
        cmocka_unit_test(proof_judge_and_explorer_say_the_same),
        cmocka_unit_test(runs_go_as_proven),
        cmocka_unit_test(proof_and_judge_say_the_same_of_conditions),
        cmocka_unit_test(runs_with_conditions_go_as_proven),
        cmocka_unit_test(what_is_safe_is_so_without_conditional_ops),
    };
    cmocka_set_test_filter(getenv("SWP_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
