/* SPDX-License-Identifier: Apache-2.0 */
/* Ordinary stores that bulk stores read, fences, turns at named barriers; reports of what goes wrong. */
#include "role_files.h"

#include <jansson.h>

/* Of a consumer's pass: 4 matrix_wait, 6 bulk_wait_read, 7 sync, 8 STAGE, 9 fence, 10 sync, 11 STORE, 12 commit. */
static void an_edit_of_a_staged_store_shows(void **state)
{
    static const edited_case cases[] = {
        {{"consumer", SWP_EPILOGUE, 1, DROP}, SWP_BREAKS_UNFENCED, 1},
        {{"consumer", SWP_EPILOGUE, 4, DROP}, SWP_BREAKS_ACCUMULATOR, 1},
        {{"consumer", SWP_EPILOGUE, 4, WAIT_FOR_LESS}, SWP_BREAKS_ACCUMULATOR, 1},
        /* The wait is one thread's, and the barrier tells the others. */
        {{"consumer", SWP_EPILOGUE, 6, DROP}, SWP_WRONG_VALUE, 2},
        {{"consumer", SWP_EPILOGUE, 6, WAIT_FOR_LESS}, SWP_WRONG_VALUE, 2},
        {{"consumer", SWP_EPILOGUE, 7, DROP}, SWP_WRONG_VALUE, 2},
        {{"consumer", SWP_EPILOGUE, 9, DROP}, SWP_BREAKS_UNFENCED, 1},
        {{"consumer", SWP_EPILOGUE, 9, OTHER_THREADS}, SWP_BREAKS_UNFENCED, 1},
        {{"consumer", SWP_EPILOGUE, 9, SWAP}, SWP_BREAKS_UNFENCED, 1},
        {{"consumer", SWP_EPILOGUE, 10, DROP}, SWP_BREAKS_UNFENCED, 1},
        {{"consumer", SWP_EPILOGUE, 11, DROP}, SWP_WRONG_VALUE, 1},
        {{"consumer", SWP_EPILOGUE, 12, DROP}, SWP_BREAKS_LOST_PEER, 1},
        {{"consumer", SWP_EPILOGUE, 13, DROP}, SWP_BREAKS_LOST_PEER, 1},
        {{"consumer", SWP_KERNEL, 12, DROP}, SWP_WRONG_VALUE, 2},
        /* One thread that writes it all is as good as each its part. */
        {{"consumer", SWP_EPILOGUE, 8, OTHER_THREADS}, SWP_NO_SYMPTOM, 0},
    };
    expect_cases(*state, "staged_store", cases, COUNT_OF(cases));
}

static void an_edit_of_the_turns_shows(void **state)
{
    static const edited_case cases[] = {
        {{"consumer", SWP_PROLOGUE, 0, DROP}, SWP_BREAKS_NAMED_BARRIER, 1},
        {{"consumer", SWP_KERNEL, 0, DROP}, SWP_BREAKS_NAMED_BARRIER, 2},
        {{"consumer", SWP_KERNEL, 5, DROP}, SWP_WAITS_FOR_EVER, 2},
        {{"consumer", SWP_EPILOGUE, 5, DROP}, SWP_BREAKS_NAMED_BARRIER, 1},
        {{"consumer", SWP_EPILOGUE, 0, DROP}, SWP_BREAKS_NAMED_BARRIER, 1},
    };
    expect_cases(*state, "take_turns", cases, COUNT_OF(cases));
}

/* QK of the next iteration is in flight beside PV of this one: 7 leaves one group, 10 none. */
static void an_edit_of_attention_shows(void **state)
{
    static const edited_case cases[] = {
        {{"consumer", SWP_KERNEL, 1, DROP}, SWP_BREAKS_UNFENCED, 2},
        {{"consumer", SWP_KERNEL, 4, DROP}, SWP_WRONG_VALUE, 2},
        {{"consumer", SWP_KERNEL, 7, DROP}, SWP_BREAKS_ACCUMULATOR, 2},
        {{"consumer", SWP_KERNEL, 7, WAIT_FOR_LESS}, SWP_BREAKS_ACCUMULATOR, 2},
        {{"consumer", SWP_KERNEL, 8, DROP}, SWP_WAITS_FOR_EVER, 4},
        {{"consumer", SWP_KERNEL, 10, DROP}, SWP_BREAKS_ACCUMULATOR, 2},
        {{"consumer", SWP_KERNEL, 10, SWAP}, SWP_WRONG_VALUE, 3},
        {{"consumer", SWP_EPILOGUE, 0, DROP}, SWP_BREAKS_LOST_PEER, 1},
        /* RESCALE touches no register of SOFTMAX's result. */
        {{"consumer", SWP_PROLOGUE, 6, SWAP}, SWP_NO_SYMPTOM, 0},
    };
    expect_cases(*state, "attention_rings", cases, COUNT_OF(cases));
}

/* --- Reports --- */

static swp_run_summary summary_of(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_run_sweep sweep = {
        .exact = true, .least = 5, .most = 5, .seeds = 64, .timing = SWP_TIMING_ADVERSARIAL};
    swp_run_summary summary;
    assert_ok(ctx, swp_run_many(ctx, schedule, &sweep, &summary));
    return summary;
}

static void expect_text(swp_context *ctx, const swp_schedule *schedule, const char *wanted)
{
    const swp_run_summary summary = summary_of(ctx, schedule);
    char *text = NULL;
    assert_ok(ctx, swp_run_summary_text(ctx, schedule, &summary, &text, NULL));
    if (!strstr(text, wanted))
        fail_msg("no \"%s\" in\n%s", wanted, text);
}

static void a_report_names_role_instance_and_thread(void **state)
{
    static const struct {
        edit edit;
        const char *text;
    } cases[] = {
        {{"producer", SWP_KERNEL, 0, SOONER},
         "role consumer, instance 0, thread 0 breaks arrivals in epilogue entry 1 "
         "(arrive): "
         "empty slot 0, phase 1\n"},
        {{"consumer", SWP_KERNEL, 4, DROP},
         "role producer, instance 0, thread 0 waits for ever at kernel entry 0 (wait_phase) of "
         "pass "
         "3: empty slot 0, phase 0\n"},
        {{"consumer", SWP_PROLOGUE, 1, DROP},
         "role consumer, instance 0, thread 0 breaks unfenced in prologue entry 1 (MMA)\n"},
        {{"consumer", SWP_KERNEL, 0, DROP},
         " reads version -3 of T instead of version 1 (slot 1) in kernel entry 0 (MMA) of pass 0:\n"
         "    role producer, instance 0, thread 0: kernel entry 2 (LOAD) of pass 0 takes effect "
         "after it\n"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        swp_schedule *schedule = role_file(*state, "gemm_ring");
        edit_schedule(schedule, &cases[i].edit);
        expect_text(*state, schedule, cases[i].text);
        swp_schedule_free(schedule);
    }
}

static json_t *first_run(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_run_summary summary = summary_of(ctx, schedule);
    char *text = NULL;
    json_error_t error;
    assert_ok(ctx, swp_run_summary_json(ctx, &summary, &text, NULL));
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    json_t *run = json_incref(json_object_get(json_object_get(root, "first"), "run"));
    json_decref(root);
    return run;
}

static void expect_at(const json_t *found, const char *role, const char *phase, int entry)
{
    assert_string_equal(json_string_value(json_object_get(found, "role")), role);
    assert_string_equal(json_string_value(json_object_get(found, "phase")), phase);
    assert_int_equal(json_integer_value(json_object_get(found, "entry")), entry);
    assert_true(json_is_integer(json_object_get(found, "instance")));
    assert_true(json_is_integer(json_object_get(found, "thread")));
    assert_null(json_object_get(found, "wave"));
}

static void the_json_holds_the_same(void **state)
{
    swp_schedule *schedule = role_file(*state, "staged_store");
    edit_schedule(schedule, &(edit){"consumer", SWP_KERNEL, 9, DROP});
    json_t *run = first_run(*state, schedule);
    const json_t *broken = json_array_get(json_object_get(run, "broken"), 0);
    assert_int_equal(json_integer_value(json_object_get(run, "instances")), 3);
    assert_string_equal(json_string_value(json_object_get(run, "symptom")), "unfenced");
    assert_string_equal(json_string_value(json_object_get(broken, "rule")), "unfenced");
    assert_true(json_is_null(json_object_get(broken, "object")));
    expect_at(json_object_get(broken, "at"), "consumer", "kernel", 10);
    expect_at(json_object_get(broken, "other"), "consumer", "kernel", 8);
    const json_t *value = json_array_get(json_object_get(run, "values"), 0);
    assert_string_equal(json_string_value(json_object_get(value, "role")), "consumer");
    assert_int_equal(json_integer_value(json_object_get(value, "op")), 3);
    json_decref(run);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_edit_of_a_staged_store_shows),
        CONTEXT_TEST(an_edit_of_the_turns_shows),
        CONTEXT_TEST(an_edit_of_attention_shows),
        CONTEXT_TEST(a_report_names_role_instance_and_thread),
        CONTEXT_TEST(the_json_holds_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
