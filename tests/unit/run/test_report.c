/* SPDX-License-Identifier: Apache-2.0 */
/* What runs came to, as text and JSON. */
#include "small_dataflow.h"

#include <jansson.h>

static const swp_run_sweep late = {.most = 2, .seeds = 3, .timing = SWP_TIMING_LATE};

static swp_run_summary summary_of(swp_context *ctx, const swp_schedule *loop)
{
    swp_run_summary summary;
    assert_ok(ctx, swp_run_many(ctx, loop, &late, &summary));
    return summary;
}

static swp_schedule wrong_loop(swp_context *ctx)
{
    return small_loop(ctx, "LA00@k0 LB00@k0 vm1 bar", SAFE_KERNEL, SAFE_EPILOGUE);
}

static void expect_in(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("`%s` is not in:\n%s", part, text);
}

static void a_wrong_run_shows_the_values_and_the_two_accesses(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = wrong_loop(ctx);
    const swp_run_summary summary = summary_of(ctx, &loop);
    char *text = NULL;
    assert_ok(ctx, swp_run_summary_text(ctx, &loop, &summary, &text, NULL));
    expect_in(text, "N = 1    0 of 3 runs right\n");
    expect_in(text, "went wrong: N = 1, --timing late, seed 0\n");
    expect_in(text, "wave 0, accumulator (0, 0), element (0, 0): ");
    expect_in(text, " reads nothing instead of tile 0 (wave 0's share) in epilogue entry 1 (op):\n"
                    "    wave 0's prologue entry 1 (op) takes effect after it\n");
    expect_in(text, "small: 6 of 6 runs went wrong\n");
}

static void a_right_run_says_so(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = safe_loop(ctx);
    const swp_run_summary summary = summary_of(ctx, &loop);
    const swp_run_outcome outcome = run_once(ctx, &loop, 2, SWP_TIMING_LATE, 0);
    char *text = NULL;
    assert_ok(ctx, swp_run_summary_text(ctx, &loop, &summary, &text, NULL));
    assert_string_equal(text, "N = 1    3 of 3 runs right\n"
                              "N = 2    3 of 3 runs right\n"
                              "\n"
                              "small: 0 of 6 runs went wrong\n");
    assert_ok(ctx, swp_run_outcome_text(ctx, &loop, &outcome, &text, NULL));
    assert_string_equal(text, "N = 2, 2 waves: every accumulator is right\n");
}

static void what_else_can_be_seen_is_said_too(void **state)
{
    swp_context *ctx = *state;
    char *text = NULL;
    swp_schedule loop =
        small_loop(ctx, "LA00@k0 LB00@k0 LA10@k1 vm0 bar", SAFE_KERNEL, SAFE_EPILOGUE);
    swp_run_outcome outcome = run_once(ctx, &loop, 1, SWP_TIMING_EARLY, 0);
    assert_ok(ctx, swp_run_outcome_text(ctx, &loop, &outcome, &text, NULL));
    expect_in(text, "wave 0 loads tile 1 of 1 in prologue entry 2 (op)");
    loop = safe_loop(ctx);
    loop.machine.groups = 2;
    loop.machine.lag = 1;
    loop.machine.lag_end_barrier = false;
    outcome = run_once(ctx, &loop, 1, SWP_TIMING_EARLY, 0);
    assert_ok(ctx, swp_run_outcome_text(ctx, &loop, &outcome, &text, NULL));
    expect_in(text, "wave 2 waits for ever at a barrier of the prologue that is no entry");
}

static void a_wrong_run_of_a_dataflow_names_ops_values_and_versions(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop =
        small_dataflow(ctx, loop_of(ctx, load_read_use), one_slot, "L0 bar R0 lgkm0 U0 bar");
    const swp_schedule missing =
        small_dataflow(ctx, loop_of(ctx, load_read_use), one_slot, "L0 vm0 bar R0 bar");
    const swp_schedule outside = small_dataflow(ctx, loop_of(ctx, accumulate), one_slot, "M0 M1");
    const swp_run_summary summary = summary_of(ctx, &loop);
    char *text = NULL;
    assert_ok(ctx, swp_run_summary_text(ctx, &loop, &summary, &text, NULL));
    expect_in(text, "N = 0    3 of 3 runs right\n");
    expect_in(text, "N = 1    0 of 3 runs right\n");
    expect_in(text, "  wave 0, R of iteration 0: ");
    expect_in(text,
              "  wave 0 reads version -1 of A instead of version 0 (slot 0, wave 0's share) in "
              "kernel entry 2 (R) of pass 0:\n"
              "    wave 0's kernel entry 0 (L) of pass 0 takes effect after it\n");
    swp_run_outcome outcome = run_once(ctx, &missing, 1, SWP_TIMING_EARLY, 0);
    assert_ok(ctx, swp_run_outcome_text(ctx, &missing, &outcome, &text, NULL));
    expect_in(text, "a result that is not the loop's\n  wave 0, U of iteration 0: 0 instead of ");
    outcome = run_once(ctx, &outside, 1, SWP_TIMING_EARLY, 0);
    assert_ok(ctx, swp_run_outcome_text(ctx, &outside, &outcome, &text, NULL));
    expect_in(text, "wave 0 does iteration 1 of 1 in kernel entry 1 (M) of pass 0\n");
    outcome = run_once(ctx, &missing, 0, SWP_TIMING_EARLY, 0);
    assert_ok(ctx, swp_run_outcome_text(ctx, &missing, &outcome, &text, NULL));
    assert_string_equal(text, "N = 0, 2 waves: every result is right\n");
}

static json_t *parsed(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    return root;
}

static void the_json_holds_the_same(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop = wrong_loop(ctx);
    const swp_run_summary summary = summary_of(ctx, &loop);
    char *text = NULL;
    assert_ok(ctx, swp_run_summary_json(ctx, &summary, &text, NULL));
    json_t *root = parsed(text);
    json_t *run = json_object_get(json_object_get(root, "first"), "run");
    json_t *operand = json_array_get(json_object_get(run, "operands"), 0);
    assert_true(json_is_false(json_object_get(root, "right")));
    assert_int_equal(json_integer_value(json_object_get(root, "wrong")), 6);
    assert_int_equal(json_array_size(json_object_get(root, "sizes")), 2);
    assert_string_equal(json_string_value(json_object_get(run, "symptom")), "wrong_value");
    assert_true(json_is_null(json_object_get(operand, "found")));
    assert_int_equal(json_integer_value(json_object_get(operand, "wanted")), 0);
    json_decref(root);
    const swp_schedule safe = safe_loop(ctx);
    const swp_run_summary right = summary_of(ctx, &safe);
    assert_ok(ctx, swp_run_summary_json(ctx, &right, &text, NULL));
    root = parsed(text);
    assert_true(json_is_true(json_object_get(root, "right")));
    assert_true(json_is_null(json_object_get(root, "first")));
    json_decref(root);
}

static int64_t number_in(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    assert_true(json_is_integer(number));
    return json_integer_value(number);
}

static void the_json_of_a_dataflow_counts_ops_and_values(void **state)
{
    swp_context *ctx = *state;
    const swp_schedule loop =
        small_dataflow(ctx, loop_of(ctx, load_read_use), one_slot, "L0 bar R0 lgkm0 U0 bar");
    swp_run_outcome outcome = run_once(ctx, &loop, 1, SWP_TIMING_LATE, 0);
    char *text = NULL;
    assert_ok(ctx, swp_run_outcome_json(ctx, &outcome, &text, NULL));
    json_t *root = parsed(text);
    const json_t *run = json_object_get(root, "run");
    const json_t *value = json_array_get(json_object_get(run, "values"), 0);
    const json_t *operand = json_array_get(json_object_get(run, "operands"), 0);
    assert_int_equal(number_in(value, "op"), 1);
    assert_int_equal(number_in(value, "iteration"), 0);
    assert_int_equal(number_in(operand, "value"), 0);
    assert_int_equal(number_in(operand, "slot"), 0);
    assert_int_equal(number_in(operand, "wanted"), 0);
    assert_int_equal(number_in(operand, "found"), -1);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_wrong_run_shows_the_values_and_the_two_accesses),
        CONTEXT_TEST(a_right_run_says_so),
        CONTEXT_TEST(what_else_can_be_seen_is_said_too),
        CONTEXT_TEST(the_json_holds_the_same),
        CONTEXT_TEST(a_wrong_run_of_a_dataflow_names_ops_values_and_versions),
        CONTEXT_TEST(the_json_of_a_dataflow_counts_ops_and_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
