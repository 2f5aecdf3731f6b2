/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each cell of the tables of objects, of their operations and of forms, with another value: somebody answers otherwise.
 * Who does is printed. A cell that nobody asks for would be words alone.
 */
#include "fixture.h"
#include "op_program.h"
#include "safe_roles.h"

#include "ir/sync_objects.h"
#include "swp/emit.h"
#include "swp/loop_compile.h"
#include "swp/simulate.h"
#include "swp/verify.h"

#include <stdio.h>
#include <string.h>

/* --- The tables, of which one cell at a time is another --- */

static swp_sync_object_row objects[SWP_SYNC_ROWS];
static swp_sync_operation operations[SWP_SYNC_OPERATIONS];
static swp_entry_form entries[SWP_ENTRY_FORMS];
static swp_op_form ops[SWP_OP_FORMS];

const swp_sync_table swp_ir_sync_table = {objects, SWP_SYNC_ROWS, operations, SWP_SYNC_OPERATIONS};
const swp_form_table swp_ir_form_table = {entries, SWP_ENTRY_FORMS, ops, SWP_OP_FORMS};

static void set_all_right(void)
{
    memcpy(objects, swp_ir_sync_objects, sizeof objects);
    memcpy(operations, swp_ir_sync_operations, sizeof operations);
    memcpy(entries, swp_ir_entry_forms, sizeof entries);
    memcpy(ops, swp_ir_op_forms, sizeof ops);
}

/* --- Programs --- */

/* --- Answers, of which only their hashes are compared (FNV-1a) --- */

typedef uint64_t answer;

static void put_bytes(answer *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        *out = (*out ^ (unsigned char)bytes[i]) * 1099511628211U;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(answer *out, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_bytes(out, text, strlen(text));
}

typedef void make_roles(roles_program *p, swp_context *ctx);

/* STAGE writes S by ordinary instructions, which MMA reads. */
static void safe_fenced(roles_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "fenced");
    const int staged = swp_value(l, "S", .space = SWP_SPACE_SHARED, .bytes = 64);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "STAGE", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {staged});
    swp_work(l, "MMA", .latency = 9, .completion = SWP_COMPLETION_MATRIX_GROUP,
             .reads = {{.value = staged}}, .updates = {sum});
    roles_program_begin(p, ctx, l, 1, 0);
    (void)roles_program_named(p, "group", 1, 128);
    roles_program_add(p, .name = "worker", .warps = 4,
                      .kernel = "named_sync@group STAGE+0 fence_async named_sync@group "
                                "matrix_fence MMA+0 matrix_commit matrix_wait:0");
}

/* STAGE and STORE take turns, by the barrier of the work group. */
static void safe_stored(roles_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "stored");
    const int staged = swp_value(l, "S", .space = SWP_SPACE_SHARED, .bytes = 64);
    swp_work(l, "STAGE", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {staged});
    swp_work(l, "STORE", .latency = 90, .read_cycles = 20, .completion = SWP_COMPLETION_STORE_GROUP,
             .reads = {{.value = staged}}, .writes_global = true);
    roles_program_begin(p, ctx, l, 1, 0);
    roles_program_add(p, .name = "writer", .warps = 4,
                      .kernel = "barrier STAGE+0 fence_async barrier STORE+0! bulk_commit! "
                                "bulk_wait:0!");
}

static make_roles *const roles[] = {
    safe_ring,    safe_ring_of_all,     safe_readers,          safe_staging, safe_turns,
    safe_cluster, safe_cluster_readers, safe_cluster_meetings, safe_fenced,  safe_stored};

/* LOAD and READ are accesses of an object, USE needs the register, and STORE is of another object. */
/* FIRST and LAST are accesses of one object, by one wave. */
static void begin_pair(op_program *p, swp_context *ctx, swp_completion completion)
{
    swp_loop_builder *l = swp_loop_new(ctx, "pair");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int value = swp_value(l, "value", .space = SWP_SPACE_REGISTERS);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "FIRST", .latency = 90, .completion = completion, .writes = {tile});
    swp_work(l, "LAST", .latency = 30, .completion = completion, .reads = {{.value = tile}},
             .writes = {value});
    swp_work(l, "USE", .latency = 4, .reads = {{.value = value}}, .updates = {sum});
    op_program_begin(p, ctx, l, 1, 0);
    p->schedule.machine.waves_per_group = 1;
}

static void begin_accesses(op_program *p, swp_context *ctx, swp_completion completion, bool of_lds)
{
    swp_loop_builder *l = swp_loop_new(ctx, "accesses");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int value = swp_value(l, "value", .space = SWP_SPACE_REGISTERS);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    if (of_lds) {
        swp_work(l, "FIRST", .latency = 30, .completion = SWP_COMPLETION_VMCNT, .writes = {tile});
        swp_work(l, "LAST", .latency = 90, .completion = completion, .reads = {{.value = tile}},
                 .writes = {value});
    } else {
        swp_work(l, "FIRST", .latency = 90, .completion = completion, .writes = {tile});
        swp_work(l, "LAST", .latency = 30, .completion = SWP_COMPLETION_LGKMCNT,
                 .reads = {{.value = tile}}, .writes = {value});
    }
    swp_work(l, "USE", .latency = 4, .reads = {{.value = value}}, .updates = {sum});
    op_program_begin(p, ctx, l, 1, 0);
    p->schedule.machine.barrier = SWP_BARRIER_FENCED;
}

static const struct {
    swp_completion completion;
    bool of_lds;
} accesses[] = {{SWP_COMPLETION_VMCNT, false},      {SWP_COMPLETION_LGKMCNT, true},
                {SWP_COMPLETION_COPY_GROUP, false}, {SWP_COMPLETION_MATRIX_GROUP, true},
                {SWP_COMPLETION_MBARRIER, false},   {SWP_COMPLETION_MATRIX_MBARRIER, true}};

static const swp_completion in_turn[] = {
    SWP_COMPLETION_VMCNT,        SWP_COMPLETION_LGKMCNT,       SWP_COMPLETION_COPY_GROUP,
    SWP_COMPLETION_MATRIX_GROUP, SWP_COMPLETION_COPY_MBARRIER, SWP_COMPLETION_MATRIX_MBARRIER};

static const char *const lists[] = {
    "FIRST+0 v0 | LAST+0 l0 USE+0 |",  "FIRST+0 v0 | LAST+0 USE+0 |",
    "FIRST+0 | LAST+0 l0 USE+0 |",     "FIRST+0 v1 | LAST+0 l1 USE+0 |",
    "FIRST+0 l0 | LAST+0 v0 USE+0 |",  "FIRST+0 LAST+0 l0 v0 USE+0 |",
    "FIRST+0 v0 l0 | LAST+0 | USE+0 |"};

/* --- Questions --- */

static void put_verdict(swp_context *ctx, const swp_schedule *schedule, answer *out)
{
    swp_verdict verdict = {0};
    const swp_status status = swp_verify(ctx, schedule, NULL, 0, &verdict);
    put(out, "%d", (int)status);
    for (size_t i = 0; i < verdict.hazards.count; i++) {
        const swp_hazard *h = &verdict.hazards.items[i];
        put(out, " %d:%d:%d:%d:%d", (int)h->kind, h->stream, (int)h->at.phase, h->at.entry,
            h->smallest_n);
    }
    put(out, "\n");
}

static void put_cycles(swp_context *ctx, const swp_schedule *schedule, answer *out)
{
    swp_simulation simulation = {0};
    swp_schedule timed = *schedule;
    timed.machine.wait_cycles = 5;
    timed.machine.arrive_cycles = 7;
    timed.machine.fence_cycles = 3;
    const swp_status status = swp_simulate(ctx, &timed, NULL, &simulation);
    put(out, "%d %lld/%d %lld %lld\n", (int)status, (long long)simulation.cycles, simulation.passes,
        (long long)simulation.prologue_cycles, (long long)simulation.epilogue_cycles);
}

static void put_header(swp_context *ctx, const swp_schedule *schedule, answer *out)
{
    const swp_c_header_options options = {.allow_unsafe = true};
    char *text = NULL;
    size_t length = 0;
    put(out, "%d\n", (int)swp_emit_c_header(ctx, schedule, &options, &text, &length));
    if (text)
        put_bytes(out, text, length);
}

typedef void put_answer(swp_context *ctx, const swp_schedule *schedule, answer *out);

static void of_roles(swp_context *ctx, put_answer *ask, answer *out)
{
    for (size_t i = 0; i < COUNT_OF(roles); i++) {
        roles_program p;
        roles[i](&p, ctx);
        ask(ctx, &p.schedule, out);
    }
}

/* The proof of each program, and of each without one entry of a kernel. */
static void proof_of_roles(swp_context *ctx, answer *out)
{
    of_roles(ctx, put_verdict, out);
    for (size_t i = 0; i < COUNT_OF(roles); i++)
        for (int role = 0; role < 2; role++)
            for (int entry = 0; entry < 10; entry++) {
                roles_program p;
                roles[i](&p, ctx);
                if (role >= (int)p.schedule.stream_count ||
                    entry >= (int)p.schedule.streams[role].kernel.count)
                    continue;
                roles_program_drop(&p, role, SWP_KERNEL, entry);
                put_verdict(ctx, &p.schedule, out);
            }
}

static void cycles_of_roles(swp_context *ctx, answer *out)
{
    of_roles(ctx, put_cycles, out);
}

/* Those of waits that leave more groups in flight than there are, too. */
static void headers_of_roles(swp_context *ctx, answer *out)
{
    of_roles(ctx, put_header, out);
    for (size_t i = 0; i < COUNT_OF(roles); i++) {
        roles_program p;
        roles[i](&p, ctx);
        for (size_t s = 0; s < p.schedule.stream_count; s++)
            for (size_t k = 0; k < p.schedule.streams[s].kernel.count; k++) {
                swp_op *op = &p.schedule.streams[s].kernel.items[k].op;
                op->wait_value = swp_ir_is_group_wait(op) ? 9 : 0;
            }
        put_header(ctx, &p.schedule, out);
    }
}

static void of_accesses(swp_context *ctx, put_answer *ask, answer *out)
{
    for (size_t i = 0; i < COUNT_OF(accesses); i++)
        for (size_t l = 0; l < COUNT_OF(lists); l++)
            for (int registers = 0; registers < 3; registers++) {
                op_program p;
                begin_accesses(&p, ctx, accesses[i].completion, accesses[i].of_lds);
                p.schedule.machine.registers = (swp_register_mode)registers;
                op_program_read(&p, SWP_KERNEL, lists[l]);
                ask(ctx, &p.schedule, out);
            }
}

static void proof_of_accesses(swp_context *ctx, answer *out)
{
    of_accesses(ctx, put_verdict, out);
}

/* The second access follows at once, which is right where accesses of the object take effect in order. */
static void order_of_accesses(swp_context *ctx, answer *out)
{
    for (size_t i = 0; i < COUNT_OF(in_turn); i++) {
        op_program p;
        begin_pair(&p, ctx, in_turn[i]);
        op_program_read(&p, SWP_KERNEL, "FIRST+0 LAST+0 v0 l0 USE+0");
        put_verdict(ctx, &p.schedule, out);
    }
}

static void cycles_of_accesses(swp_context *ctx, answer *out)
{
    of_accesses(ctx, put_cycles, out);
}

static void headers_of_accesses(swp_context *ctx, answer *out)
{
    of_accesses(ctx, put_header, out);
}

/* A copy, wgmmas and a store, each in a role. */
static void derivation(swp_context *ctx, answer *out)
{
    swp_loop_builder *l = swp_loop_new(ctx, "derived");
    const int tile = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64);
    const int sum = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    const int staged = swp_value(l, "S", .space = SWP_SPACE_SHARED, .bytes = 64);
    const int producer = swp_loop_add_role(l, (swp_loop_role){.name = "producer", .warps = 1});
    const int consumer = swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .warps = 4});
    swp_work(l, "LOAD", .latency = 9, .role = producer, .completion = SWP_COMPLETION_COPY_MBARRIER,
             .writes = {tile});
    swp_work(l, "MMA", .latency = 9, .role = consumer, .completion = SWP_COMPLETION_MATRIX_GROUP,
             .reads = {{.value = tile}}, .updates = {sum});
    swp_work(l, "STAGE", .latency = 9, .role = consumer, .completion = SWP_COMPLETION_NONE,
             .reads = {{.value = sum}}, .writes = {staged});
    swp_work(l, "STORE", .latency = 9, .role = consumer, .completion = SWP_COMPLETION_STORE_GROUP,
             .reads = {{.value = staged}}, .writes_global = true);
    const swp_loop_options options = {.machine = swp_machine_default()};
    swp_loop loop;
    swp_schedule *schedule = NULL;
    swp_status status = swp_loop_done(l, &loop);
    if (status == SWP_OK)
        status = swp_compile_loop(ctx, &loop, &options, &schedule);
    put(out, "%d\n", (int)status);
    for (size_t s = 0; schedule && s < schedule->stream_count; s++)
        for (size_t i = 0; i < schedule->streams[s].kernel.count; i++) {
            const swp_op *op = &schedule->streams[s].kernel.items[i].op;
            put(out, "%d %d %d %d\n", op->tag, op->iteration, op->wait_value, (int)op->by);
        }
    swp_schedule_free(schedule);
}

/* An op of each completion that reads a register, reads a shared value, or makes one. */
static void checks(swp_context *ctx, answer *out)
{
    static const struct {
        swp_completion completion;
        const char *kernel;
    } tracked[] = {{SWP_COMPLETION_COPY_MBARRIER, "MAKE+0 OP@full+0=64!"},
                   {SWP_COMPLETION_MATRIX_GROUP, "MAKE+0 OP+0"},
                   {SWP_COMPLETION_STORE_GROUP, "MAKE+0 OP+0!"}};
    enum { READS_REGISTER, READS_SHARED, MAKES_SHARED, WAYS };
    for (int i = 0; i < (int)COUNT_OF(tracked) * WAYS; i++) {
        const swp_completion completion = tracked[i / WAYS].completion;
        roles_program p;
        swp_loop_builder *l = swp_loop_new(ctx, "formed");
        const int kept = swp_value(l, "R", .space = SWP_SPACE_REGISTERS);
        const int shared = swp_value(l, "S", .space = SWP_SPACE_SHARED, .bytes = 64);
        const int made = swp_value(l, "T", .space = SWP_SPACE_SHARED, .bytes = 64);
        swp_work(l, "MAKE", .completion = SWP_COMPLETION_NONE, .writes = {kept, shared});
        if (i % WAYS == MAKES_SHARED)
            swp_work(l, "OP", .completion = completion, .writes = {made});
        else
            swp_work(l, "OP", .completion = completion, .writes_global = true,
                     .reads = {{.value = i % WAYS == READS_SHARED ? shared : kept}});
        roles_program_begin(&p, ctx, l, 1, 0);
        (void)roles_program_mbarrier(&p, "full", 1, 1);
        roles_program_add(&p, .name = "all", .warps = 4, .kernel = tracked[i / WAYS].kernel);
        put_verdict(ctx, &p.schedule, out);
    }
}

static const struct {
    const char *name;
    void (*put)(swp_context *ctx, answer *out);
} questions[] = {
    {"the headers of roles", headers_of_roles},
    {"the proof of roles", proof_of_roles},
    {"the cycles of roles", cycles_of_roles},
    {"the proof of accesses", proof_of_accesses},
    {"the cycles of accesses", cycles_of_accesses},
    {"the headers of accesses", headers_of_accesses},
    {"the derivation", derivation},
    {"the order of accesses", order_of_accesses},
    {"the checks", checks},
};
enum { QUESTIONS = COUNT_OF(questions) };

static answer right[QUESTIONS];

static answer answer_to(int question)
{
    void *ctx = NULL;
    answer out = 1469598103934665603U;
    (void)open_context(&ctx);
    questions[question].put(ctx, &out);
    (void)close_context(&ctx);
    return out;
}

/* --- Cells --- */

static int missed;

static void expect_noticed(const char *row, const char *cell)
{
    int question = 0;
    while (question < QUESTIONS && answer_to(question) == right[question])
        question++;
    print_message("%s, %s: %s\n", row, cell,
                  question < QUESTIONS ? questions[question].name : "NOBODY NOTICES");
    missed += question == QUESTIONS;
    set_all_right();
}

/* One that is true is false, and the other way round; of other cells another value. */
#define FLIP(table, i, row, cell, wrong)                                                           \
    do {                                                                                           \
        (table)[i].cell = (wrong);                                                                 \
        expect_noticed(row, #cell);                                                                \
    } while (0)
#define FLIP_BOOL(table, i, row, cell) FLIP(table, i, row, cell, !(table)[i].cell)

static void flip_accesses(int i, const char *name)
{
    FLIP(objects, i, name, kind,
         objects[i].kind == SWP_COMPLETION_COUNTER ? SWP_COMPLETION_GROUP : SWP_COMPLETION_COUNTER);
    FLIP(objects, i, name, wait,
         objects[i].wait == SWP_WAIT_FOR_VM ? SWP_WAIT_FOR_LGKM : SWP_WAIT_FOR_VM);
    FLIP_BOOL(objects, i, name, fence_retires);
    FLIP_BOOL(objects, i, name, in_order);
}

static void flip_tracking(int i, const char *name)
{
    FLIP(objects, i, name, tracks, SWP_COMPLETION_UNSTATED);
    FLIP(objects, i, name, word, "other");
    FLIP_BOOL(objects, i, name, async_proxy);
}

static void each_cell_of_an_object_is_noticed(void **state)
{
    (void)state;
    for (int i = 0; i < SWP_SYNC_ROWS; i++) {
        const swp_completes completes = objects[i].completes;
        const char *name = objects[i].name;
        if (i == SWP_NO_OBJECT)
            continue;
        FLIP_BOOL(objects, i, name, orders);
        if (i < SWP_SYNC_OBJECTS)
            flip_accesses(i, name);
        if (completes != SWP_COMPLETES_NEVER)
            FLIP(objects, i, name, completes, SWP_COMPLETES_NEVER);
        if (objects[i].tracks != SWP_COMPLETION_UNSTATED)
            flip_tracking(i, name);
        if (completes == SWP_COMPLETES_BY_GROUP) {
            FLIP_BOOL(objects, i, name, collective);
            FLIP_BOOL(objects, i, name, any_order);
            FLIP(objects, i, name, most_left, objects[i].most_left ? 0 : 1);
        }
        if (completes == SWP_COMPLETES_BY_MEETING)
            FLIP_BOOL(objects, i, name, waits_apart);
        if (completes == SWP_COMPLETES_BY_MEETING && i != SWP_SYNC_NAMED_BARRIER)
            FLIP_BOOL(objects, i, name, across_ranks);
    }
    assert_int_equal(missed, 0);
}

/* Nobody asks for it, so nobody would notice what stands there. */
static void a_cell_that_a_row_has_no_use_for_is_0(void **state)
{
    (void)state;
    for (int i = 0; i < SWP_SYNC_ROWS; i++) {
        const swp_sync_object_row *row = &swp_ir_sync_objects[i];
        print_message("%s\n", row->name);
        if (i >= SWP_SYNC_OBJECTS) {
            assert_int_equal(row->kind, 0);
            assert_int_equal(row->wait, 0);
            assert_false(row->fence_retires || row->in_order);
        }
        if (row->tracks == SWP_COMPLETION_UNSTATED)
            assert_true(!row->async_proxy && !row->word);
        if (row->tracks == SWP_COMPLETION_UNSTATED && i <= SWP_NO_OBJECT)
            assert_int_equal(row->completes, SWP_COMPLETES_NEVER);
        if (row->completes != SWP_COMPLETES_BY_GROUP)
            assert_true(!row->collective && !row->any_order && row->most_left == 0);
        if (row->completes != SWP_COMPLETES_BY_MEETING)
            assert_false(row->waits_apart);
        /* A named barrier is of one work group, as each object is that a schedule lists. */
        if (row->completes != SWP_COMPLETES_BY_MEETING || i == SWP_SYNC_NAMED_BARRIER)
            assert_false(row->across_ranks);
    }
}

static void each_cell_of_an_operation_is_noticed(void **state)
{
    (void)state;
    for (int i = 0; i < SWP_SYNC_OPERATIONS; i++) {
        const char *name = swp_infrastructure_name(SWP_TAG_BARRIER + i);
        if (!operations[i].macro)
            continue;
        if (operations[i].object != SWP_NO_OBJECT) {
            FLIP(operations, i, name, object, SWP_NO_OBJECT);
            if (swp_ir_sync_completes(&operations[i]) == SWP_COMPLETES_BY_GROUP)
                FLIP_BOOL(operations, i, name, commits);
            else
                FLIP_BOOL(operations, i, name, arrives);
            FLIP_BOOL(operations, i, name, waits);
        } else {
            FLIP(operations, i, name, fence, SWP_NO_FENCE);
        }
        if (operations[i].object == SWP_SYNC_BULK_GROUP && operations[i].waits)
            FLIP_BOOL(operations, i, name, reads_alone);
        FLIP(operations, i, name, macro, "OTHER");
        if (operations[i].ptx)
            FLIP(operations, i, name, ptx, "other");
    }
    assert_int_equal(missed, 0);
}

static void each_cell_of_a_form_is_noticed(void **state)
{
    (void)state;
    for (int i = 0; i < SWP_ENTRY_FORMS; i++) {
        const char *name = swp_infrastructure_name(SWP_TAG_BARRIER + i);
        if (!entries[i].is_of_roles)
            continue;
        FLIP(entries, i, name, is_of_roles, false);
        FLIP(entries, i, name, object,
             entries[i].object == SWP_NAMES_NO_OBJECT ? SWP_OBJECT_MBARRIER : SWP_NAMES_NO_OBJECT);
        FLIP(entries, i, name, executes,
             entries[i].executes == SWP_ONE_EXECUTES ? SWP_ALL_EXECUTE : SWP_ONE_EXECUTES);
        FLIP_BOOL(entries, i, name, bytes);
        if (entries[i].groups)
            FLIP(entries, i, name, groups, false);
    }
    for (int i = 0; i < SWP_OP_FORMS; i++) {
        const char *name = swp_completion_name(ops[i].completion);
        FLIP(ops, i, name, object,
             ops[i].object == SWP_NAMES_NO_OBJECT ? SWP_OBJECT_MBARRIER : SWP_NAMES_NO_OBJECT);
        FLIP(ops, i, name, by, ops[i].by == SWP_ONE_THREAD ? SWP_ALL_THREADS : SWP_ONE_THREAD);
        FLIP_BOOL(ops, i, name, bytes);
        FLIP_BOOL(ops, i, name, registers);
        FLIP_BOOL(ops, i, name, reads_shared);
        FLIP_BOOL(ops, i, name, makes_shared);
    }
    assert_int_equal(missed, 0);
}

static int ask_all(void **state)
{
    (void)state;
    set_all_right();
    for (int question = 0; question < QUESTIONS; question++)
        right[question] = answer_to(question);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cell_of_an_object_is_noticed),
        cmocka_unit_test(a_cell_that_a_row_has_no_use_for_is_0),
        cmocka_unit_test(each_cell_of_an_operation_is_noticed),
        cmocka_unit_test(each_cell_of_a_form_is_noticed),
    };
    return cmocka_run_group_tests(tests, ask_all, NULL);
}
