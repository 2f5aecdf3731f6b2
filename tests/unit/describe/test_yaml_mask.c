/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in `${...}` reaches the scalars as it is written, whatever YAML makes of its characters. */
#include "describe/yaml_mask.h"
#include "fixture.h"

#include <string.h>

/* The scalar that a list of one, in brackets, holds. */
static void assert_scalar(swp_context *ctx, const char *scalar, const char *expected)
{
    char text[256];
    (void)snprintf(text, sizeof text, "[%s]", scalar);
    swp_yaml_reader reader = {.ctx = ctx, .file = "text"};
    const swp_yaml_source source = {text, strlen(text)};
    swp_yaml_source masked;
    yaml_parser_t parser;
    assert_ok(ctx, swp_describe_yaml_mask(&reader, &source, &masked));
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)masked.text, masked.length);
    assert_true(yaml_parser_load(&parser, &reader.document));
    swp_describe_yaml_unmask(&reader.document);
    const yaml_node_t *node = yaml_document_get_node(&reader.document, 2);
    assert_string_equal((const char *)node->data.scalar.value, expected);
    assert_int_equal(node->data.scalar.length, strlen(expected));
    assert_int_equal(node->end_mark.column, 1 + strlen(scalar));
    yaml_document_delete(&reader.document);
    yaml_parser_delete(&parser);
}

static void an_expression_is_one_scalar(void **state)
{
    static const char *const scalars[] = {
        "${a}",         "x${a}y",  "${min(a, b)}", "${a}${b}", "${}",       "a$b",
        "${a ? b : c}", "${a[0]}", "${a # b}",     "$",        "${a} ${b}",
    };
    for (size_t i = 0; i < COUNT_OF(scalars); i++)
        assert_scalar(*state, scalars[i], scalars[i]);
    assert_scalar(*state, "\"${a, b}\"", "${a, b}");
    assert_scalar(*state, "'${a, b}'", "${a, b}");
}

static void what_needs_no_mask_is_not_copied(void **state)
{
    static const char *const texts[] = {"", "a: {b: c}", "$", "${", "${a\n}", "${\"}", "$ {a}"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        swp_yaml_reader reader = {.ctx = *state, .file = "text"};
        const swp_yaml_source source = {texts[i], strlen(texts[i])};
        swp_yaml_source masked;
        assert_ok(*state, swp_describe_yaml_mask(&reader, &source, &masked));
        assert_ptr_equal(masked.text, source.text);
    }
}

static void a_source_with_masks_is_refused(void **state)
{
    swp_yaml_reader reader = {.ctx = *state, .file = "text"};
    static const char text[] = "a: b\n# \xc3\xa9 \xef\xb7\x90";
    const swp_yaml_source source = {text, strlen(text)};
    swp_yaml_source masked;
    size_t count = 0;
    assert_status(*state, swp_describe_yaml_mask(&reader, &source, &masked), SWP_INVALID);
    const swp_diag *diags = swp_context_diags(*state, &count);
    assert_int_equal(count, 1);
    assert_string_equal(diags[0].code, "E0101");
    assert_int_equal(diags[0].place.line, 2);
    assert_int_equal(diags[0].place.column, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_expression_is_one_scalar),
        CONTEXT_TEST(what_needs_no_mask_is_not_copied),
        CONTEXT_TEST(a_source_with_masks_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
