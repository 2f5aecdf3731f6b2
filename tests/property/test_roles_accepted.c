/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is accepted of edited schedules with warp roles ends no judgement (roles_accept.h). SWP_SEED replays a run,
 * SWP_CASES is the least number of schedules with hazards, SWP_ONLY takes the tests of that name, which may have a *.
 */
#include "fixture.h"

#include "random.h"
#include "roles_accept.h"
#include "roles_clusters.h"
#include "roles_generator.h"
#include "roles_unrolled.h"

#include <stdlib.h>

/* About half of the schedules have hazards, and many of these some behind others: with far fewer the generator is wrong. */
enum { MOST_FOR_ONE = 20 };

static bool finds_some_behind(const roles_accept_tally *t)
{
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        if (t->behind[kind] > 0)
            return true;
    return false;
}

static void try_schedules(uint64_t standard, size_t sample,
                          random_roles (*program)(test_random *random))
{
    const uint64_t seed = random_seed(standard);
    const size_t schedules = random_sample(sample);
    const size_t most = MOST_FOR_ONE * (schedules + 1);
    roles_accept_tally t = {0};
    for (size_t i = 0; i < most && (t.schedules < schedules || !finds_some_behind(&t)); i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = program(&random);
        const roles_accept_case of = {.schedule = &p.schedule,
                                      .most_n = roles_most_n(&p.schedule),
                                      .all_subsets_of = 5,
                                      .subsets = 32,
                                      .orders = 3};
        if (!roles_accept_all(&of, &random, &t)) {
            random_roles_print(&p);
            print_message("case %zu\n", i);
        }
        random_roles_free(&p);
    }
    roles_accept_print(&t);
    assert_int_equal(t.different, 0);
    assert_true(t.schedules >= schedules);
    assert_true(finds_some_behind(&t));
}

static void what_is_accepted_ends_no_judgement(void **state)
{
    (void)state;
    try_schedules(61, 30, random_roles_new);
}

static void nor_in_clusters(void **state)
{
    (void)state;
    try_schedules(62, 6, random_roles_cluster_new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_accepted_ends_no_judgement),
        cmocka_unit_test(nor_in_clusters),
    };
    cmocka_set_test_filter(getenv("SWP_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
