/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "audit/code/slice.h"

#include <string.h>

static swp_slice slice_of(const char *text)
{
    return (swp_slice){text, strlen(text)};
}

static void numbers_are_whole_or_none(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_number;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {"15", true, 15},
        {"-7", true, -7},
        {"0x400", true, 1024},
        {"0xFf", true, 255},
        {"-0x10", true, -16},
        {"", false, 0},
        {"-", false, 0},
        {"0x", false, 0},
        {"12a", false, 0},
        {"0xg", false, 0},
        {"1.5", false, 0},
        {" 1", false, 0},
        {"4294967296", true, INT64_C(4294967296)},
        {"99999999999999999999", false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int64_t value = 0;
        if (swp_code_slice_number(slice_of(cases[i].text), &value) != cases[i].is_number ||
            value != cases[i].value)
            fail_msg("\"%s\" reads as %lld", cases[i].text, (long long)value);
    }
    int64_t unused = 0;
    assert_false(swp_code_slice_number((swp_slice){NULL, 0}, &unused));
}

static void pieces_end_at_a_separator_outside_brackets(void **state)
{
    (void)state;
    static const char *const pieces[] = {"v[0:3]", "s4", "op_sel:[0,1] f(a, b)", "", "last"};
    swp_slice rest = slice_of("v[0:3], s4 ,op_sel:[0,1] f(a, b),,last");
    for (size_t i = 0; i < COUNT_OF(pieces); i++)
        assert_true(swp_code_slice_is(swp_code_slice_take_until(&rest, ','), pieces[i]));
    assert_int_equal(rest.length, 0);
}

static void words_end_at_a_blank(void **state)
{
    (void)state;
    swp_slice rest = slice_of("\tds_read_b32  v1,\tv0 \r\n");
    assert_true(swp_code_slice_is(swp_code_slice_take_word(&rest), "ds_read_b32"));
    assert_true(swp_code_slice_is(swp_code_slice_take_word(&rest), "v1,"));
    assert_true(swp_code_slice_is(swp_code_slice_take_word(&rest), "v0"));
    assert_int_equal(swp_code_slice_take_word(&rest).length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_whole_or_none),
        cmocka_unit_test(pieces_end_at_a_separator_outside_brackets),
        cmocka_unit_test(words_end_at_a_blank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
