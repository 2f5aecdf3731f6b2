/* SPDX-License-Identifier: Apache-2.0 */
/* The header as a text; tests/header/ compiles and runs it. */
#include "../schedules.h"

#include "fixture.h"

static swp_status emit(swp_context *ctx, const swp_schedule *schedule,
                       const swp_c_header_options *options, char **text)
{
    size_t length = 0;
    *text = NULL;
    const swp_status status = swp_emit_c_header(ctx, schedule, options, text, &length);
    if (status == SWP_OK)
        assert_int_equal(length, strlen(*text));
    return status;
}

static void the_format_is_the_header_without_options(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_c_header_options options = {0};
    char *plain = NULL;
    char *same = NULL;
    assert_int_equal(emit(*state, schedule, NULL, &plain), SWP_OK);
    assert_int_equal(emit(*state, schedule, &options, &same), SWP_OK);
    assert_string_equal(plain, same);
    assert_string_equal(emitted(*state, schedule, "c"), plain);
    swp_schedule_free(schedule);
}

static void an_entry_is_a_call(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const char *text = emitted(*state, schedule, "c");
    size_t calls = 0;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        calls += swp_schedule_phase(schedule, phase)->count;
    /* The prologue has one barrier more; X_RUN has two, and six calls of its own; X_PROLOGUE has two. */
    assert_int_equal(
        occurrences(text, "; \\\n        SWP_") + occurrences(text, "; \\\n        PING") +
            occurrences(text, "do { \\\n        SWP_") + occurrences(text, "do { \\\n        PING"),
        calls + 4);
    assert_has(text, "    PINGPONG_LOAD_A(ctx, 1, 1, SWP_TILE(kb, -1)); \\\n"
                     "        SWP_WAIT_LGKM(8); \\\n");
    assert_int_equal(occurrences(text, "SWP_WAIT_VM(12);"), 2);
    swp_schedule_free(schedule);
}

static void an_unsafe_schedule_is_refused(void **state)
{
    swp_schedule *schedule = fourwave(*state);
    const swp_c_header_options refused = {.input = "my.yaml --set a=b"};
    const swp_c_header_options allowed = {.allow_unsafe = true};
    char *text = NULL;
    assert_int_equal(emit(*state, schedule, &refused, &text), SWP_INFEASIBLE);
    assert_null(text);
    assert_diag(*state, "E0703", "8 hazards");
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(*state, &count);
    assert_non_null(strstr(diags[count - 1].hint, "swp verify my.yaml --set a=b"));
    assert_int_equal(emit(*state, schedule, &allowed, &text), SWP_OK);
    assert_has(text, "NOT SAFE");
    assert_int_equal(occurrences(text, " *     overwritten at kernel entry "), 2);
    assert_int_equal(occurrences(text, " *     stale_read at epilogue entry "), 6);
    swp_schedule_free(schedule);
}

static void accepted_hazards_are_listed(void **state)
{
    swp_schedule *schedule = fourwave(*state);
    swp_verdict verdict;
    swp_acceptance accepted[8];
    char *text = NULL;
    assert_int_equal(swp_verify(*state, schedule, NULL, 0, &verdict), SWP_OK);
    assert_int_equal(verdict.hazards.count, 8);
    for (size_t i = 0; i < 8; i++)
        accepted[i] = (swp_acceptance){.kind = verdict.hazards.items[i].kind,
                                       .at = verdict.hazards.items[i].at};
    swp_c_header_options options = {.accepted = accepted, .accepted_count = 7};
    assert_int_equal(emit(*state, schedule, &options, &text), SWP_INFEASIBLE);
    options.accepted_count = 8;
    assert_int_equal(emit(*state, schedule, &options, &text), SWP_OK);
    assert_int_equal(occurrences(text, ", accepted: "), 8);
    swp_schedule_free(schedule);
}

static void what_cannot_be_judged_is_said(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_c_header_options allowed = {.allow_unsafe = true};
    char *text = NULL;
    schedule->streams[0].epilogue.items[7].op.role = SWP_VALU_COMPUTE;
    assert_int_equal(emit(*state, schedule, NULL, &text), SWP_INFEASIBLE);
    assert_diag(*state, "E0701", "valu_compute");
    swp_context_clear_diags(*state);
    assert_int_equal(emit(*state, schedule, &allowed, &text), SWP_OK);
    assert_no_diag(*state, "E0701");
    assert_diag(*state, "W0703", "valu_compute");
    assert_has(text, "NOT PROVEN SAFE");
    swp_schedule_free(schedule);
}

static void an_unknown_target_has_no_instructions(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    const char *known = emitted(*state, schedule, "c");
    schedule->target = "";
    const char *unknown = emitted(*state, schedule, "c");
    assert_has(known, "__builtin_amdgcn_s_waitcnt");
    assert_int_equal(occurrences(unknown, "amdgcn"), 0);
    assert_has(unknown, "#error \"define SWP_WAIT_VM, SWP_WAIT_LGKM and SWP_BARRIER before");
    assert_has(unknown, "#ifdef SWP_BARRIER_IS_RAW\n#error");
    schedule->target = "sm_80";
    schedule->machine.vm_max = SWP_MOST_ACCESSES;
    const char *cuda = emitted(*state, schedule, "c");
    assert_has(cuda, "cp.async.wait_group %0;");
    assert_has(cuda, "#ifndef SWP_BARRIER\n#define SWP_BARRIER_IS_ALIGNED\n#endif");
    swp_schedule_free(schedule);
}

/* The schedule on a machine whose counters have no largest value. */
static swp_schedule *on_sm_80(swp_schedule *schedule)
{
    schedule->target = "sm_80";
    schedule->machine.vm_max = schedule->machine.lgkm_max = SWP_MOST_ACCESSES;
    return schedule;
}

/* CUDA threads may not meet at different calls of __syncthreads(), and groups a lag apart would. */
static void lagged_groups_meet_at_an_unaligned_barrier(void **state)
{
    swp_schedule *one = on_sm_80(single_buffer(*state)), *two = on_sm_80(pingpong(*state));
    assert_has(emitted(*state, one, "c"), "#define SWP_BARRIER() __syncthreads()");
    const char *text = emitted(*state, two, "c");
    assert_int_equal(occurrences(text, "__syncthreads"), 0);
    assert_has(text, "barrier.sync 1;");
    swp_schedule_free(one);
    swp_schedule_free(two);
}

/* A group is what a load to LDS commits, not one to registers. */
static void only_loads_to_lds_commit_groups(void **state)
{
    swp_schedule *registers = on_sm_80(single_buffer(*state)), *lds = on_sm_80(pingpong(*state));
    assert_int_equal(occurrences(emitted(*state, registers, "c"), "commits"), 0);
    assert_has(emitted(*state, lds, "c"), "exactly one cp.async group");
    swp_schedule_free(registers);
    swp_schedule_free(lds);
}

static void figures_are_those_of_the_shape(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    assert_int_equal(occurrences(emitted(*state, schedule, "c"), "BLOCK_M"), 0);
    schedule->geometry = swp_tile_shape_default();
    schedule->layout = swp_wave_layout_ping_pong();
    const char *text = emitted(*state, schedule, "c");
    assert_has(text, "#define PINGPONG_BLOCK_M 256\n");
    assert_has(text, "#define PINGPONG_WARPS_N 4\n");
    assert_has(text, "#define PINGPONG_LDS_BYTES 131072\n"); /* 2 x (256 + 256) x 64 x 2 */
    assert_has(text, "#define PINGPONG_WAVES 8\n");
    assert_has(text, "#define PINGPONG_LOAD_A_VM_COST 4\n");
    assert_has(text, "#define PINGPONG_MMA_LOAD_B_LGKM_COST 8\n");
    swp_schedule_free(schedule);
}

/* A load through a register commits no group, and on sm_80 an LDS operation is not counted. */
static void each_machine_has_its_terms(void **state)
{
    swp_schedule *single = single_buffer(*state);
    swp_schedule *two = pingpong(*state);
    assert_int_equal(occurrences(emitted(*state, two, "c"), "cp.async group"), 0);
    two->target = single->target = "sm_80";
    two->machine.vm_max = single->machine.vm_max = SWP_MOST_ACCESSES;
    const char *text = emitted(*state, two, "c");
    assert_has(text, " * Each load commits exactly one cp.async group");
    assert_int_equal(occurrences(text, "LGKM_COST"), 0);
    assert_has(text, "PINGPONG_MMA_LOAD_A  fragment load       0       0 ");
    assert_has(text, " * SWP_BARRIER() waits for all waves, and for no access.");
    text = emitted(*state, single, "c");
    assert_int_equal(occurrences(text, "Each load commits"), 0);
    assert_has(text, " * SWP_BARRIER() first waits for the wave's own LDS operations");
    swp_schedule_free(single);
    swp_schedule_free(two);
}

/* Counts that differ between the entries of an op, or that nobody stated, are no constant. */
static void costs_are_stated_where_they_are_known(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    const swp_c_header_options allowed = {.allow_unsafe = true};
    char *text = NULL;
    for (size_t i = 0; i < schedule->streams[0].kernel.count; i++) {
        swp_op *op = &schedule->streams[0].kernel.items[i].op;
        if (op->role == SWP_GLOBAL_LOAD && op->channel == 0)
            op->vm_cost = 2;
        if (op->role == SWP_FRAGMENT_LOAD && op->channel == 1)
            op->lgkm_cost = 0;
    }
    assert_int_equal(emit(*state, schedule, &allowed, &text), SWP_OK);
    assert_int_equal(occurrences(text, "PINGPONG_LOAD_A_VM_COST"), 0);
    assert_int_equal(occurrences(text, "PINGPONG_MMA_LOAD_B_LGKM_COST"), 0);
    assert_has(text, "PINGPONG_LOAD_A      load             2..4 ");
    assert_has(text, "      1+ ");
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(the_format_is_the_header_without_options),
        TEST_IN_CONTEXT(an_entry_is_a_call),
        TEST_IN_CONTEXT(an_unsafe_schedule_is_refused),
        TEST_IN_CONTEXT(accepted_hazards_are_listed),
        TEST_IN_CONTEXT(what_cannot_be_judged_is_said),
        TEST_IN_CONTEXT(an_unknown_target_has_no_instructions),
        TEST_IN_CONTEXT(lagged_groups_meet_at_an_unaligned_barrier),
        TEST_IN_CONTEXT(only_loads_to_lds_commit_groups),
        TEST_IN_CONTEXT(figures_are_those_of_the_shape),
        TEST_IN_CONTEXT(each_machine_has_its_terms),
        TEST_IN_CONTEXT(costs_are_stated_where_they_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
