/* SPDX-License-Identifier: Apache-2.0 */
/* What comes from outside is escaped for each kind of text, and formats are as printf() has them. */
#include "base/print.h"
#include "base/text.h"
#include "fixture.h"
#include "swp/character.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *printed(swp_escape escape, const char *format, ...)
{
    static char out[256];
    va_list arguments;
    va_start(arguments, format);
    const size_t length = swp_vprint(out, sizeof out, escape, format, arguments);
    va_end(arguments);
    assert_int_equal(length, strlen(out));
    return out;
}

static void what_acts_is_shown_escaped(void **state)
{
    static const char *const cases[][2] = {
        {"a\x1b[8mb", "a\\x1b[8mb"},
        {"a\nb\r\t\x7f", "a\\x0ab\\x0d\\x09\\x7f"},
        {"\xc2\x9b"
         "8m",
         "\\u009b8m"},
        {"\xe2\x80\xae\xe2\x81\xa6", "\\u202e\\u2066"},
        {"\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029"},
        {"\xf3\xa0\x80\x81", "\\U000e0001"},
        {"\xff\x9b\xe2\x80", "\\xff\\x9b\\xe2\\x80"},
        {"\xed\xa0\x80\xc0\x80", "\\xed\\xa0\\x80\\xc0\\x80"},
        {"na\xc3\xafve \\x1b", "na\xc3\xafve \\x1b"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_string_equal(printed(SWP_ESCAPE_TEXT, "%s", cases[i][0]), cases[i][1]);
        /* What has been escaped is a text like any other. */
        assert_string_equal(printed(SWP_ESCAPE_TEXT, "%s", cases[i][1]), cases[i][1]);
    }
}

static void each_kind_of_text_has_its_escapes(void **state)
{
    static const char hostile[] = "*/\"\\<b>&#27;?\n\xc2\x9b\xf3\xa0\x80\x81\xff";
    (void)state;
    assert_string_equal(printed(SWP_ESCAPE_C_COMMENT, "%s", hostile), "_/\"_<b>&#27;_____");
    assert_string_equal(printed(SWP_ESCAPE_DOT, "%s", hostile),
                        "*/\\\"\\\\<b>&amp;#27;?\\\\x0a\\\\u009b\\\\U000e0001\\\\xff");
    assert_string_equal(printed(SWP_ESCAPE_MARKUP, "%s", hostile),
                        "*/&quot;\\&lt;b&gt;&amp;#27;?\\x0a\\u009b\\U000e0001\\xff");
    assert_string_equal(printed(SWP_ESCAPE_JSON, "%s", hostile),
                        "*/\\\"\\\\\\u003cb>&#27;?\\\\x0a\\\\u009b\\\\U000e0001\\\\xff");
}

/* Jansson has encoded it: quotes are layout, and a line end stands between values. */
static void json_is_shown_with_escapes_of_json(void **state)
{
    static const char encoded[] = "\"<b>\"\n\xc2\x9b\xf3\xa0\x80\x81\xff";
    char all[64] = "";
    char shown[SWP_JSON_SHOWN_SIZE];
    (void)state;
    for (size_t at = 0; at < sizeof encoded - 1;) {
        at += swp_escape_json(encoded + at, sizeof encoded - 1 - at, shown);
        strcat(all, shown);
    }
    assert_string_equal(all, "\"<b>\"\n\\u009b\\udb40\\udc01\\ufffd");
}

static void the_format_is_ours(void **state)
{
    (void)state;
    assert_string_equal(printed(SWP_ESCAPE_C_COMMENT, "/* \n\\ %s */\n", "*/"), "/* \n\\ _/ */\n");
}

static void widths_count_characters(void **state)
{
    (void)state;
    assert_string_equal(printed(SWP_ESCAPE_TEXT, "[%5s|%-5s]", "\xc3\xaf\xc3\xaf", "\n"),
                        "[   \xc3\xaf\xc3\xaf|\\x0a ]");
    assert_string_equal(printed(SWP_ESCAPE_TEXT, "[%-*s|%.*s|%.2s]", 3, "a", 1, "bc", "\xc3\xafz"),
                        "[a  |b|\xc3\xaf]");
}

#define SAME(...)                                                                                  \
    do {                                                                                           \
        char wanted[128];                                                                          \
        (void)snprintf(wanted, sizeof wanted, __VA_ARGS__);                                        \
        assert_string_equal(printed(SWP_ESCAPE_TEXT, __VA_ARGS__), wanted);                        \
    } while (0)

static void numbers_are_as_printf_has_them(void **state)
{
    (void)state;
    SAME("%d %i %u %x %X %o", INT_MIN, -7, UINT_MAX, 0xbeef, 0xbeef, 8);
    SAME("%5d|%-5d|%05d|%+d|% d|%.3d", 42, 42, 42, 42, 42, 7);
    SAME("%ld %lld %zu %llu", LONG_MIN, LLONG_MIN, SIZE_MAX, ULLONG_MAX);
    SAME("%*d|%-*d|%*d", 6, 1, 6, 2, -6, 3);
    SAME("%#x %04x %c %%", 255, 10, 'z');
    SAME("%.1f %8.3f %-8.2f| %g %.5g %e", 1.25, 3.14159, 2.5, 1e9, 2.0 / 3, 12345.0);
}

static void a_text_that_does_not_fit_is_cut(void **state)
{
    char out[5] = "????";
    swp_text text = {.ctx = *state, .escape = SWP_ESCAPE_C_COMMENT};
    char *whole = NULL;
    (void)snprintf(out, sizeof out, "%s", "");
    swp_text_format(&text, "/* %s */", "a\nb*/");
    assert_ok(*state, swp_text_end(&text, &whole, NULL));
    assert_string_equal(whole, "/* a_b_/ */");
}

static void a_name_has_characters_that_are_seen(void **state)
{
    (void)state;
    assert_true(swp_is_name("a-b"));
    assert_true(swp_is_name("na\xc3\xafve */"));
    assert_false(swp_is_name(""));
    assert_false(swp_is_name(NULL));
    assert_false(swp_is_name("a\nb"));
    assert_false(swp_is_name("a\xe2\x80\xae"));
    assert_false(swp_is_name("a\xff"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_acts_is_shown_escaped),
        cmocka_unit_test(each_kind_of_text_has_its_escapes),
        cmocka_unit_test(json_is_shown_with_escapes_of_json),
        cmocka_unit_test(the_format_is_ours),
        cmocka_unit_test(widths_count_characters),
        cmocka_unit_test(numbers_are_as_printf_has_them),
        CONTEXT_TEST(a_text_that_does_not_fit_is_cut),
        cmocka_unit_test(a_name_has_characters_that_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
