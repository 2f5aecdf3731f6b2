/* SPDX-License-Identifier: Apache-2.0 */
#include "../schedules.h"

static void a_double_buffer_has_a_cluster_a_half(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const char *text = emitted(*state, schedule, "dot");
    assert_int_equal(strncmp(text, "digraph \"pingpong\" {\n", 21), 0);
    assert_int_equal(occurrences(text, "subgraph cluster_half"), 2);
    assert_int_equal(occurrences(text, "fillcolor="), 24);
    assert_has(text, "op2 [label=\"2  LOAD_A\\nslot 1, sub 1, K-1\"");
    assert_has(text, "op3 [label=\"3  MMA\\nrow 0, col 0\"");
    assert_int_equal(occurrences(text, " -> "), 54);
    assert_int_equal(occurrences(text, "[style=dashed]"), 14);
    assert_int_equal(occurrences(text, "[style=solid]"), 22);
    assert_int_equal(occurrences(text, "constraint=false"), 18);
    swp_schedule_free(schedule);
}

static void a_single_buffer_has_no_cluster(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    const char *text = emitted(*state, schedule, "dot");
    assert_null(strstr(text, "subgraph"));
    assert_int_equal(occurrences(text, "fillcolor="), 8);
    assert_int_equal(occurrences(text, " -> "), 8);
    assert_has(text, "op2 [label=\"2  barrier\", ");
    swp_schedule_free(schedule);
}

static void names_are_quoted(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    schedule->name = "a \"b\"\\";
    schedule->op_names[SWP_LOAD_DRAM] = "x\n\"y";
    const char *text = emitted(*state, schedule, "dot");
    assert_has(text, "digraph \"a \\\"b\\\"\\\\\" {\n");
    assert_has(text, "  x\\\\x0a\\\"y\\nslot 0, sub 0\"");
    swp_schedule_free(schedule);
}

static void output_edges_are_dotted(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    schedule->edges.items[0].kind = SWP_OUTPUT;
    assert_int_equal(occurrences(emitted(*state, schedule, "dot"), "style=dotted"), 1);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_double_buffer_has_a_cluster_a_half),
        TEST_IN_CONTEXT(a_single_buffer_has_no_cluster),
        TEST_IN_CONTEXT(names_are_quoted),
        TEST_IN_CONTEXT(output_edges_are_dotted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
