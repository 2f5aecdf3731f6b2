/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of random schedules with warp roles against the judge that writes their runs out; SWP_SEED replays a run. */
#include "fixture.h"

#include "roles_agree.h"
#include "roles_unrolled.h"

static void proof_and_judge_say_the_same(void **state)
{
    const uint64_t seed = random_seed(31);
    const size_t cases = random_sample(300);
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        random_roles p = random_roles_new(&random);
        const int most_n = roles_most_n(&p.schedule);
        swp_verdict verdict = {0};
        role_judgement judged;
        assert_ok(p.ctx, swp_verify(p.ctx, &p.schedule, NULL, 0, &verdict));
        roles_unrolled_judge(&p.schedule, most_n, &judged);
        if (!roles_agree(&p, &verdict, &judged, most_n)) {
            print_message("case %zu\n", i);
            fail();
        }
        role_judgement_free(&judged);
        random_roles_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proof_and_judge_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
