/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"
#include "fixture.h"

#include <string.h>

static void reports_stand_in_the_order_in_which_they_came(void **state)
{
    swp_context *ctx = *state;
    const swp_place place = {"a.yaml", 3, 7};
    size_t count = 0;
    assert_int_equal(swp_error(ctx, SWP_E0304, place, "cut it", "op %d of %s", 4, "body"),
                     SWP_INVALID);
    assert_int_equal(swp_warn(ctx, SWP_W0201, SWP_NOWHERE, "", "twice"), SWP_OK);
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_int_equal(count, 2);
    assert_int_equal(diags[0].severity, SWP_ERROR);
    assert_string_equal(diags[0].code, "E0304");
    assert_string_equal(diags[0].message, "op 4 of body");
    assert_string_equal(diags[0].hint, "cut it");
    assert_string_equal(diags[0].place.file, "a.yaml");
    assert_int_equal(diags[0].place.line, 3);
    assert_int_equal(diags[0].place.column, 7);
    assert_int_equal(diags[1].severity, SWP_WARNING);
    assert_string_equal(diags[1].hint, "");
    assert_null(diags[1].place.file);
    assert_int_equal(swp_error_count(ctx), 1);
}

static void a_report_of_a_caller_is_copied(void **state)
{
    swp_context *ctx = *state;
    char message[] = "mine";
    const swp_diag diag = {.severity = SWP_ERROR, .code = "E9999", .message = message};
    size_t count = 0;
    assert_ok(ctx, swp_context_report(ctx, &diag));
    memset(message, 'x', sizeof message - 1);
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_int_equal(count, 1);
    assert_string_equal(diags[0].message, "mine");
    assert_string_equal(diags[0].hint, "");
    assert_string_equal(diags[0].subject, "");
}

static void a_report_about_a_setting_has_it_as_its_subject(void **state)
{
    swp_context *ctx = *state;
    char subject[] = "schedule.max_vgpr";
    size_t count = 0;
    assert_status(ctx, swp_error_about(ctx, SWP_E0401, subject, "raise it", "%d is too few", 4),
                  SWP_INVALID);
    assert_ok(ctx, swp_warn_about(ctx, SWP_W0202, "bootstrap", "", "no effect"));
    subject[0] = 'x';
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_int_equal(count, 2);
    assert_string_equal(diags[0].subject, "schedule.max_vgpr");
    assert_string_equal(diags[0].message, "4 is too few");
    assert_null(diags[0].place.file);
    assert_int_equal(diags[1].severity, SWP_WARNING);
    assert_string_equal(diags[1].subject, "bootstrap");
}

static void cleared_diagnostics_are_gone(void **state)
{
    swp_context *ctx = *state;
    size_t count = 1;
    (void)swp_error(ctx, SWP_E0304, SWP_NOWHERE, "", "a");
    swp_context_clear_diags(ctx);
    (void)swp_context_diags(ctx, &count);
    assert_int_equal(count, 0);
    assert_int_equal(swp_error_count(ctx), 0);
}

static void many_and_long_reports_are_kept(void **state)
{
    swp_context *ctx = *state;
    static char text[5000];
    size_t count = 0;
    memset(text, 'y', sizeof text - 1);
    for (int i = 0; i < 100; i++)
        (void)swp_error(ctx, SWP_E0304, SWP_NOWHERE, "", "%d%s", i, text);
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_int_equal(count, 100);
    assert_int_equal(strlen(diags[99].message), 2 + sizeof text - 1);
}

static void codes_are_sorted_unique_and_explained(void **state)
{
    (void)state;
    size_t count = 0;
    const swp_diag_code *codes = swp_diag_codes(&count);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        assert_true(codes[i].code[0] == 'E' || codes[i].code[0] == 'W');
        assert_true(strlen(codes[i].meaning) > 0);
        if (i > 0)
            assert_true(strcmp(codes[i - 1].code, codes[i].code) < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(reports_stand_in_the_order_in_which_they_came),
        CONTEXT_TEST(a_report_of_a_caller_is_copied),
        CONTEXT_TEST(a_report_about_a_setting_has_it_as_its_subject),
        CONTEXT_TEST(cleared_diagnostics_are_gone),
        CONTEXT_TEST(many_and_long_reports_are_kept),
        cmocka_unit_test(codes_are_sorted_unique_and_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
