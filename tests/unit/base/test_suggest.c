/* SPDX-License-Identifier: Apache-2.0 */
#include "swp/suggest.h"
#include "fixture.h"

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

static void a_far_word_finds_none(void **state)
{
    (void)state;
    assert_null(nearest("zzzzzzzz"));
    assert_null(nearest(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_near_miss_finds_its_word),
        cmocka_unit_test(a_far_word_finds_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
