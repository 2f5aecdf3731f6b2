/* SPDX-License-Identifier: Apache-2.0 */
#include "../loops.h"

#include <ctype.h>
#include <stdlib.h>

enum { DEEPEST = 16, NAME = 32 };

/* Elements close in the order in which they opened, and attributes and text have no bare markup. */
static void assert_well_formed(const char *text)
{
    char open[DEEPEST][NAME];
    size_t depth = 0;
    for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        char name[NAME] = "";
        const bool closes = at[1] == '/';
        size_t length = 0;
        for (const char *c = at + 1 + closes; isalpha((unsigned char)*c); c++)
            name[length++] = *c;
        if (closes) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            assert_true(depth < DEEPEST);
            strcpy(open[depth++], name);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static void a_picture_is_well_formed_and_has_all_parts(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const char *text = emitted(*state, schedule, "svg");
    assert_int_equal(strncmp(text, "<svg xmlns=", 11), 0);
    assert_well_formed(text);
    assert_has(text, "<title>Timeline of pingpong</title>");
    assert_has(text, ">The run</text>");
    assert_has(text, ">The interval that repeats</text>");
    assert_has(text, ">Modulo reservation table</text>");
    assert_has(text, ">Slots in shared memory</text>");
    assert_has(text, ">group 0</text>");
    assert_has(text, ">group 1</text>");
    assert_has(text, ">A[0] sub 0</text>");
    assert_has(text, "prefers-color-scheme:dark");
    swp_schedule_free(schedule);
}

/* All boxes and texts stand within the picture. */
static void nothing_stands_outside(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const char *text = emitted(*state, schedule, "svg");
    const double height = strtod(strstr(text, "viewBox=\"0 0 1000 ") + 18, NULL);
    for (const char *at = strstr(text, "<rect class="); at; at = strstr(at + 1, "<rect class=")) {
        const char *x = strstr(at, " x=\"");
        if (!x || x > strchr(at, '>'))
            continue;
        const double left = strtod(x + 4, NULL);
        assert_true(left >= 0 && left + strtod(strstr(at, "width=\"") + 7, NULL) <= 1000);
        assert_true(strtod(strstr(at, " y=\"") + 4, NULL) < height);
    }
    swp_schedule_free(schedule);
}

static void a_loop_says_what_its_slots_hold(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const char *text = emitted(*state, schedule, "svg");
    assert_well_formed(text);
    assert_has(text, ">A[0]</text>");
    assert_has(text, ">A[1]</text>");
    assert_has(text, "the iteration that each holds");
    swp_schedule_free(schedule);
}

/* A wait that retires nothing: the read may come before the load. */
static void an_unsafe_schedule_has_its_hazard_in_red(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    swp_entry_list *kernel = &schedule->streams[0].kernel;
    assert_null(strstr(emitted(*state, schedule, "svg"), "class=\"missing\""));
    for (size_t i = 0; i < kernel->count; i++)
        if (kernel->items[i].op.tag == SWP_TAG_WAIT_VM)
            kernel->items[i].op.wait_value = 63;
    const char *text = emitted(*state, schedule, "svg");
    assert_well_formed(text);
    assert_has(text, ">Hazard: stale_read</text>");
    assert_has(text, "class=\"missing\"");
    assert_true(occurrences(text, "class=\"frame danger\"") >= 2);
    swp_schedule_free(schedule);
}

static void a_deadlock_is_drawn_up_to_its_end(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->machine.lag_end_barrier = false;
    const char *text = emitted(*state, schedule, "svg");
    assert_well_formed(text);
    assert_has(text, "It waits for ever");
    assert_has(text, "class=\"stall danger\"");
    assert_null(strstr(text, "The interval that repeats"));
    swp_schedule_free(schedule);
}

static void names_are_escaped(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->name = "a<b>&\"c\"";
    const char *text = emitted(*state, schedule, "svg");
    assert_well_formed(text);
    assert_has(text, "<title>Timeline of a&lt;b&gt;&amp;&quot;c&quot;</title>");
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_picture_is_well_formed_and_has_all_parts),
        TEST_IN_CONTEXT(nothing_stands_outside),
        TEST_IN_CONTEXT(a_loop_says_what_its_slots_hold),
        TEST_IN_CONTEXT(an_unsafe_schedule_has_its_hazard_in_red),
        TEST_IN_CONTEXT(a_deadlock_is_drawn_up_to_its_end),
        TEST_IN_CONTEXT(names_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
