/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster whose work groups have nothing to do with one another is judged as each of them alone. SWP_SEED replays a
 * run.
 */
#include "fixture.h"
#include "random.h"
#include "roles_generator.h"

#include "swp/verify.h"

enum { PROGRAMS = 120 };

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(work_groups_on_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
