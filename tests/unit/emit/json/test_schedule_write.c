/* SPDX-License-Identifier: Apache-2.0 */
#include "../schedules.h"

#include <jansson.h>

static json_t *parsed(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    return root;
}

static void has_keys(json_t *object, const char *expected)
{
    char found[1024] = "";
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        assert_non_null(value);
        strcat(found, found[0] ? " " : "");
        strcat(found, key);
    }
    assert_string_equal(found, expected);
}

static void a_role_has_its_phases_and_lists(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    swp_entry_list lists[] = {schedule->streams[0].epilogue, {0}};
    schedule->streams[0].name = "all";
    schedule->streams[0].tails = (swp_tails){lists, 1, lists, 2};
    json_t *root = parsed(emitted(*state, schedule, "json"));
    json_t *role = json_array_get(json_object_get(root, "roles"), 0);
    has_keys(role, "name prologue kernel epilogue epilogues straight");
    assert_int_equal(json_array_size(json_object_get(role, "kernel")), 70);
    assert_int_equal(json_array_size(json_object_get(role, "straight")), 2);
    assert_null(json_object_get(root, "kernel"));
    json_decref(root);
    swp_schedule_free(schedule);
}

static void keys_stand_in_the_order_of_the_format(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    json_t *root = parsed(emitted(*state, schedule, "json"));
    has_keys(root, "swp name target config schedule machine loop body edges order prologue kernel "
                   "epilogue kernel_deps warp_stagger_index metrics");
    has_keys(json_object_get(root, "machine"),
             "groups waves_per_group lag lag_prologue_index lag_end_barrier barrier registers "
             "vm_max lgkm_max counter_full barrier_cycles issue_cycles");
    has_keys(json_object_get(root, "loop"),
             "tiles_per_pass first_base min_tiles multiple m_mmas n_mmas placement");
    has_keys(json_array_get(json_object_get(root, "body"), 0),
             "tag name stage subtile k_offset channel role resource latency vgpr_def vgpr_kill");
    has_keys(json_array_get(json_object_get(root, "edges"), 0), "producer consumer kind distance");
    has_keys(json_array_get(json_object_get(root, "kernel"), 0),
             "tag name stage subtile k_offset channel wait role prefetch vm_cost lgkm_cost");
    has_keys(json_object_get(root, "metrics"), "makespan lower_bound vgpr_peak optimal seed work "
                                               "wait_lgkm_first wait_vm_last");
    json_decref(root);
    swp_schedule_free(schedule);
}

/* What files of 0.1 do not have is written where it says something. */
static void a_later_setting_is_left_out_at_its_default(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    assert_null(strstr(emitted(*state, schedule, "json"), "fence_"));
    schedule->machine.fence_reads = false;
    schedule->machine.fence_cycles = 7;
    assert_has(emitted(*state, schedule, "json"),
               "    \"fence_cycles\": 7,\n    \"fence_reads\": false\n");
    swp_schedule_free(schedule);
}

static void derived_synchronisation_has_figures(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->sync = (swp_sync_result){.barriers = 16, .cycles = 873, .passes = 3, .bound = 816};
    json_t *root = parsed(emitted(*state, schedule, "json"));
    json_t *sync = json_object_get(root, "sync");
    has_keys(sync, "barriers least_barriers cycles passes bound optimal work");
    assert_int_equal(json_integer_value(json_object_get(sync, "cycles")), 873);
    assert_int_equal(json_integer_value(json_object_get(sync, "bound")), 816);
    assert_true(json_is_false(json_object_get(sync, "optimal")));
    json_decref(root);
    swp_schedule_free(schedule);
}

static void every_field_of_a_config_is_there(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    json_t *root = parsed(emitted(*state, schedule, "json"));
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    for (size_t i = 0; i < count; i++) {
        if (fields[i].section == SWP_SECTION_PIPELINE)
            assert_non_null(json_object_get(json_object_get(root, "config"), fields[i].name));
        if (fields[i].section == SWP_SECTION_SCHEDULE)
            assert_non_null(json_object_get(json_object_get(root, "schedule"), fields[i].name));
    }
    json_decref(root);
    swp_schedule_free(schedule);
}

static void lines_hold_what_is_compared(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const char *text = emitted(*state, schedule, "json");
    static const char head[] = "{\n  \"swp\": 1,\n  \"name\": \"pingpong\",\n"
                               "  \"target\": \"mi355x\",\n  \"config\": {\n    \"depth\": 2,\n";
    assert_int_equal(strncmp(text, head, sizeof head - 1), 0);
    assert_has(text, "\n    \"warp_stagger\": \"auto\",\n");
    assert_has(text, "\n    \"sched_barrier_mask\": \"0x55\",\n");
    assert_has(text, "\n    \"scheduling\": \"csp\",\n");
    assert_has(text, "\n    \"makespan\": 420,\n");
    assert_has(text, "\n    {\"tag\": 129, \"name\": \"wait_vm\", \"stage\": 0, \"subtile\": 0, "
                     "\"k_offset\": \"none\", \"channel\": -1, \"wait\": 12, \"role\": \"sync\", "
                     "\"prefetch\": false, \"vm_cost\": 0, \"lgkm_cost\": 0},\n");
    assert_int_equal(occurrences(text, "\n    {\"tag\": "), 24 + 10 + 70 + 58);
    assert_string_equal(text + strlen(text) - 6, "  }\n}\n");
    swp_schedule_free(schedule);
}

static void a_figure_that_does_not_apply_is_null(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    const char *text = emitted(*state, schedule, "json");
    assert_has(text, "\"makespan\": null,\n");
    assert_has(text, "\"wait_vm_last\": null\n");
    swp_schedule_free(schedule);
}

static void all_64_bits_of_a_mask_are_written(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->schedule.drain_lgkm_mask = UINT64_MAX;
    assert_has(emitted(*state, schedule, "json"),
               "\n    \"drain_lgkm_mask\": \"0xffffffffffffffff\",\n");
    swp_schedule_free(schedule);
}

static void empty_lists_are_written(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->body.count = schedule->edges.count = schedule->order.count = 0;
    const char *text = emitted(*state, schedule, "json");
    assert_has(text, "\n  \"body\": [],\n  \"edges\": [],\n  \"order\": [],\n");
    json_decref(parsed(text));
    swp_schedule_free(schedule);
}

static void names_are_escaped(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    schedule->name = "a\"\\\n\xE2\x89\xA4";
    assert_has(emitted(*state, schedule, "json"), "\"name\": \"a\\\"\\\\\\n\xE2\x89\xA4\",\n");
    swp_schedule_free(schedule);
}

static void is_refused(swp_context *ctx, const char *name)
{
    swp_schedule *schedule = single_buffer(ctx);
    schedule->op_names[SWP_LOAD_FRAG] = name;
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(swp_emit_format_find("json")->emit(ctx, schedule, &text, &length),
                     SWP_INVALID);
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_string_equal(diags[count - 1].message, "the name of the op with tag 2 is not UTF-8");
    swp_schedule_free(schedule);
}

static void names_that_are_not_utf8_are_refused(void **state)
{
    is_refused(*state, "\xFF");
    is_refused(*state, "\x80");
    is_refused(*state, "a\xC3");
    is_refused(*state, "\xC0\xAF");         /* overlong */
    is_refused(*state, "\xE0\x80\x80");     /* overlong */
    is_refused(*state, "\xED\xA0\x80");     /* a surrogate */
    is_refused(*state, "\xF4\x90\x80\x80"); /* beyond U+10FFFF */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(keys_stand_in_the_order_of_the_format),
        TEST_IN_CONTEXT(a_role_has_its_phases_and_lists),
        TEST_IN_CONTEXT(a_later_setting_is_left_out_at_its_default),
        TEST_IN_CONTEXT(derived_synchronisation_has_figures),
        TEST_IN_CONTEXT(every_field_of_a_config_is_there),
        TEST_IN_CONTEXT(lines_hold_what_is_compared),
        TEST_IN_CONTEXT(a_figure_that_does_not_apply_is_null),
        TEST_IN_CONTEXT(all_64_bits_of_a_mask_are_written),
        TEST_IN_CONTEXT(empty_lists_are_written),
        TEST_IN_CONTEXT(names_are_escaped),
        TEST_IN_CONTEXT(names_that_are_not_utf8_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
