/* SPDX-License-Identifier: Apache-2.0 */
#include "describe/yaml_scope.h"
#include "fixture.h"

#include <string.h>

static swp_yaml_binding bindings[] = {
    {"bm", NULL, 256}, {"bk", NULL, 64}, {"n", NULL, -3}, {"huge", NULL, INT64_MAX}, {"m", "A", 0}};

static bool evaluate(swp_context *ctx, const char *text, int64_t *value)
{
    swp_yaml_reader reader = {.ctx = ctx, .file = "text"};
    swp_yaml_scope scope = {.reader = &reader};
    const swp_yaml_slice slice = {text, strlen(text), {"text", 1, 1}, true};
    bool found = false;
    scope.bindings.items = bindings;
    scope.bindings.count = COUNT_OF(bindings);
    swp_context_clear_diags(ctx);
    assert_ok(ctx, swp_describe_yaml_evaluate(&scope, &slice, value, &found));
    assert_int_equal(scope.depth, 0);
    return found;
}

static void expressions_have_the_values_of_arithmetic(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
        {"7", 7},
        {" bm ", 256},
        {"bm * bk * 2", 32768},
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 3 - 2", 5},
        {"100 / 5 / 2", 10},
        {"100 / (10 / 2)", 20},
        {"2 * 7 % 5", 4},
        {"-7", -7},
        {"- -7", 7},
        {"2 - -3", 5},
        {"-2 * 3", -6},
        {"-7 % 5", 3},
        {"7 % -5", -3},
        {"-10 / 5", -2},
        {"-10 / -5", 2},
        {"floor_div(7, 2)", 3},
        {"floor_div(-7, 2)", -4},
        {"floor_div(7, -2)", -4},
        {"ceil_div(7, 2)", 4},
        {"ceil_div(-7, 2)", -3},
        {"ceil_div(8, 2)", 4},
        {"ceil_div(7, -2)", -3},
        {"ceil_div(-7, -2)", 4},
        {"min(3, 1, 2)", 1},
        {"max(3, 1, bm)", 256},
        {"max(min(1, 2), n)", 1},
        {"huge % -1", 0},
        {"huge / -1", -INT64_MAX},
        {"-huge - 1", INT64_MIN},
        {"0", 0},
        {"\tbm\t+1", 257},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int64_t value = 0;
        assert_true(evaluate(*state, rows[i].text, &value));
        assert_int_equal(value, rows[i].value);
    }
}

static void what_has_no_value_is_told_with_its_place(void **state)
{
    static const struct {
        const char *text;
        const char *code;
        int column;
    } rows[] = {
        {"", "E0112", 1},
        {"   ", "E0112", 4},
        {"1 +", "E0112", 4},
        {"1 2", "E0112", 3},
        {"(1", "E0112", 3},
        {"1)", "E0112", 2},
        {"1 / 0", "E0112", 3},
        {"1 % 0", "E0112", 3},
        {"7 / 2", "E0112", 3},
        {"huge + 1", "E0112", 6},
        {"huge * 2", "E0112", 6},
        {"-huge - 2", "E0112", 7},
        {"(-huge - 1) / -1", "E0112", 13},
        {"-(-huge - 1)", "E0112", 1},
        {"floor_div(-huge - 1, -1)", "E0112", 1},
        {"ceil_div(1, 0)", "E0112", 1},
        {"9223372036854775808", "E0112", 1},
        {"007", "E0112", 1},
        {"bn", "E0106", 1},
        {"1 + bmm", "E0106", 5},
        {"foo(1)", "E0112", 1},
        {"min()", "E0112", 5},
        {"min(1)", "E0112", 1},
        {"floor_div(1, 2, 3)", "E0112", 1},
        {"m", "E0112", 1},
        {"1 ** 2", "E0112", 4},
        {"2x", "E0112", 2},
        {"\xc3\xa9 + 1", "E0112", 1},
        {"1, 2", "E0112", 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int64_t value = 0;
        size_t count = 0;
        assert_false(evaluate(*state, rows[i].text, &value));
        const swp_diag *diags = swp_context_diags(*state, &count);
        assert_int_equal(count, 1);
        assert_string_equal(diags[0].code, rows[i].code);
        assert_int_equal(diags[0].place.column, rows[i].column);
    }
}

static void depth_ends_but_length_does_not(void **state)
{
    enum { LENGTH = 100000 };
    char *text = test_calloc(2 * LENGTH + 2, 1);
    int64_t value = 0;
    for (size_t i = 0; i < LENGTH; i++)
        memcpy(text + 2 * i, "1+", 2);
    text[2 * (size_t)LENGTH] = '1';
    assert_true(evaluate(*state, text, &value));
    assert_int_equal(value, LENGTH + 1);
    memset(text, '-', 2 * LENGTH);
    assert_true(evaluate(*state, text, &value));
    assert_int_equal(value, 1);
    memset(text, '(', 2 * LENGTH);
    assert_false(evaluate(*state, text, &value));
    assert_diag(*state, "E0112", "64 deep");
    test_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(expressions_have_the_values_of_arithmetic),
        CONTEXT_TEST(what_has_no_value_is_told_with_its_place),
        CONTEXT_TEST(depth_ends_but_length_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
