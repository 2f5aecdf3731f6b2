/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An object that no machine has, of groups that retire out of order and whose wait orders no memory: one row of the table
 * of objects, two of its operations and one of a form. Proof, cycle model and C writer know it by these alone.
 */
#include "fixture.h"
#include "roles_program.h"

#include "ir/sync_objects.h"
#include "swp/emit.h"
#include "swp/simulate.h"
#include "swp/verify.h"

#include <string.h>

/* --- The rows --- */

/* The completion and the tags are names that nothing else has with warp roles. */
enum { MADE_UP = SWP_SYNC_ROWS, COMPLETION = SWP_COMPLETION_MATRIX_MBARRIER };
enum { COMMIT = SWP_LAST_ROLE_TAG + 1, WAIT };
enum { COMMIT_ROW = COMMIT - SWP_TAG_BARRIER, WAIT_ROW, ALL_OPERATIONS };

static swp_sync_object_row objects[SWP_SYNC_ROWS + 1];
static swp_sync_operation operations[ALL_OPERATIONS];
static swp_entry_form entries[ALL_OPERATIONS];
static swp_op_form ops[SWP_OP_FORMS + 1];

const swp_sync_table swp_ir_sync_table = {objects, SWP_SYNC_ROWS + 1, operations, ALL_OPERATIONS};
const swp_form_table swp_ir_form_table = {entries, ALL_OPERATIONS, ops, SWP_OP_FORMS + 1};

static int add_rows(void **state)
{
    (void)state;
    memcpy(objects, swp_ir_sync_objects, sizeof swp_ir_sync_objects);
    memcpy(operations, swp_ir_sync_operations, sizeof swp_ir_sync_operations);
    memcpy(entries, swp_ir_entry_forms, sizeof swp_ir_entry_forms);
    memcpy(ops, swp_ir_op_forms, sizeof swp_ir_op_forms);
    objects[MADE_UP] = (swp_sync_object_row){.name = "made-up group",
                                             .word = "made-up op",
                                             .completes = SWP_COMPLETES_BY_GROUP,
                                             .tracks = (swp_completion)COMPLETION,
                                             .any_order = true,
                                             .orders = false};
    operations[COMMIT_ROW] = (swp_sync_operation){.object = (swp_sync_object)MADE_UP,
                                                  .commits = true,
                                                  .macro = "MADE_UP_COMMIT",
                                                  .ptx = "made.up.commit"};
    operations[WAIT_ROW] = (swp_sync_operation){.object = (swp_sync_object)MADE_UP,
                                                .waits = true,
                                                .macro = "MADE_UP_WAIT",
                                                .ptx = "made.up.wait"};
    entries[COMMIT_ROW] = (swp_entry_form){.is_of_roles = true, .object = SWP_NAMES_NO_OBJECT};
    entries[WAIT_ROW] =
        (swp_entry_form){.is_of_roles = true, .object = SWP_NAMES_NO_OBJECT, .groups = true};
    ops[SWP_OP_FORMS] = (swp_op_form){.completion = (swp_completion)COMPLETION,
                                      .object = SWP_NAMES_NO_OBJECT,
                                      .by = SWP_ALL_THREADS,
                                      .reads_shared = true};
    return 0;
}

/* --- Schedules --- */

/* Words have the names of matrix_commit and matrix_wait, of which the schedule has none. */
static void use_made_up(swp_entry_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        int *tag = &list->items[i].op.tag;
        *tag = *tag == SWP_TAG_MATRIX_COMMIT ? COMMIT : *tag == SWP_TAG_MATRIX_WAIT ? WAIT : *tag;
    }
}

/* LOAD copies T into a ring of two slots, and SLOW and FAST, which the made-up object tracks, read it. */
static void begin_loop(roles_program *p, swp_context *ctx, int least)
{
    swp_loop_builder *l = swp_loop_new(ctx, "made_up");
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = 2);
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {tile});
    swp_work(l, "SLOW", .latency = 900, .completion = (swp_completion)COMPLETION,
             .reads = {{.value = tile}}, .writes_global = true);
    swp_work(l, "FAST", .latency = 9, .completion = (swp_completion)COMPLETION,
             .reads = {{.value = tile}}, .writes_global = true);
    roles_program_begin(p, ctx, l, 1, least);
    (void)roles_program_mbarrier(p, "full", 2, 1);
    (void)roles_program_mbarrier(p, "empty", 2, 128);
}

static void begin(roles_program *p, swp_context *ctx, const char *kernel, const char *epilogue)
{
    begin_loop(p, ctx, 0);
    roles_program_add(p, .name = "producer",
                      .kernel = "wait_phase@empty-2! arrive_expect@full+0=64! LOAD@full+0=64!");
    roles_program_add(p, .name = "consumer", .warps = 4, .kernel = kernel, .epilogue = epilogue);
    use_made_up(&p->schedule.streams[1].kernel);
    use_made_up(&p->schedule.streams[1].epilogue);
}

/* Each pass begins an iteration, and gives the slot of the one before back behind a wait that leaves so many groups. */
static void begin_ahead(roles_program *p, swp_context *ctx, const char *kernel)
{
    begin_loop(p, ctx, 1);
    roles_program_add(p, .name = "producer",
                      .prologue = "wait_phase@empty-2! arrive_expect@full+0=64! LOAD@full+0=64!",
                      .kernel = "wait_phase@empty-1! arrive_expect@full+1=64! LOAD@full+1=64!");
    roles_program_add(p, .name = "consumer", .warps = 4,
                      .prologue = "wait_phase@full+0 SLOW+0 FAST+0 matrix_commit", .kernel = kernel,
                      .epilogue = "matrix_wait:0 arrive@empty+0");
    use_made_up(&p->schedule.streams[1].prologue);
    use_made_up(&p->schedule.streams[1].kernel);
    use_made_up(&p->schedule.streams[1].epilogue);
}

static const char all_retired[] =
    "wait_phase@full+0 SLOW+0 matrix_commit FAST+0 matrix_commit matrix_wait:0 arrive@empty+0";
/* SLOW is the older one. */
static const char one_left[] =
    "wait_phase@full+0 SLOW+0 matrix_commit FAST+0 matrix_commit matrix_wait:1 arrive@empty+0";

static swp_verdict verdict_of(roles_program *p)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    return verdict;
}

static bool tells(const swp_verdict *verdict, swp_hazard_kind kind)
{
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (verdict->hazards.items[i].kind == kind)
            return true;
    return false;
}

/* --- Tests --- */

static void a_wait_for_it_orders_no_memory(void **state)
{
    roles_program p;
    begin(&p, *state, all_retired, "");
    swp_verdict verdict = verdict_of(&p);
    for (size_t i = 0; i < verdict.hazards.count; i++)
        assert_true(tells(&verdict, SWP_OVERWRITTEN));
    assert_false(tells(&verdict, SWP_LOST_PEER));
    objects[MADE_UP].orders = true;
    assert_true(verdict_of(&p).safe);
}

static void what_nobody_waits_for_is_lost(void **state)
{
    roles_program p;
    begin(&p, *state, "wait_phase@full+0 SLOW+0 matrix_commit FAST+0 matrix_commit arrive@empty+0",
          "");
    const swp_verdict verdict = verdict_of(&p);
    assert_true(tells(&verdict, SWP_LOST_PEER));
}

static void a_wait_that_leaves_some_tells_of_none(void **state)
{
    roles_program p;
    begin_ahead(&p, *state,
                "wait_phase@full+1 SLOW+1 FAST+1 matrix_commit matrix_wait:1 arrive@empty+0");
    objects[MADE_UP].orders = true;
    const swp_verdict verdict = verdict_of(&p);
    assert_true(tells(&verdict, SWP_OVERWRITTEN));
    objects[MADE_UP].any_order = false;
    assert_true(verdict_of(&p).safe);
}

static int64_t cycles_of(roles_program *p)
{
    swp_simulation simulation = {0};
    assert_ok(p->ctx, swp_simulate(p->ctx, &p->schedule, NULL, &simulation));
    return simulation.cycles / simulation.passes;
}

/* A wait that leaves one in flight returns when FAST is done, though SLOW is older. */
static void what_is_done_first_retires_first(void **state)
{
    roles_program p;
    begin(&p, *state, one_left, "matrix_wait:0");
    const int64_t any_order = cycles_of(&p);
    objects[MADE_UP].any_order = false;
    const int64_t in_order = cycles_of(&p);
    assert_true(any_order < in_order);
    begin(&p, *state, all_retired, "");
    assert_true(cycles_of(&p) >= in_order);
}

static void the_header_has_its_instructions(void **state)
{
    const swp_c_header_options options = {.allow_unsafe = true};
    static const char *const parts[] = {
        "SWP_MADE_UP_COMMIT();", "SWP_MADE_UP_WAIT(1);",
        "#define SWP_MADE_UP_COMMIT() \\\n    asm volatile(\"made.up.commit;\" ::: \"memory\")",
        ("#define SWP_MADE_UP_WAIT(n) \\\n    asm volatile(\"made.up.wait %0;\" ::\"n\"(n) : "
         "\"memory\")"),
        "made-up op"};
    roles_program p;
    char *text = NULL;
    size_t length = 0;
    begin(&p, *state, one_left, "matrix_wait:0");
    assert_ok(*state, swp_emit_c_header(*state, &p.schedule, &options, &text, &length));
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (!strstr(text, parts[i]))
            fail_msg("no `%s` in the header", parts[i]);
}

/* Without its rows it has no meaning. */
static void the_checks_know_its_form(void **state)
{
    roles_program p;
    swp_verdict verdict = {0};
    begin(&p, *state, all_retired, "");
    entries[WAIT_ROW].is_of_roles = false;
    assert_status(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict), SWP_INVALID);
    assert_diag(*state, "E0705", NULL);
}

#define MADE_UP_TEST(function)                                                                     \
    {                                                                                              \
#function, function, open_with_rows, close_context, NULL                                   \
    }

static int open_with_rows(void **state)
{
    return add_rows(state) || open_context(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MADE_UP_TEST(a_wait_for_it_orders_no_memory),
        MADE_UP_TEST(what_nobody_waits_for_is_lost),
        MADE_UP_TEST(a_wait_that_leaves_some_tells_of_none),
        MADE_UP_TEST(what_is_done_first_retires_first),
        MADE_UP_TEST(the_header_has_its_instructions),
        MADE_UP_TEST(the_checks_know_its_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
