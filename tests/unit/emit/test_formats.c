/* SPDX-License-Identifier: Apache-2.0 */
#include "schedules.h"

static void the_table_has_each_format_once(void **state)
{
    (void)state;
    size_t count = 0;
    const swp_emit_format *formats = swp_emit_formats(&count);
    assert_int_equal(count, 7);
    assert_string_equal(formats[0].name, "text");
    assert_string_equal(formats[1].name, "json");
    assert_string_equal(formats[2].name, "c");
    assert_string_equal(formats[3].name, "dot");
    assert_string_equal(formats[4].name, "svg");
    assert_string_equal(formats[5].name, "html");
    assert_string_equal(formats[6].name, "perfetto");
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(swp_emit_format_find(formats[i].name), &formats[i]);
    assert_null(swp_emit_format_find("png"));
}

static bool looks(const char *text)
{
    return swp_looks_like_json(text, strlen(text));
}

static void json_begins_with_a_brace(void **state)
{
    (void)state;
    assert_true(looks("{"));
    assert_true(looks(" \r\n\t{\"swp\": 1}"));
    assert_false(looks(""));
    assert_false(looks("   "));
    assert_false(looks("swp: 1\nbody: {}"));
    assert_false(looks("[1]"));
    assert_false(swp_looks_like_json("{", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_each_format_once),
        cmocka_unit_test(json_begins_with_a_brace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
