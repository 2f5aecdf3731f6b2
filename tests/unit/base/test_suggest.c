/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "swp/suggest.h"

#include <string.h>

static const char *nearest(const char *word)
{
    swp_suggestion suggestion = swp_suggest_start(word);
    swp_suggest_offer(&suggestion, "greedy");
    swp_suggest_offer(&suggestion, "identity");
    swp_suggest_offer(&suggestion, "max_vgpr");
    return suggestion.best;
}

static void a_near_miss_finds_its_word(void **state)
{
    (void)state;
    assert_string_equal(nearest("gredy"), "greedy");
    assert_string_equal(nearest("greddy"), "greedy");
    assert_string_equal(nearest("identiy"), "identity");
    assert_string_equal(nearest("max_vgrp"), "max_vgpr");
    assert_string_equal(nearest("greedy"), "greedy");
}

static void case_and_a_missing_end_do_not_count(void **state)
{
    (void)state;
    assert_string_equal(nearest("GREEDY"), "greedy");
    assert_string_equal(nearest("Max_VGPR"), "max_vgpr");
    assert_string_equal(nearest("ident"), "identity");
    assert_null(nearest("id"));
    swp_suggestion s = swp_suggest_start("read");
    swp_suggest_offer(&s, "read_cycles");
    swp_suggest_offer(&s, "reads");
    assert_string_equal(s.best, "reads");
    s = swp_suggest_start("C");
    swp_suggest_offer(&s, "A");
    assert_null(s.best);
    swp_suggest_offer(&s, "c");
    assert_string_equal(s.best, "c");
}

static void a_far_word_finds_none(void **state)
{
    (void)state;
    assert_null(nearest("zzzzzzzz"));
    assert_null(nearest(""));
}

static void a_hint_names_the_nearest_and_goes_on(void **state)
{
    (void)state;
    char hint[SWP_HINT_SIZE];
    swp_suggestion near = swp_suggest_start("gredy");
    assert_string_equal(swp_suggest_hint(&near, "", hint), "");
    assert_string_equal(swp_suggest_hint(&near, "see the list", hint), "see the list");
    swp_suggest_offer(&near, "greedy");
    assert_string_equal(swp_suggest_hint(&near, "", hint), "did you mean `greedy`?");
    assert_string_equal(swp_suggest_hint(&near, "see the list", hint),
                        "did you mean `greedy`? see the list");
}

static void a_long_hint_is_cut(void **state)
{
    (void)state;
    char hint[SWP_HINT_SIZE];
    char rest[2 * SWP_HINT_SIZE];
    memset(rest, 'x', sizeof rest - 1);
    rest[sizeof rest - 1] = '\0';
    const swp_suggestion none = {.best = NULL};
    assert_int_equal(strlen(swp_suggest_hint(&none, rest, hint)), SWP_HINT_SIZE - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_near_miss_finds_its_word),
        cmocka_unit_test(case_and_a_missing_end_do_not_count),
        cmocka_unit_test(a_far_word_finds_none),
        cmocka_unit_test(a_hint_names_the_nearest_and_goes_on),
        cmocka_unit_test(a_long_hint_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
