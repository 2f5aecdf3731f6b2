/* SPDX-License-Identifier: Apache-2.0 */
#include "../schedules.h"

#include "fixture.h"

#include "emit/c/header.h"
#include "swp/loop.h"

/* The header of a schedule, named; its status in `*status`. */
static swp_c_header named(swp_context *ctx, const swp_schedule *schedule, const char *prefix,
                          swp_status *status)
{
    static swp_c_header_options options;
    options = (swp_c_header_options){.prefix = prefix};
    swp_c_header header = {
        .text = {.ctx = ctx}, .ctx = ctx, .schedule = schedule, .options = &options};
    *status = swp_c_name(&header);
    return header;
}

static void a_name_becomes_an_identifier(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    static const struct {
        const char *name;
        const char *prefix;
    } cases[] = {{"pingpong", "PINGPONG"},
                 {"my-loop.v2", "MY_LOOP_V2"},
                 {"", "SCHEDULE"},
                 {"a\xc3\xa9z", "A__Z"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        swp_status status = SWP_OK;
        schedule->name = cases[i].name;
        const swp_c_header header = named(*state, schedule, NULL, &status);
        assert_int_equal(status, SWP_OK);
        assert_string_equal(header.prefix, cases[i].prefix);
    }
    swp_schedule_free(schedule);
}

static void a_prefix_stands_as_it_is_asked_for(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    swp_status status = SWP_OK;
    const swp_c_header header = named(*state, schedule, "Gemm_2", &status);
    assert_int_equal(status, SWP_OK);
    assert_string_equal(header.prefix, "Gemm_2");
    assert_string_equal(header.local, "gemm_2");
    assert_string_equal(header.op_macros[SWP_MMA], "MMA");
    assert_null(header.op_macros[SWP_COMPUTE_TILE]); /* no entry has it */
    swp_schedule_free(schedule);
}

static void a_prefix_that_is_none_is_refused(void **state)
{
    static const char *const names[] = {"2fast", "_X", "SWP", "SWP_WAIT", "a b", "", "a-b"};
    swp_schedule *schedule = pingpong(*state);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        swp_status status = SWP_OK;
        swp_context_clear_diags(*state);
        (void)named(*state, schedule, names[i], &status);
        assert_int_equal(status, SWP_INVALID);
        assert_diag(*state, "E0801", "cannot be the prefix");
    }
    swp_status status = SWP_OK;
    schedule->name = "4wave";
    (void)named(*state, schedule, NULL, &status);
    assert_int_equal(status, SWP_INVALID);
    swp_schedule_free(schedule);
}

static void two_ops_of_one_macro_are_refused(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    swp_status status = SWP_OK;
    schedule->op_names[SWP_LOAD_B] = "load.a";
    (void)named(*state, schedule, NULL, &status);
    assert_int_equal(status, SWP_INVALID);
    assert_diag(*state, "E0801", "op `load.a` would be the macro PINGPONG_LOAD_A");
    swp_schedule_free(schedule);
}

/* Figures of a loop keep the case of their value, however long its name is. */
static void two_values_of_one_macro_are_refused(void **state)
{
    static const char long_a[] =
        "v23456789012345678901234567890123456789012345678901234567890123456789.a";
    static const char long_b[] =
        "v23456789012345678901234567890123456789012345678901234567890123456789-a";
    static const char *const pairs[][2] = {{"a-b", "a_b"}, {"x y", "x.y"}, {long_a, long_b}};
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        const swp_loop_value values[] = {
            {.name = pairs[i][0]}, {.name = pairs[i][1]}, {.name = "A_B"}};
        const swp_loop loop = {.values = values, .value_count = COUNT_OF(values)};
        const swp_loop_dataflow dataflow = {&loop, NULL};
        swp_schedule *schedule = pingpong(*state);
        swp_status status = SWP_OK;
        schedule->dataflow = &dataflow;
        swp_context_clear_diags(*state);
        (void)named(*state, schedule, "X", &status);
        assert_int_equal(status, SWP_INVALID);
        assert_diag(*state, "E0801", pairs[i][0]);
        assert_diag(*state, "E0801", pairs[i][1]);
        swp_schedule_free(schedule);
    }
}

/* Whatever macros the header comes to have, an op cannot be one of them. */
static void an_op_with_the_headers_own_macro_is_refused(void **state)
{
    static const char *const names[] = {"run",        "KERNEL",         "PROLOGUE_TAIL",
                                        "waves",      "LOAD_A_VM_COST", "tiles_ok",
                                        "schedule_h", "assert_tiles"};
    swp_schedule *schedule = pingpong(*state);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char *text = NULL;
        size_t length = 0;
        swp_context_clear_diags(*state);
        schedule->op_names[SWP_MMA] = names[i];
        assert_int_equal(swp_emit_c_header(*state, schedule, NULL, &text, &length), SWP_INVALID);
        assert_diag(*state, "E0801", "that of the header itself");
    }
    schedule->op_names[SWP_MMA] = "RUN_LATER";
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(swp_emit_c_header(*state, schedule, NULL, &text, &length), SWP_OK);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_name_becomes_an_identifier),
        TEST_IN_CONTEXT(a_prefix_stands_as_it_is_asked_for),
        TEST_IN_CONTEXT(a_prefix_that_is_none_is_refused),
        TEST_IN_CONTEXT(two_ops_of_one_macro_are_refused),
        TEST_IN_CONTEXT(two_values_of_one_macro_are_refused),
        TEST_IN_CONTEXT(an_op_with_the_headers_own_macro_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
