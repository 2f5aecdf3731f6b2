/* SPDX-License-Identifier: Apache-2.0 */
/* The page and its data; what a browser makes of them is tests/pictures/seen.py's. */
#include "../loops.h"

static void a_page_has_its_parts_and_no_addresses(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const char *text = emitted(*state, schedule, "html");
    assert_int_equal(strncmp(text, "<!doctype html>\n", 16), 0);
    assert_int_equal(occurrences(text, "<script"), 2);
    assert_int_equal(occurrences(text, "</script>"), 2);
    assert_has(text, "\"views\":[{\"name\":\"the run\",\"tile\":\"iteration\"");
    assert_null(strstr(text, "http"));
    swp_schedule_free(schedule);
}

/* A name ends neither the data nor the title. */
static void names_are_escaped(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->name = "</script></title>\"";
    const char *text = emitted(*state, schedule, "html");
    assert_int_equal(occurrences(text, "</script>"), 2);
    assert_int_equal(occurrences(text, "</title>"), 1);
    assert_has(text, "\"title\":\"\\u003c/script>\\u003c/title>\\\"");
    swp_schedule_free(schedule);
}

static void two_schedules_are_told_apart(void **state)
{
    swp_schedule *a = pingpong(*state);
    swp_schedule *b = small_loop(*state);
    char *text = NULL;
    const swp_emit_format *html = swp_emit_format_find("html");
    assert_int_equal(html->emit_two(*state, a, b, &text, &(size_t){0}), SWP_OK);
    assert_has(text, "\"title\":\"A: pingpong for mi355x, B: small\"");
    assert_has(text, "\"pair\":[0,1]");
    assert_has(text, "{\"name\":\"A: the run\",\"tile\":\"K tile\"");
    assert_has(text, "{\"name\":\"B: the run\",\"tile\":\"iteration\"");
    assert_null(swp_emit_format_find("perfetto")->emit_two);
    swp_schedule_free(a);
    swp_schedule_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_page_has_its_parts_and_no_addresses),
        TEST_IN_CONTEXT(names_are_escaped),
        TEST_IN_CONTEXT(two_schedules_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
