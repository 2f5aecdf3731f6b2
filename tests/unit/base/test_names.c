/* SPDX-License-Identifier: Apache-2.0 */
#include "base/names.h"
#include "fixture.h"

static const swp_name names[] = {{0, "zero", "nothing"}, {7, "seven", "days"}, {255, "none", NULL}};

static void a_number_has_its_name_or_none(void **state)
{
    (void)state;
    assert_string_equal(swp_name_of(names, SWP_COUNT_OF(names), 7), "seven");
    assert_string_equal(swp_name_of(names, SWP_COUNT_OF(names), 255), "none");
    assert_null(swp_name_of(names, SWP_COUNT_OF(names), 1));
}

static void a_name_has_its_number_or_leaves_it_as_it_was(void **state)
{
    (void)state;
    int number = -5;
    assert_true(swp_number_of(names, SWP_COUNT_OF(names), "seven", &number));
    assert_int_equal(number, 7);
    assert_false(swp_number_of(names, SWP_COUNT_OF(names), "Seven", &number));
    assert_false(swp_number_of(names, SWP_COUNT_OF(names), "seve", &number));
    assert_false(swp_number_of(names, SWP_COUNT_OF(names), "", &number));
    assert_int_equal(number, 7);
}

static void what_is_shown_has_a_mark_for_no_such_number(void **state)
{
    (void)state;
    assert_string_equal(swp_shown_name(names, SWP_COUNT_OF(names), 7), "seven");
    assert_string_equal(swp_shown_name(names, SWP_COUNT_OF(names), 8), "?");
    assert_string_equal(swp_shown_meaning(names, SWP_COUNT_OF(names), 7), "days");
    assert_string_equal(swp_shown_meaning(names, SWP_COUNT_OF(names), -1), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_has_its_name_or_none),
        cmocka_unit_test(a_name_has_its_number_or_leaves_it_as_it_was),
        cmocka_unit_test(what_is_shown_has_a_mark_for_no_such_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
