/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace says, on a loop that a reader can add up; its rules are tests/pictures/run.py's. */
#include "../loops.h"

static void a_load_is_in_flight_for_its_latency(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const char *text = emitted(*state, schedule, "perfetto");
    assert_has(text, "\"unit\":\"one cycle is one microsecond\"");
    assert_has(text, "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\","
                     "\"args\":{\"name\":\"group 0\"}}");
    assert_has(text, "\"name\":\"mma_unit\"");
    assert_has(text, "\"name\":\"A[1]\"");
    /* An MMA keeps its unit for 50 cycles. */
    assert_has(text, "\"dur\":50,\"cat\":\"busy\",\"name\":\"keeps the unit\"");
    swp_schedule_free(schedule);
}

/* What waits, and the arrow from what it waits for. */
static void a_stall_lies_within_its_entry(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const char *text = emitted(*state, schedule, "perfetto");
    assert_has(text, "\"cat\":\"stall\"");
    assert_true(occurrences(text, "{\"ph\":\"s\"") > 0);
    assert_int_equal(occurrences(text, "{\"ph\":\"s\""), occurrences(text, "{\"ph\":\"f\""));
    swp_schedule_free(schedule);
}

static void names_are_escaped(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    schedule->name = "a \"b\"\\";
    assert_has(emitted(*state, schedule, "perfetto"), "\"schedule\":\"a \\\"b\\\"\\\\\"");
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_load_is_in_flight_for_its_latency),
        TEST_IN_CONTEXT(a_stall_lies_within_its_entry),
        TEST_IN_CONTEXT(names_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
