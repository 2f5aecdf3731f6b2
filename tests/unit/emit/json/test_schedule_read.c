/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules that can be read. */
#include "../small_json.h"

static swp_schedule *read_text(swp_context *ctx, const char *text)
{
    swp_schedule *schedule = NULL;
    const swp_status status = swp_schedule_read_json(ctx, text, strlen(text), "s.json", &schedule);
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    if (count > 0)
        fail_msg("%s", diags[0].message);
    assert_int_equal(status, SWP_OK);
    return schedule;
}

static swp_schedule *read_edited(swp_context *ctx, const char *from, const char *to)
{
    char *text = edited_json(from, to);
    swp_schedule *schedule = read_text(ctx, text);
    free(text);
    return schedule;
}

static void survives_a_round_trip(swp_context *ctx, swp_schedule *schedule)
{
    const char *first = emitted(ctx, schedule, "json");
    swp_schedule *again = read_text(ctx, first);
    assert_string_equal(emitted(ctx, again, "json"), first);
    assert_int_equal(again->lgkm_per_load_a, schedule->lgkm_per_load_a);
    assert_int_equal(again->program.blocks.count, 0);
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *a = swp_schedule_phase(schedule, phase);
        const swp_entry_list *b = swp_schedule_phase(again, phase);
        assert_int_equal(a->count, b->count);
        for (size_t i = 0; i < a->count; i++) {
            assert_memory_equal(&a->items[i].op, &b->items[i].op, sizeof(swp_op));
            assert_int_equal(a->items[i].time_slot, b->items[i].time_slot);
            assert_int_equal(b->items[i].phase, phase);
        }
    }
    swp_schedule_free(again);
    swp_schedule_free(schedule);
}

static void the_built_ins_survive_a_round_trip(void **state)
{
    survives_a_round_trip(*state, pingpong(*state));
    survives_a_round_trip(*state, fourwave(*state));
    survives_a_round_trip(*state, single_buffer(*state));
    swp_schedule *derived = fourwave(*state);
    derived->sync = (swp_sync_result){4, 3, 892, 3, 892, true, 3095};
    survives_a_round_trip(*state, derived);
}

static void what_is_read_outlives_its_context(void **state)
{
    (void)state;
    swp_context *ctx = swp_context_new(NULL);
    swp_schedule *schedule = read_edited(ctx, "", "");
    swp_context_free(ctx);
    assert_string_equal(swp_schedule_op_name(schedule, 3), "LOAD");
    assert_string_equal(swp_schedule_op_name(schedule, 4), "op4");
    swp_schedule_free(schedule);
}

static void every_member_is_read(void **state)
{
    swp_schedule *s = read_edited(*state, "", "");
    assert_string_equal(s->name, "");
    assert_int_equal(s->machine.waves_per_group, 4);
    assert_int_equal(s->machine.issue_cycles, 1);
    assert_int_equal(s->loop.first_base, 2);
    assert_int_equal(s->loop.placement, SWP_PLACE_K_OFFSET);
    assert_int_equal(s->streams[0].kernel.count, 2);
    const swp_entry *load = &s->streams[0].kernel.items[0];
    assert_int_equal(load->op.stage, 1);
    assert_int_equal(load->op.k_offset, SWP_K1);
    assert_int_equal(load->op.vm_cost, 4);
    assert_true(load->is_prefetch);
    assert_int_equal(s->streams[0].kernel.items[1].time_slot, 1);
    assert_int_equal(s->streams[0].kernel.items[1].op.wait_value, 6);
    assert_int_equal(s->streams[0].kernel.items[1].op.channel, -1);
    assert_int_equal(s->kernel_deps.items[0].kind, SWP_ANTI);
    assert_int_equal(s->edges.items[0].distance, 1);
    swp_schedule_free(s);
}

static void entries_take_their_costs_from_the_body(void **state)
{
    swp_schedule *s = read_edited(*state, "", "");
    assert_int_equal(s->streams[0].kernel.items[0].op.latency, 200);
    assert_int_equal(s->streams[0].kernel.items[0].op.resource, SWP_GLOBAL_MEM);
    assert_int_equal(s->streams[0].kernel.items[0].op.vgpr_def, 2);
    assert_int_equal(s->streams[0].kernel.items[1].op.resource, SWP_SCALAR);
    swp_schedule_free(s);
}

/* verify, run and simulate read the machine, the loop and the phases only. */
static void the_rest_may_be_missing(void **state)
{
    static const char text[] =
        "{\"swp\": 1, \"prologue\": [], \"kernel\": [], \"epilogue\": [],"
        " \"machine\": {\"groups\": 2, \"waves_per_group\": 4, \"lag\": 1,"
        "  \"lag_prologue_index\": 0, \"lag_end_barrier\": false, \"barrier\": \"fenced\","
        "  \"registers\": \"raw\", \"vm_max\": 63, \"lgkm_max\": 15, \"counter_full\": \"wraps\","
        "  \"barrier_cycles\": 0, \"issue_cycles\": 1},"
        " \"loop\": {\"tiles_per_pass\": 1, \"first_base\": 0, \"min_tiles\": 2, \"multiple\": 1,"
        "  \"m_mmas\": 2, \"n_mmas\": 2, \"placement\": \"next_tile\"}}";
    swp_schedule *s = read_text(*state, text);
    assert_int_equal(s->metrics.makespan, -1);
    assert_int_equal(s->metrics.wait_vm_last, -1);
    assert_int_equal(s->config.depth, swp_pipeline_config_default().depth);
    assert_int_equal(s->schedule.max_vgpr, SWP_NO_VGPR_LIMIT);
    assert_false(s->machine.lag_end_barrier);
    assert_int_equal(s->machine.counter_full, SWP_COUNTER_WRAPS);
    assert_true(s->machine.fence_reads);
    assert_has(emitted(*state, s, "text"), "schedule\n");
    (void)emitted(*state, s, "dot");
    survives_a_round_trip(*state, s);
}

static void a_later_setting_is_read(void **state)
{
    swp_schedule *s = read_edited(*state, "'lag': 0", "'lag': 0, 'fence_reads': false");
    assert_false(s->machine.fence_reads);
    survives_a_round_trip(*state, s);
}

/* Without the key, as files of 0.1 and 0.2 are, and with true the barrier is there. */
static void the_barrier_before_the_loop_may_be_dropped(void **state)
{
    static const char *const texts[3] = {"'order': [0],", "'order': [0], 'loop_barrier': true,",
                                         "'order': [0], 'loop_barrier': false,"};
    const char *written[3];
    for (int i = 0; i < 3; i++) {
        swp_schedule *s = read_edited(*state, "'order': [0],", texts[i]);
        assert_int_equal(s->drops_loop_barrier, i == 2);
        assert_int_equal(s->streams[0].prologue.count, 0);
        written[i] = emitted(*state, s, "json");
        survives_a_round_trip(*state, s);
    }
    assert_string_equal(written[0], written[1]);
    assert_null(strstr(written[0], "loop_barrier"));
    assert_has(written[2], "\n  \"loop_barrier\": false,\n");
}

static void a_config_may_be_partial(void **state)
{
    swp_schedule *s =
        read_edited(*state, "'swp': 1",
                    "'swp': 1, 'config': {'heavy': 7, 'loop_carried': 'fragment_zero',"
                    " 'warp_stagger': 'fixed(3)', 'mma_serial': false},"
                    " 'schedule': {'sched_barrier_mask': '0xffffffffffffffff',"
                    " 'scheduling': 'greedy'}");
    assert_int_equal(s->config.block_sizing.heavy, 7);
    assert_int_equal(s->config.loop_carried.role, SWP_FRAGMENT_LOAD);
    assert_int_equal(s->config.warp_stagger.amount, 3);
    assert_false(s->config.mma_serial);
    assert_true(s->schedule.sched_barrier_mask == UINT64_MAX);
    assert_int_equal(s->schedule.scheduling, SWP_GREEDY);
    swp_schedule_free(s);
}

static void one_role_stands_for_the_phases(void **state)
{
    static const char from[] = " 'prologue': [],\n 'kernel': [";
    char *text = edited_json(from, " 'roles': [{'name': '', 'prologue': [], 'kernel': [");
    char *end = strstr(text, " \"epilogue\": [],");
    memcpy(end, " \"epilogue\": []}", 16);
    char *rest = strstr(text, " \"kernel_deps\"");
    memset(rest, ' ', strlen(rest));
    memcpy(rest, "]}", 2);
    swp_schedule *s = read_text(*state, text);
    assert_int_equal(s->streams[0].kernel.count, 2);
    assert_int_equal(s->streams[0].epilogue.count, 0);
    swp_schedule_free(s);
    free(text);
}

static void several_roles_survive_a_round_trip(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    schedule->kernel_deps.count = 0;
    schedule->streams[1] = schedule->streams[0];
    schedule->streams[0].name = "producer";
    schedule->streams[1].name = "consumer";
    schedule->streams[1].prologue.count = 2;
    schedule->stream_count = 2;
    const char *first = emitted(*state, schedule, "json");
    swp_schedule *again = read_text(*state, first);
    assert_string_equal(emitted(*state, again, "json"), first);
    assert_int_equal(again->stream_count, 2);
    assert_string_equal(again->streams[1].name, "consumer");
    assert_int_equal(again->streams[1].prologue.count, 2);
    assert_int_equal(again->streams[1].kernel.count, 70);
    const char *text = emitted(*state, again, "text");
    assert_has(text, "\nrole producer\n\nprologue, ");
    assert_has(text, "\nrole consumer\n\nprologue, 2 entries\n");
    swp_schedule_free(again);
    swp_schedule_free(schedule);
}

static void a_schedule_read_back_has_no_block_headers(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    swp_schedule *again = read_text(*state, emitted(*state, schedule, "json"));
    const char *text = emitted(*state, again, "text");
    assert_null(strstr(text, "block "));
    assert_has(text, "\nkernel, 70 entries\n   0  MMA_LOAD_B ");
    assert_has(text, "makespan   420 cycles, lower bound 420: proven optimal\n");
    assert_string_equal(emitted(*state, again, "dot"), emitted(*state, schedule, "dot"));
    swp_schedule_free(again);
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(the_built_ins_survive_a_round_trip),
        cmocka_unit_test(what_is_read_outlives_its_context),
        TEST_IN_CONTEXT(every_member_is_read),
        TEST_IN_CONTEXT(entries_take_their_costs_from_the_body),
        TEST_IN_CONTEXT(the_rest_may_be_missing),
        TEST_IN_CONTEXT(a_later_setting_is_read),
        TEST_IN_CONTEXT(the_barrier_before_the_loop_may_be_dropped),
        TEST_IN_CONTEXT(a_config_may_be_partial),
        TEST_IN_CONTEXT(one_role_stands_for_the_phases),
        TEST_IN_CONTEXT(several_roles_survive_a_round_trip),
        TEST_IN_CONTEXT(a_schedule_read_back_has_no_block_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
