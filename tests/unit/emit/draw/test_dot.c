/* SPDX-License-Identifier: Apache-2.0 */
#include "../loops.h"

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

static void a_loop_has_a_cluster_a_stage_and_its_dependences(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const char *text = emitted(*state, schedule, "dot");
    assert_int_equal(schedule->pipeline->stages, 2);
    assert_int_equal(occurrences(text, "subgraph cluster_stage"), 2);
    assert_null(strstr(text, "half"));
    assert_has(text, "label=\"small: one iteration, begun every 75 cycles.");
    assert_has(text, "op0 [label=\"LOAD\\ncycle 0\\ntakes 100\", fillcolor=\"#f6c28b\"]");
    assert_has(text, "op1 [label=\"MMA\\ncycle 25\\ntakes 50\", fillcolor=\"#a8d5ba\"]");
    assert_has(text, "op0 -> op1 [style=\"solid,bold\", label=\"reads A\\nafter 100\"];");
    assert_has(text, "op1 -> op0 [style=\"dashed,bold\", "
                     "label=\"replaces A\\nafter 50, 2 iterations later\", ");
    assert_has(text, "op0 -> op0 [style=\"dotted\", "
                     "label=\"rewrites A\\nafter 100, 2 iterations later\", ");
    swp_schedule_free(schedule);
}

/* One line, which has all that ties the accumulator's op to itself. */
static void edges_of_an_op_to_itself_are_one_line(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    const char *text = emitted(*state, schedule, "dot");
    assert_int_equal(occurrences(text, "op1 -> op1"), 1);
    assert_has(text, "label=\"reads c\\nafter 50, 1 iteration later\\n"
                     "replaces c\\nafter 50, 1 iteration later\\n"
                     "rewrites c\\nafter 50, 1 iteration later\", ");
    assert_int_equal(occurrences(text, " -> "), 4);
    swp_schedule_free(schedule);
}

static void a_loop_without_its_pipeline_has_its_dependences(void **state)
{
    swp_schedule *schedule = small_loop(*state);
    schedule->pipeline = NULL;
    const char *text = emitted(*state, schedule, "dot");
    assert_has(text, "label=\"small: one iteration, 76.00 cycles as simulated; cycles are those of "
                     "its first call in a pass of 2 iterations.");
    assert_has(text, "op1 [label=\"MMA\\ncycle 98\\ntakes 50\"");
    assert_has(text, "op0 -> op1 [style=\"solid\", label=\"reads A\\nafter 100\"];");
    assert_null(strstr(text, "cluster"));
    assert_null(strstr(text, "bold"));
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_double_buffer_has_a_cluster_a_half),
        TEST_IN_CONTEXT(a_single_buffer_has_no_cluster),
        TEST_IN_CONTEXT(names_are_quoted),
        TEST_IN_CONTEXT(output_edges_are_dotted),
        TEST_IN_CONTEXT(a_loop_has_a_cluster_a_stage_and_its_dependences),
        TEST_IN_CONTEXT(edges_of_an_op_to_itself_are_one_line),
        TEST_IN_CONTEXT(a_loop_without_its_pipeline_has_its_dependences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
