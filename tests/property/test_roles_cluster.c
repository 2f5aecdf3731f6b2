/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clusters of two work groups: the proof against the judge that writes out the runs of both, and against the executor;
 * and where they have nothing to do with one another, against each of them alone. SWP_SEED replays a run, SWP_CASES scales it, SWP_ONLY
 * takes the tests of that name, which may have a *.
 */
#include "fixture.h"

#include "agree.h"
#include "executed.h"
#include "mix.h"
#include "roles_clusters.h"
#include "roles_unrolled.h"

#include "swp/verify.h"

#include <stdlib.h>

enum { PROGRAMS = 120, SHAPED = 60, EXECUTED = 30 };

/* --- Work groups on their own --- */

static bool is_same(const swp_hazard *a, const swp_hazard *b)
{
    return a->kind == b->kind && a->stream == b->stream && a->at.phase == b->at.phase &&
           a->at.entry == b->at.entry && a->smallest_n == b->smallest_n;
}

static void compare(const random_roles *p, size_t number)
{
    swp_schedule schedule = p->schedule;
    swp_verdict alone = {0};
    swp_verdict together = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &schedule, NULL, 0, &alone));
    schedule.cluster = 2;
    assert_ok(p->ctx, swp_verify(p->ctx, &schedule, NULL, 0, &together));
    assert_int_equal(alone.passes_explored, together.passes_explored);
    assert_int_equal(alone.hazards.count, together.hazards.count);
    for (size_t i = 0; i < alone.hazards.count; i++)
        if (!is_same(&alone.hazards.items[i], &together.hazards.items[i]))
            fail_msg("program %zu: another hazard %zu", number, i);
}

static void work_groups_on_their_own(void **state)
{
    const uint64_t seed = random_seed(43);
    (void)state;
    for (size_t i = 0; i < random_sample(PROGRAMS); i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_new(&random);
        compare(&p, i);
        random_roles_free(&p);
    }
}

/* --- Proof and judge --- */

static void judge_as_proven(const random_roles *p, size_t number, program_mix *mix)
{
    const int most_n = roles_most_n(&p->schedule);
    swp_verdict verdict = {0};
    judgement judged;
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    roles_unrolled_judge(&p->schedule, most_n, &judged);
    if (!roles_agree(p, &verdict, &judged, most_n))
        fail_msg("program %zu", number);
    program_mix_add(mix, p->edits, &judged);
    judgement_free(&judged);
}

static void proof_and_judge_say_the_same(void **state)
{
    const uint64_t seed = random_seed(44);
    program_mix mix = {0};
    (void)state;
    for (size_t i = 0; i < random_sample(SHAPED); i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_cluster_new(&random);
        judge_as_proven(&p, i, &mix);
        random_roles_free(&p);
    }
    program_mix_print(&mix);
}

/* --- The executor --- */

static void runs_go_as_proven(void **state)
{
    const uint64_t seed = random_seed(45);
    roles_executions seen = {0};
    size_t failed = 0;
    (void)state;
    for (size_t i = 0; i < random_sample(EXECUTED); i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_cluster_new(&random);
        if (!roles_run_as_proven(p.ctx, &p.schedule, &seen)) {
            random_roles_print(&p);
            print_message("program %zu\n", i);
            failed++;
        }
        random_roles_free(&p);
    }
    print_message("%zu hazards shown; %zu runs of safe schedules right\n", seen.hazards, seen.runs);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_groups_on_their_own),
        cmocka_unit_test(proof_and_judge_say_the_same),
        cmocka_unit_test(runs_go_as_proven),
    };
    cmocka_set_test_filter(getenv("SWP_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
