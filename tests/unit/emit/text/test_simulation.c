/* SPDX-License-Identifier: Apache-2.0 */
#include "../schedules.h"

#include "swp/report.h"

#include <jansson.h>

static swp_stall made_up_stalls[] = {
    {.entry = 29,
     .group = 1,
     .cause = SWP_STALL_WAIT,
     .cycles = 31,
     .has_other = true,
     .other = {SWP_KERNEL, 2},
     .passes_before = 1,
     .other_group = 1},
    {.entry = 34,
     .group = 0,
     .cause = SWP_STALL_BARRIER,
     .cycles = 8,
     .has_other = true,
     .other = {SWP_KERNEL, 4},
     .passes_before = -1,
     .other_group = 1},
    {.entry = 4, .group = 0, .cause = SWP_STALL_CROSSING, .cycles = 2},
};

static swp_unit_load made_up_units[] = {
    {"global_mem", SWP_GLOBAL_MEM, 1, 0},
    {"lds", SWP_LDS, 1, 50},
    {"mma_unit", SWP_MMA_UNIT, 1, 256},
    {"valu", SWP_VALU, 1, 0},
};

static const swp_simulation made_up = {
    .cycles = 400,
    .passes = 2,
    .prologue_cycles = 409,
    .epilogue_cycles = 436,
    .units = made_up_units,
    .unit_count = 4,
    .stalls = {.items = made_up_stalls, .count = 3},
};

static void text_shows_cycles_units_and_stalls(void **state)
{
    swp_context *ctx = *state;
    char *text = NULL;
    size_t length = 0;
    swp_schedule *schedule = pingpong(ctx);
    assert_int_equal(swp_simulation_text(ctx, schedule, &made_up, &text, &length), SWP_OK);
    assert_int_equal(length, strlen(text));
    assert_string_equal(
        text, "pingpong for mi355x\n"
              "steady state  200 cycles a pass: 400 in 2 passes, over and over; 2 K tiles a pass\n"
              "              with its waits and barriers\n"
              "prologue      409 cycles\n"
              "epilogue      436 cycles\n"
              "\n"
              "unit         busy in a pass   share\n"
              "global_mem                0   0.0 %\n"
              "lds                      25  12.5 %\n"
              "mma_unit                128  64.0 %\n"
              "\n"
              "stalls, in cycles a pass\n"
              "  cycles  group  entry  op            waits for\n"
              "   15.50      1     29  wait_vm       wait: kernel entry 2 (LOAD_A), 1 pass before\n"
              "       4      0     34  barrier       barrier: kernel entry 4 (barrier) of group 1, "
              "1 pass after\n"
              "       1      0      4  barrier       crossing\n"
              "  wait      an access that the wait retires has not finished\n"
              "  barrier   the other group has not reached the barrier\n"
              "  crossing  the barrier itself takes cycles\n");
    swp_schedule_free(schedule);
}

static void text_does_not_cut_names(void **state)
{
    char name[3 * 100 + 1] = "";
    char other[sizeof name + 64];
    char *text = NULL;
    size_t length = 0;
    swp_schedule *schedule = pingpong(*state);
    for (size_t i = 0; i + 1 < sizeof name; i += 3)
        memcpy(name + i, "\xe2\x82\xac", 4);
    schedule->op_names[schedule->streams[0].kernel.items[2].op.tag] = name;
    assert_int_equal(swp_simulation_text(*state, schedule, &made_up, &text, &length), SWP_OK);
    (void)snprintf(other, sizeof other, "kernel entry 2 (%s), 1 pass before\n", name);
    assert_has(text, other);
    swp_schedule_free(schedule);
}

static void json_is_a_line_for_each_stall(void **state)
{
    swp_context *ctx = *state;
    char *text = NULL;
    size_t length = 0;
    swp_schedule *schedule = pingpong(ctx);
    assert_int_equal(swp_simulation_json(ctx, schedule, &made_up, &text, &length), SWP_OK);
    assert_has(text, "{\n  \"swp\": 1,\n  \"cycles\": 400,\n  \"passes\": 2,\n"
                     "  \"cycles_per_pass\": 200.0,\n  \"prologue_cycles\": 409,\n"
                     "  \"epilogue_cycles\": 436,\n  \"units\": [\n");
    assert_has(text, "    {\"unit\": \"mma_unit\", \"busy_cycles\": 256, \"percent\": 64.0},\n");
    assert_has(text,
               "    {\"entry\": 29, \"name\": \"wait_vm\", \"group\": 1, \"cause\": \"wait\", "
               "\"cycles\": 31, \"other\": {\"phase\": \"kernel\", \"entry\": 2, "
               "\"passes_before\": 1, \"group\": 1}},\n");
    assert_has(text, "\"cause\": \"crossing\", \"cycles\": 2, \"other\": null}\n  ]\n}\n");
    json_t *root = json_loadb(text, length, 0, NULL);
    assert_non_null(root);
    json_decref(root);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(text_shows_cycles_units_and_stalls),
        TEST_IN_CONTEXT(text_does_not_cut_names),
        TEST_IN_CONTEXT(json_is_a_line_for_each_stall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
