/* SPDX-License-Identifier: Apache-2.0 */
#include "../verdicts.h"

#include <jansson.h>
#include <string.h>

static void a_hazard_is_a_line(void **state)
{
    const swp_verdict verdict = made_up_verdict();
    static const char wanted[] =
        "{\n"
        "  \"swp\": 1,\n"
        "  \"safe\": false,\n"
        "  \"accepted\": 1,\n"
        "  \"passes_explored\": 3,\n"
        "  \"hazards\": [\n"
        "    {\"kind\": \"stale_read\", \"phase\": \"kernel\", \"list\": \"kernel\", \"entry\": 0, "
        "\"name\": "
        "\"MMA_LOAD_B\", \"place\": {\"channel\": 1, \"stage\": 0, \"subtile\": 1}, \"other\": "
        "{\"phase\": \"prologue\", \"list\": \"prologue\", \"entry\": 2, \"passes_before\": 1}, "
        "\"smallest_n\": 4, "
        "\"accepted\": false, \"slack_cycles\": -7, \"hint\": \"wait, then a barrier\", "
        "\"detail\": \"wants tile 2, may find \\\"tile 0\\\"\"},\n"
        "    {\"kind\": \"register_not_ready\", \"phase\": \"kernel\", \"list\": \"kernel\", "
        "\"entry\": 7, \"name\": "
        "\"MMA\", \"place\": {\"channel\": 0, \"subtile\": 3}, \"other\": null, \"smallest_n\": 6, "
        "\"accepted\": true, \"slack_cycles\": null, \"hint\": \"wait\", \"detail\": \"in "
        "flight\"},\n"
        "    {\"kind\": \"missing_work\", \"phase\": \"epilogue\", \"list\": \"epilogue\", "
        "\"entry\": 58, \"name\": "
        "\"end\", \"place\": {\"row\": 1, \"column\": 0}, \"other\": null, \"smallest_n\": 2, "
        "\"accepted\": false, \"slack_cycles\": null, \"hint\": \"add one\", \"detail\": \"no "
        "COMPUTE\"},\n"
        "    {\"kind\": \"deadlock\", \"phase\": \"epilogue\", \"list\": \"epilogue\", \"entry\": "
        "58, \"name\": \"end\", "
        "\"place\": null, \"other\": null, \"smallest_n\": 2, \"accepted\": false, "
        "\"slack_cycles\": null, \"hint\": \"balance\", \"detail\": \"alone\"}\n"
        "  ]\n"
        "}\n";
    assert_string_equal(reported(*state, swp_verdict_json, &verdict), wanted);
}

/* Of a general loop: the value and its slot. */
static void a_place_is_a_value_and_a_slot(void **state)
{
    swp_hazard hazard = made_up_hazards[0];
    hazard.value = "K";
    hazard.slot = 1;
    const swp_verdict verdict = {.hazards = {.items = &hazard, .count = 1}};
    const char *text = reported(*state, swp_verdict_json, &verdict);
    assert_non_null(strstr(text, "\"place\": {\"value\": \"K\", \"slot\": 1}, \"other\""));
}

/* Of warp roles: whose it is, and on which phase of which object. */
static void a_role_is_told_with_its_object(void **state)
{
    swp_hazard hazard = made_up_hazards[0];
    hazard.role = "consumer";
    hazard.instance = 1;
    hazard.object = "empty";
    hazard.has_phase = true;
    hazard.mbarrier_phase = 2;
    hazard.other_role = "producer";
    const swp_verdict verdict = {.hazards = {.items = &hazard, .count = 1}};
    const char *text = reported(*state, swp_verdict_json, &verdict);
    assert_non_null(
        strstr(text, "\"other\": {\"role\": \"producer\", \"instance\": 0, \"phase\": "));
    assert_non_null(strstr(text, "\"role\": \"consumer\", \"instance\": 1, \"object\": \"empty\", "
                                 "\"mbarrier_phase\": 2}"));
    hazard.object = NULL;
    hazard.has_phase = false;
    text = reported(*state, swp_verdict_json, &verdict);
    assert_non_null(strstr(text, "\"object\": null, \"mbarrier_phase\": null}"));
}

static void no_hazards_are_an_empty_list(void **state)
{
    const swp_verdict verdict = {.safe = true, .passes_explored = 2};
    assert_string_equal(reported(*state, swp_verdict_json, &verdict), "{\n"
                                                                      "  \"swp\": 1,\n"
                                                                      "  \"safe\": true,\n"
                                                                      "  \"accepted\": 0,\n"
                                                                      "  \"passes_explored\": 2,\n"
                                                                      "  \"hazards\": []\n"
                                                                      "}\n");
}

/* What the verifier itself finds is JSON that jansson reads. */
static void a_verdict_on_fourwave_can_be_read(void **state)
{
    swp_context *ctx = *state;
    swp_verdict verdict;
    char *text = NULL;
    size_t length = 0;
    swp_schedule *schedule = fourwave(ctx);
    assert_int_equal(swp_verify(ctx, schedule, NULL, 0, &verdict), SWP_OK);
    assert_int_equal(swp_simulate_slack(ctx, schedule, &verdict), SWP_OK);
    assert_int_equal(swp_verdict_json(ctx, schedule, &verdict, &text, &length), SWP_OK);
    json_t *root = json_loadb(text, length, 0, NULL);
    assert_non_null(root);
    assert_true(json_is_false(json_object_get(root, "safe")));
    assert_int_equal(json_array_size(json_object_get(root, "hazards")), verdict.hazards.count);
    json_decref(root);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(a_hazard_is_a_line),
        TEST_IN_CONTEXT(a_place_is_a_value_and_a_slot),
        TEST_IN_CONTEXT(a_role_is_told_with_its_object),
        TEST_IN_CONTEXT(no_hazards_are_an_empty_list),
        TEST_IN_CONTEXT(a_verdict_on_fourwave_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
