/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations, made up, as text and as JSON. */
#include "../loops.h"

#include "swp/explain.h"

#include <jansson.h>

/* Ping-pong's kernel entry 4 is a barrier, 3 a wait, its body begins with a fragment load of B. */
static swp_hazard needs[] = {
    {.kind = SWP_STALE_READ,
     .at = {SWP_KERNEL, 0},
     .has_other = true,
     .other = {SWP_PROLOGUE, 2},
     .passes_before = 1,
     .name = "n",
     .detail = "d",
     .hint = "h"},
    {.kind = SWP_OVERWRITTEN,
     .at = {SWP_KERNEL, 12},
     .has_other = true,
     .other = {SWP_KERNEL, 0},
     .passes_before = 2,
     .name = "n",
     .detail = "d",
     .hint = "h"},
    {.kind = SWP_OVERWRITTEN,
     .at = {SWP_KERNEL, 12},
     .has_other = true,
     .other = {SWP_KERNEL, 0},
     .name = "n",
     .detail = "d",
     .hint = "h"},
    {.kind = SWP_DEADLOCK, .at = {SWP_EPILOGUE, 58}, .name = "n", .detail = "d", .hint = "h"},
};

static swp_explanation made_up[] = {
    {.at = {SWP_KERNEL, 4}, .needs = {needs, 4, 4}, .may_leave = -1},
    {.at = {SWP_KERNEL, 3}, .may_leave = -1},
};

static swp_order_reason reasons[] = {
    {.op = 0, .after = -1, .late = -1, .binding_op = -1},
    {.op = 1, .after = -1, .late = 3, .binding_op = -1},
    {.op = 2,
     .after = 0,
     .kind = SWP_ANTI,
     .late = -1,
     .start = 20,
     .constraint = SWP_BOUND_BY_EDGE,
     .binding_op = 0},
    {.op = 3,
     .after = 1,
     .kind = SWP_FLOW,
     .late = -1,
     .start = 36,
     .constraint = SWP_BOUND_BY_UNIT,
     .binding_op = 0},
    {.op = 4,
     .after = 1,
     .kind = SWP_FLOW,
     .late = -1,
     .start = 40,
     .constraint = SWP_BOUND_BY_EDGE,
     .binding_op = 0},
};

static char *text_of(swp_context *ctx, const swp_schedule *schedule,
                     const swp_explanation_list *explanations, const swp_order_reason_list *order)
{
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(swp_explanation_text(ctx, schedule, explanations, order, &text, &length),
                     SWP_OK);
    assert_int_equal(length, strlen(text));
    return text;
}

static void text_names_both_entries_and_their_distance(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_explanation_list list = {.items = made_up, .count = 2};
    assert_string_equal(
        text_of(*state, schedule, &list, &(swp_order_reason_list){0}),
        "kernel     4  barrier\n"
        "      stale_read         prologue 2 (LOAD_B), then kernel 0 (MMA_LOAD_B)\n"
        "      overwritten        kernel 0 (MMA_LOAD_B), then kernel 12 (LOAD_B), 2 "
        "passes later\n"
        "      overwritten        kernel 0 (MMA_LOAD_B), then kernel 12 (LOAD_B)\n"
        "      deadlock           epilogue 58\n"
        "kernel     3  wait_lgkm lgkmcnt <= 8: no dependence needs it\n"
        "pingpong: 2 waits and barriers, 1 of them unneeded while the others stand\n");
    swp_schedule_free(schedule);
}

static void text_says_that_hazards_count_as_no_need(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_explanation_list list = {.items = made_up, .hazards = 1};
    assert_has(text_of(*state, schedule, &list, &(swp_order_reason_list){0}),
               "\nIt has 1 hazard as it stands (`swp verify`), which count for no wait or barrier "
               "here.\n");
    swp_schedule_free(schedule);
}

static void text_shows_what_holds_each_op(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_explanation_list list = {0};
    swp_order_reason_list order = {.items = reasons, .count = 5};
    const char *text = text_of(*state, schedule, &list, &order);
    assert_has(text, "    0      0  MMA_LOAD_B    slot 0   sub 0            no edge\n");
    assert_has(text, "no edge; stands before 3 (MMA), which an edge puts first\n");
    assert_has(text, "anti from 0 (MMA_LOAD_B)\n");
    assert_has(text, "flow from 1 (MMA_LOAD_A); mma_unit busy with 0 (MMA_LOAD_B)\n");
    assert_has(text, "flow from 1 (MMA_LOAD_A); waits for 0 (MMA_LOAD_B)\n");
    order = (swp_order_reason_list){.unexplained = "a cycle"};
    assert_has(text_of(*state, schedule, &list, &order), "\norder: not explained: a cycle\n");
    swp_schedule_free(schedule);
}

static void json_is_a_line_for_each(void **state)
{
    swp_context *ctx = *state;
    char *text = NULL;
    size_t length = 0;
    swp_schedule *schedule = pingpong(ctx);
    const swp_explanation_list list = {.items = made_up, .count = 2, .hazards = 8};
    const swp_order_reason_list order = {.items = reasons, .count = 5};
    assert_int_equal(swp_explanation_json(ctx, schedule, &list, &order, &text, &length), SWP_OK);
    assert_has(text, "{\n  \"swp\": 1,\n  \"hazards\": 8,\n  \"sync\": [\n"
                     "    {\"phase\": \"kernel\", \"list\": \"kernel\", \"entry\": 4, "
                     "\"name\": \"barrier\", \"wait\": 0, \"may_leave\": null, "
                     "\"needs\": [{\"kind\": \"stale_read\", \"phase\": \"kernel\", \"list\": "
                     "\"kernel\", \"entry\": 0, ");
    assert_has(text, "\"other\": {\"phase\": \"prologue\", \"list\": \"prologue\", \"entry\": 2, "
                     "\"passes_before\": 1, "
                     "\"name\": \"LOAD_B\"}");
    assert_has(text,
               "    {\"phase\": \"kernel\", \"list\": \"kernel\", \"entry\": 3, "
               "\"name\": \"wait_lgkm\", \"wait\": 8, \"may_leave\": null, "
               "\"needs\": []}\n  ],\n  \"order\": [\n"
               "    {\"op\": 0, \"name\": \"MMA_LOAD_B\", \"after\": null, \"kind\": null, "
               "\"late\": null, \"start\": 0, \"held_by\": \"nothing\", \"holder\": null},\n");
    assert_has(text, "\"after\": 1, \"kind\": \"flow\", \"late\": null, \"start\": 36, "
                     "\"held_by\": \"unit\", \"holder\": 0},\n");
    assert_has(text, "\n  ],\n  \"unexplained\": null\n}\n");
    json_t *root = json_loadb(text, length, 0, NULL);
    assert_non_null(root);
    json_decref(root);
    swp_schedule_free(schedule);
}

static void json_of_a_loop_has_lists_iterations_and_dependences(void **state)
{
    swp_context *ctx = *state;
    char *text = NULL;
    size_t length = 0;
    swp_schedule *schedule = small_loop(ctx);
    swp_explanation_list list;
    swp_order_reason_list order;
    assert_int_equal(swp_explain(ctx, schedule, &list), SWP_OK);
    assert_int_equal(swp_explain_order(ctx, schedule, &order), SWP_OK);
    assert_int_equal(swp_explanation_json(ctx, schedule, &list, &order, &text, &length), SWP_OK);
    assert_has(text, "{\"phase\": \"epilogue\", \"list\": \"epilogue_1\", \"entry\": 0, ");
    assert_has(text, "\"other\": {\"phase\": \"kernel\", \"list\": \"kernel\", \"entry\": 4, "
                     "\"passes_before\": 0, "
                     "\"iteration\": 0, \"name\": \"MMA\"}");
    assert_has(text, "{\"op\": 1, \"name\": \"MMA\", \"start\": 25, \"stage\": 1, \"held_by\": "
                     "\"edge\", \"holder\": 0, \"unit\": null, \"dependence\": {\"producer\": "
                     "\"LOAD\", \"consumer\": \"MMA\", \"why\": \"reads\", \"value\": \"A\", "
                     "\"delay\": 100, \"distance\": 0}}");
    assert_has(text, "  \"interval\": 75,\n  \"held_by\": {\"cycle\": [");
    swp_schedule_free(schedule);
}

/* As of one that was read from JSON. */
static void a_loop_without_its_times_has_no_order_to_explain(void **state)
{
    swp_order_reason_list order;
    swp_schedule *schedule = small_loop(*state);
    schedule->pipeline = NULL;
    assert_int_equal(swp_explain_order(*state, schedule, &order), SWP_OK);
    const char *text = text_of(*state, schedule, &(swp_explanation_list){0}, &order);
    assert_has(text, "order: not explained: its cycles in the interval are not known\n");
    assert_has(text, "kernel, as simulated: 76.00 cycles an iteration\n  cycle  op\n"
                     "     49  LOAD i+1\n     98  MMA i+0\n");
    swp_schedule_free(schedule);
}

static void json_says_why_an_order_is_not_explained(void **state)
{
    char *text = NULL;
    size_t length = 0;
    swp_schedule *schedule = pingpong(*state);
    const swp_explanation_list list = {0};
    const swp_order_reason_list order = {.unexplained = "a cycle"};
    assert_int_equal(swp_explanation_json(*state, schedule, &list, &order, &text, &length), SWP_OK);
    assert_has(text, "  \"order\": [],\n  \"unexplained\": \"a cycle\"\n}\n");
    swp_schedule_free(schedule);
}

static void text_calls_what_has_no_name_a_schedule(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_explanation_list list = {0};
    schedule->name = "";
    assert_has(text_of(*state, schedule, &list, &(swp_order_reason_list){0}),
               "schedule: 0 waits and barriers");
    swp_schedule_free(schedule);
}

/* Explained as it is: a kernel of two iterations, an epilogue for each remainder, nothing to do for N = 0. */
static void a_loop_is_explained_by_iterations_values_and_slots(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = small_loop(ctx);
    swp_explanation_list list;
    swp_order_reason_list order;
    assert_int_equal(swp_explain(ctx, schedule, &list), SWP_OK);
    assert_int_equal(swp_explain_order(ctx, schedule, &order), SWP_OK);
    const char *text = text_of(ctx, schedule, &list, &order);
    assert_has(text,
               "kernel       5  barrier\n"
               "      overwritten        A[0]: kernel 4 (MMA i+0), then kernel 6 (LOAD i+2)\n");
    assert_has(text, "overwritten        A[1]: kernel 9 (MMA i+1), then kernel 1 (LOAD i+1), "
                     "1 pass later\n");
    assert_has(text, "epilogue_1   0  wait_vm vmcnt <= ");
    assert_has(text, "held by a cycle of dependences: 150 cycles in 2 iterations\n");
    assert_has(text, "\norder of an iteration: what lets each op be issued no cycle sooner\n"
                     "  cycle  stage  op\n"
                     "      0      0  LOAD          replaces A 50 cycles after MMA of 2 iterations "
                     "before\n"
                     "     25      1  MMA           reads A 100 cycles after LOAD\n");
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(text_names_both_entries_and_their_distance),
        TEST_IN_CONTEXT(text_says_that_hazards_count_as_no_need),
        TEST_IN_CONTEXT(text_shows_what_holds_each_op),
        TEST_IN_CONTEXT(a_loop_is_explained_by_iterations_values_and_slots),
        TEST_IN_CONTEXT(json_is_a_line_for_each),
        TEST_IN_CONTEXT(json_of_a_loop_has_lists_iterations_and_dependences),
        TEST_IN_CONTEXT(a_loop_without_its_times_has_no_order_to_explain),
        TEST_IN_CONTEXT(json_says_why_an_order_is_not_explained),
        TEST_IN_CONTEXT(text_calls_what_has_no_name_a_schedule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
