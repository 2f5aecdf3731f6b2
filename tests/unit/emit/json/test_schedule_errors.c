/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that is refused, with what is said of it. */
#include "../small_json.h"

static const swp_diag *refused(swp_context *ctx, const char *text, size_t *count)
{
    swp_schedule *schedule = NULL;
    swp_context_clear_diags(ctx);
    assert_int_equal(swp_schedule_read_json(ctx, text, strlen(text), "s.json", &schedule),
                     SWP_INVALID);
    assert_null(schedule);
    const swp_diag *diags = swp_context_diags(ctx, count);
    assert_true(*count > 0);
    for (size_t i = 0; i < *count; i++)
        assert_string_equal(diags[i].place.file, "s.json");
    return diags;
}

typedef struct edit {
    const char *from;
    const char *to;
    const char *message;
    const char *hint; /* NULL: any */
} edit;

static void each_is_refused(swp_context *ctx, const edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = edited_json(edits[i].from, edits[i].to);
        size_t found = 0;
        const swp_diag *diag = refused(ctx, text, &found);
        free(text);
        assert_string_equal(diag->code, "E0111");
        assert_string_equal(diag->message, edits[i].message);
        if (edits[i].hint)
            assert_string_equal(diag->hint, edits[i].hint);
        assert_true(*diag->hint);
        assert_true(diag->place.line > 0 && diag->place.column > 0);
        assert_int_equal(found, 1);
    }
}
#define EACH_IS_REFUSED(ctx, edits) each_is_refused(ctx, edits, sizeof(edits) / sizeof(edits)[0])

static void members_that_are_missing(void **state)
{
    static const edit edits[] = {
        {"'swp': 1,", "", "swp: is missing", NULL},
        {"'lag': 0, ", "", "machine.lag: is missing", NULL},
        {"'multiple': 2,", "", "loop.multiple: is missing", NULL},
        {" 'prologue': [],\n", "", "prologue: is missing", NULL},
        {" 'epilogue': [],\n", "", "epilogue: is missing", NULL},
        {"'stage': 0, ", "", "kernel[1].stage: is missing", NULL},
        {"'resource': 'global_mem', ", "", "body[0].resource: is missing", NULL},
        {"'kind': 'flow', ", "", "edges[0].kind: is missing", NULL},
        {"'order': [0]",
         "'metrics': {'makespan': 1, 'lower_bound': 1, 'vgpr_peak': 1, 'seed': true,"
         " 'work': 0, 'wait_lgkm_first': null, 'wait_vm_last': null}",
         "metrics.optimal: is missing", NULL},
    };
    EACH_IS_REFUSED(*state, edits);
}

static void members_that_are_unknown(void **state)
{
    static const edit edits[] = {
        {"'swp': 1", "'swp': 1, 'kernels': []", "kernels: is no key of this format",
         "did you mean `kernel`?"},
        {"'swp': 1", "'swp': 1, 'zebra': []", "zebra: is no key of this format", NULL},
        {"'wait': 6", "'wait': 6, 'phase': 7", "kernel[1].phase: is no key of this format", NULL},
        {"'vgpr_kill': 1", "'vgpr_kill': 1, 'latncy': 7",
         "body[0].latncy: is no key of this format", "did you mean `latency`?"},
        {"'lag': 0", "'lag': 0, 'lagg': 1", "machine.lagg: is no key of this format",
         "did you mean `lag`?"},
        {"'swp': 1", "'swp': 1, 'config': {'dept': 2}", "config.dept: is no key of this format",
         "did you mean `depth`?"},
        {"'distance': 1", "'distance': 1, 'weight': 7", "edges[0].weight: is no key of this format",
         NULL},
    };
    EACH_IS_REFUSED(*state, edits);
}

static void values_of_the_wrong_type(void **state)
{
    static const edit edits[] = {
        {"'swp': 1", "'swp': '1'", "swp: must be an integer, but is a string", NULL},
        {"'swp': 1", "'swp': 1, 'name': 7", "name: must be a string, but is an integer", NULL},
        {"'swp': 1", "'swp': 1, 'config': []", "config: must be an object, but is an array", NULL},
        {"'swp': 1", "'swp': 1, 'schedule': {'auto_waits': 1}",
         "schedule.auto_waits: must be true or false, but is an integer", NULL},
        {"'swp': 1", "'swp': 1, 'schedule': {'drain_lgkm_mask': 1}",
         "schedule.drain_lgkm_mask: must be a string, but is an integer", NULL},
        {"'prologue': []", "'prologue': {}", "prologue: must be an array, but is an object", NULL},
        {"'prologue': []", "'prologue': [null]", "prologue[0]: must be an object, but is null",
         NULL},
        {"'wait': 6", "'wait': 6.5",
         "kernel[1].wait: must be an integer, but is a number with a fraction", NULL},
        {"'wait': 6", "'wait': true", "kernel[1].wait: must be an integer, but is true or false",
         NULL},
        {"'prefetch': false", "'prefetch': 0",
         "kernel[1].prefetch: must be true or false, but is an integer", NULL},
        {"'role': 'sync'", "'role': 4", "kernel[1].role: must be a string, but is an integer",
         NULL},
        {"'lag': 0", "'lag': 0, 'fence_reads': 1",
         "machine.fence_reads: must be true or false, but is an integer", NULL},
        {"'name': 'wait_vm'", "'name': null", "kernel[1].name: must be a string, but is null",
         NULL},
        {"'order': [0]", "'order': ['0']", "order[0]: must be an integer, but is a string", NULL},
        {"'order': [0]", "'warp_stagger_index': null",
         "warp_stagger_index: must be an integer, but is null", NULL},
    };
    EACH_IS_REFUSED(*state, edits);
}

static void numbers_out_of_range(void **state)
{
    static const edit edits[] = {
        {"'swp': 1", "'swp': 2", "swp: is 2, but this swp reads version 1 of the format", NULL},
        {"'lag': 0", "'lag': 2", "machine.lag: is 2, but must be 0 to 1", NULL},
        {"'multiple': 2", "'multiple': 0", "loop.multiple: is 0, but must be 1 to 1024", NULL},
        {"'wait': 6", "'wait': -1", "kernel[1].wait: is -1, but must be 0 to 2147483647", NULL},
        {"'wait': 6", "'wait': 9223372036854775807",
         "kernel[1].wait: is 9223372036854775807, but must be 0 to 2147483647", NULL},
        {"'tag': 129", "'tag': 134", "kernel[1].tag: is 134, but must be 0 to 133", NULL},
        {"'channel': -1", "'channel': 2", "kernel[1].channel: is 2, but must be -1 to 1", NULL},
        {"'distance': 1", "'distance': -1", "edges[0].distance: is -1, but must be 0 to 2147483647",
         NULL},
        {"'order': [0]", "'warp_stagger_index': -4",
         "warp_stagger_index: is -4, but must be 0 to 2147483647", NULL},
        {"'swp': 1", "'swp': 1, 'config': {'m_mmas': 65}",
         "config.m_mmas: is 65, but must be 1 to 64", NULL},
    };
    EACH_IS_REFUSED(*state, edits);
}

static void words_that_are_unknown(void **state)
{
    static const edit edits[] = {
        {"'role': 'sync'", "'role': 'synk'", "kernel[1].role: `synk` is no value of `role`",
         "did you mean `sync`?"},
        {"'resource': 'global_mem'", "'resource': 'hbm'",
         "body[0].resource: `hbm` is no value of `resource`",
         "it is one of global_mem, lds, mma_unit, scalar, valu, none"},
        {"'k_offset': 'none'", "'k_offset': 'k_nxt'",
         "kernel[1].k_offset: `k_nxt` is no value of `k_offset`", "did you mean `k_next`?"},
        {"'kind': 'anti'", "'kind': 'aunti'", "kernel_deps[0].kind: `aunti` is no value of `kind`",
         "did you mean `anti`?"},
        {"'placement': 'k_offset'", "'placement': 'here'",
         "loop.placement: `here` is no value of `placement`", "it is one of k_offset, next_tile"},
        {"'barrier': 'raw'", "'barrier': 'cooked'",
         "machine.barrier: is `cooked`, but must be raw|fenced",
         "whether a barrier first waits for the wave's own LDS operations"},
        {"'swp': 1", "'swp': 1, 'config': {'warp_stagger': 'fixed(-1)'}",
         "config.warp_stagger: is `fixed(-1)`, but must be none|auto|fixed(N)",
         "prologue entries before group 1 falls behind"},
        {"'swp': 1", "'swp': 1, 'schedule': {'drain_lgkm_mask': '0x10000000000000000'}",
         "schedule.drain_lgkm_mask: is `0x10000000000000000`, but must be 64 bits: decimal, 0x or "
         "0b",
         "bit i: wait_lgkm(0) between fragments and loads of block i"},
    };
    EACH_IS_REFUSED(*state, edits);
}

static void names_that_do_not_fit_their_tags(void **state)
{
    static const edit edits[] = {
        {"'name': 'wait_vm'", "'name': 'barrier'",
         "kernel[1]: the op of tag 129 is `wait_vm`, not `barrier`", NULL},
        {"'name': 'wait_vm'", "'name': 'LOAD'",
         "kernel[1]: the op of tag 129 is `wait_vm`, not `LOAD`", NULL},
        {"'tag': 129", "'tag': 4",
         "kernel[1]: `wait_vm` is the framework's name, and tag 4 is a kernel's", NULL},
        {"'kernel': [\n  {'tag': 3, 'name': 'LOAD'", "'kernel': [\n  {'tag': 3, 'name': 'LOUD'",
         "kernel[0].name: tag 3 is `LOUD` here, but `LOAD` before", NULL},
        {"'role': 'sync'", "'role': 'compute'", "kernel[1]: a wait_vm has `role` sync, not compute",
         NULL},
        {"'wait': 0, 'role': 'global_load'", "'wait': 0, 'role': 'fence'",
         "kernel[0]: `role` fence is the framework's, and tag 3 (`LOAD`) is a kernel's",
         "the framework's tags begin at 128"},
        {"'wait': 0, 'role': 'global_load'", "'wait': 0, 'role': 'valu_compute'",
         "kernel[0]: `LOAD` has `role` valu_compute here, but global_load before", NULL},
        {"'kernel': [\n  {'tag': 3", "'kernel': [\n  {'tag': 4",
         "kernel[0]: `LOAD` is tag 4 here, but tag 3 before", NULL},
    };
    EACH_IS_REFUSED(*state, edits);
}

static void values_that_mean_nothing_where_they_stand(void **state)
{
    static const edit edits[] = {
        {"'lag': 0", "'lag': 1",
         "machine.lag: is 1, but machine.groups is 1: of two groups, only group 1 can lag",
         "set machine.groups to 2, or machine.lag to 0"},
        {"'multiple': 2", "'multiple': 4",
         "loop.multiple: is 4, but tiles_per_pass is 2: they must be the same",
         "N is min_tiles and whole passes"},
        {"'min_tiles': 2", "'min_tiles': 3",
         "loop.min_tiles: is 3, but must be a multiple of 2 (loop.multiple)",
         "N is min_tiles and whole passes"},
        {"'wait': 0", "'wait': 2",
         "kernel[0].wait: is 2, but must be 0: it means nothing to a global_load", NULL},
        {"'wait': 6, 'role': 'sync', 'prefetch': false",
         "'wait': 6, 'role': 'sync', 'prefetch': true",
         "kernel[1].prefetch: is true, but only loads are prefetches", NULL},
        {"'channel': 0,\n   'wait'", "'channel': -1,\n   'wait'",
         "kernel[0].channel: is -1, but a global_load is of A or B", "channel 0 is A, 1 is B"},
        {"'channel': -1, 'wait': 6", "'channel': 1, 'wait': 6",
         "kernel[1].channel: is 1, but must be -1: it means nothing to a wait_vm", NULL},
    };
    EACH_IS_REFUSED(*state, edits);
}

static void files_of_another_sort(void **state)
{
    size_t count = 0;
    assert_string_equal(
        refused(*state, "{\"swp_counterexample\": 1, \"kernel\": []}", &count)->message,
        "this is a counterexample, not a schedule");
    assert_int_equal(count, 1);
    assert_string_equal(refused(*state, "{\"swp\": 1, \"safe\": true}", &count)->message,
                        "this is no schedule: it has neither `machine` nor `loop` nor any phase");
    assert_int_equal(count, 1);
    (void)refused(*state, "{\"swp\": 7, \"kernel\": 0}", &count);
    assert_int_equal(count, 1);
}

/* Reads the text, which must do with one warning. */
static swp_schedule *read_with_warning(swp_context *ctx, const char *text, const char *code,
                                       const char *message)
{
    swp_schedule *schedule = NULL;
    size_t count = 0;
    swp_context_clear_diags(ctx);
    assert_int_equal(swp_schedule_read_json(ctx, text, strlen(text), "x.json", &schedule), SWP_OK);
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_int_equal(count, 1);
    assert_string_equal(diags[0].code, code);
    assert_string_equal(diags[0].message, message);
    assert_string_equal(diags[0].place.file, "x.json");
    return schedule;
}

/* Whoever edits a phase need not keep in step what no judge of it reads. */
static void lists_that_do_not_fit_the_phases_are_left_out(void **state)
{
    static const struct {
        const char *from;
        const char *to;
        const char *message;
    } edits[] = {
        {"'producer': 0, 'consumer': 0", "'producer': 1, 'consumer': 0",
         "edges[0].producer is 1, but there are 1 ops in the body: `edges` is left out, as no "
         "judge of the phases reads it"},
        {"'producer': 1, 'consumer': 0", "'producer': 1, 'consumer': 2",
         "kernel_deps[0].consumer is 2, but there are 2 entries in the kernel phase: "
         "`kernel_deps` is left out, as no judge of the phases reads it"},
        {"'order': [0]", "'order': [1]",
         "order[0] is 1, but there are 1 ops in the body: `order` is left out, as no judge of the "
         "phases reads it"},
        {"'order': [0]", "'order': [0, 0]",
         "order has 2 positions, but there are 1 ops in the body: `order` is left out, as no "
         "judge of the phases reads it"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char *text = edited_json(edits[i].from, edits[i].to);
        swp_schedule *schedule = read_with_warning(*state, text, "W0111", edits[i].message);
        assert_int_equal(schedule->edges.count, i != 0);
        assert_int_equal(schedule->kernel_deps.count, i != 1);
        assert_int_equal(schedule->order.count, i < 2);
        assert_int_equal(schedule->streams[0].kernel.count, 2);
        swp_schedule_free(schedule);
        free(text);
    }
}

static void roles_that_are_none(void **state)
{
    static const edit edits[] = {
        {" 'prologue': [],\n", "'roles': [{'prologue': [], 'kernel': [], 'epilogue': []}],",
         "kernel: stands beside `roles`, which holds the phases", NULL},
    };
    char *text = edited_json(edits[0].from, edits[0].to);
    size_t count = 0;
    const swp_diag *diags = refused(*state, text, &count);
    assert_string_equal(diags[0].message, edits[0].message);
    free(text);
    diags = refused(*state, "{\"swp\": 1, \"roles\": []}", &count);
    assert_string_equal(diags[count - 1].message,
                        "roles: there are 0 roles, and a schedule has 1 to 16");
    diags = refused(*state, "{\"roles\": [{\"name\": \"producer\", \"waves\": 2}]}", &count);
    assert_string_equal(diags[3].message, "roles[0].waves: is no key of this format");
    assert_string_equal(diags[4].message, "roles[0].prologue: is missing");
}

static void roles_side_by_side_have_names_of_their_own(void **state)
{
    size_t count = 0;
    const swp_diag *diags = refused(
        *state, "{\"roles\": [{\"prologue\": [], \"kernel\": [], \"epilogue\": []}, 7]}", &count);
    assert_string_equal(diags[3].message,
                        "roles[0].name: is missing: a role beside others has one");
    assert_string_equal(diags[4].message, "roles[1]: must be an object, but is an integer");
    diags = refused(*state,
                    "{\"roles\": [{\"name\": \"a\", \"prologue\": [], \"kernel\": [],"
                    " \"epilogue\": []}, {\"name\": \"a\"}]}",
                    &count);
    assert_string_equal(diags[3].message, "roles[1].name: is the name of two roles");
}

static void text_that_is_no_json(void **state)
{
    static const struct {
        const char *text;
        const char *code;
        int line;
        int column;
    } cases[] = {
        {"", "E0110", 1, 1},
        {"{\"swp\": 1", "E0110", 1, 9},
        {"{\n \"swp\" 1}", "E0110", 2, 8},
        {"{\"swp\": 1} x", "E0110", 1, 12},
        {"{\"swp\": \"\xFF\"}", "E0110", 1, 9},
        {"{\"swp\": \"\\u0000\"}", "E0111", 1, 16},
        {"{\"swp\": 1,\n \"swp\": 1}", "E0111", 2, 6},
        {"{\"swp\": 99999999999999999999}", "E0111", 1, 28},
        {"{\"swp\": 1e999}", "E0111", 1, 13},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t count = 0;
        const swp_diag *diag = refused(*state, cases[i].text, &count);
        assert_int_equal(count, 1);
        assert_string_equal(diag->code, cases[i].code);
        assert_int_equal(diag->place.line, cases[i].line);
        assert_int_equal(diag->place.column, cases[i].column);
    }
    size_t count = 0;
    assert_string_equal(refused(*state, "[]", &count)->message,
                        "must be an object, but is an array");
}

static void all_errors_are_reported_up_to_a_limit(void **state)
{
    char text[4096] = "{\"swp\": 1, \"kernel\": [], \"order\": [";
    for (int i = 0; i < 30; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i ? ", " : "",
                       -1 - i);
    strcat(text, "]}");
    size_t count = 0;
    const swp_diag *diags = refused(*state, text, &count);
    assert_int_equal(count, 21);
    assert_string_equal(diags[0].message, "machine: is missing");
    assert_string_equal(diags[1].message, "loop: is missing");
    assert_string_equal(diags[2].message, "order[0]: is -1, but must be 0 to 2147483647");
    assert_string_equal(diags[20].message, "14 more errors are not shown");
}

static void what_is_wrong_in_the_same_way_is_said_once(void **state)
{
    static const char text[] =
        "{\"swp\": 1, \"machin\": {}, \"kernel\": [],\n \"order\": [null,\n null, null]}";
    size_t count = 0;
    const swp_diag *diags = refused(*state, text, &count);
    assert_string_equal(diags[0].message, "machin: is no key of this format");
    assert_int_equal(diags[0].place.column, 12);
    const swp_diag *last = &diags[count - 1];
    while (last > diags && strncmp(last->message, "order", strlen("order")) != 0)
        last--;
    assert_string_equal(last->message,
                        "order[0]: must be an integer, but is null; likewise 2 other places");
    assert_int_equal(last->place.line, 2);
    assert_int_equal(last->place.column, 12);
    for (size_t i = 0; i < count; i++)
        assert_string_not_equal(diags[i].message, "machine: is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(members_that_are_missing),
        TEST_IN_CONTEXT(members_that_are_unknown),
        TEST_IN_CONTEXT(values_of_the_wrong_type),
        TEST_IN_CONTEXT(numbers_out_of_range),
        TEST_IN_CONTEXT(words_that_are_unknown),
        TEST_IN_CONTEXT(names_that_do_not_fit_their_tags),
        TEST_IN_CONTEXT(values_that_mean_nothing_where_they_stand),
        TEST_IN_CONTEXT(files_of_another_sort),
        TEST_IN_CONTEXT(lists_that_do_not_fit_the_phases_are_left_out),
        TEST_IN_CONTEXT(roles_that_are_none),
        TEST_IN_CONTEXT(roles_side_by_side_have_names_of_their_own),
        TEST_IN_CONTEXT(text_that_is_no_json),
        TEST_IN_CONTEXT(all_errors_are_reported_up_to_a_limit),
        TEST_IN_CONTEXT(what_is_wrong_in_the_same_way_is_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
