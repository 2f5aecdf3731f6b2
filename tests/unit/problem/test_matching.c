/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "problem/matching.h"

/* The parts a, b, a, c. */
static swp_matching matching_of_four(swp_context *ctx)
{
    static const char *const names[] = {"a", "b", "a", "c"};
    swp_matching matching;
    assert_ok(ctx, swp_problem_matching_new(ctx, 4, &matching));
    for (size_t i = 0; i < 4; i++)
        assert_ok(ctx, swp_problem_matching_add(ctx, &matching, names[i]));
    return matching;
}

static void problems_of_one_name_take_its_parts_in_order(void **state)
{
    swp_matching matching = matching_of_four(*state);
    size_t part = 9;
    assert_true(swp_problem_matching_take(&matching, "a", &part));
    assert_int_equal(part, 0);
    assert_true(swp_problem_matching_take(&matching, "a", &part));
    assert_int_equal(part, 2);
    assert_false(swp_problem_matching_take(&matching, "a", &part));
}

static void a_part_that_no_problem_asks_for_is_left(void **state)
{
    swp_matching matching = matching_of_four(*state);
    size_t part = 9;
    assert_true(swp_problem_matching_take(&matching, "b", &part));
    assert_false(swp_problem_matching_take(&matching, "d", &part));
    assert_int_equal(part, 1);
    assert_true(matching.parts[1].taken);
    assert_false(matching.parts[0].taken || matching.parts[2].taken || matching.parts[3].taken);
}

static void a_part_may_come_when_those_before_it_are_taken(void **state)
{
    swp_matching matching;
    size_t part = 9;
    assert_ok(*state, swp_problem_matching_new(*state, 2, &matching));
    assert_ok(*state, swp_problem_matching_add(*state, &matching, ""));
    assert_true(swp_problem_matching_take(&matching, "", &part));
    assert_ok(*state, swp_problem_matching_add(*state, &matching, ""));
    assert_true(swp_problem_matching_take(&matching, "", &part));
    assert_int_equal(part, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(problems_of_one_name_take_its_parts_in_order),
        CONTEXT_TEST(a_part_that_no_problem_asks_for_is_left),
        CONTEXT_TEST(a_part_may_come_when_those_before_it_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
