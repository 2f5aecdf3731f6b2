/* SPDX-License-Identifier: Apache-2.0 */
/* Derived synchronisation of warp roles: its lists as text, and what the explorer of interleavings says of them. */
#include "fixture.h"

#include "roles_explorer.h"
#include "swp/loop_compile.h"

#include <stdio.h>
#include <string.h>

/* "wait_phase full_A+1; MMA+0; ..." of a list. */
static const char *text_of(const swp_schedule *schedule, const swp_entry_list *list)
{
    enum { MOST_ENTRY = 256 };
    static char text[4096];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const swp_op *op = &list->items[i].op;
        const char *object = op->object < 0 ? "" : schedule->objects[op->object].name;
        const bool waits = op->tag == SWP_TAG_MATRIX_WAIT || op->tag == SWP_TAG_BULK_WAIT_READ;
        assert_true(length + MOST_ENTRY < sizeof text);
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%s%s%s", i == 0 ? "" : "; ",
                             swp_schedule_op_name(schedule, op->tag), *object ? " " : "", object);
        if (waits)
            length += (size_t)snprintf(text + length, sizeof text - length, " %d", op->wait_value);
        else if (op->object >= 0 ? schedule->objects[op->object].kind == SWP_OBJECT_MBARRIER
                                 : op->tag < SWP_FIRST_INFRASTRUCTURE_TAG)
            length += (size_t)snprintf(text + length, sizeof text - length, "%+d", op->iteration);
    }
    return text;
}

#define assert_list(schedule, list, expected)                                                      \
    assert_string_equal(text_of((schedule), &(schedule)->streams list), (expected))

static void assert_safe(const swp_schedule *schedule, int most)
{
    const roles_explorer_options options = {.others = 1, .most_states = 200000};
    for (int n = 0; n <= most; n++) {
        roles_exploration found = roles_explore(schedule, n, &options);
        assert_int_equal(found.count, 0);
        assert_false(found.no_run);
        assert_false(found.undecided);
        roles_exploration_free(&found);
    }
}

static swp_schedule *compile_for(swp_context *ctx, swp_loop_builder *l, const swp_machine *machine)
{
    const swp_loop_options options = {.machine = *machine};
    swp_loop loop;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_ok(ctx, swp_compile_loop(ctx, &loop, &options, &schedule));
    return schedule;
}

static swp_schedule *compile(swp_context *ctx, swp_loop_builder *l)
{
    const swp_machine machine = swp_machine_default();
    return compile_for(ctx, l, &machine);
}

enum { PRODUCER = 1, CONSUMER };

static swp_loop_builder *loop_of_roles(swp_context *ctx, int instances)
{
    swp_loop_builder *l = swp_loop_new(ctx, "ws");
    const swp_loop_role consumer = {.name = "consumer", .instances = instances, .registers = 232};
    assert_int_equal(swp_loop_add_role(l, (swp_loop_role){.name = "producer", .registers = 24}),
                     PRODUCER);
    assert_int_equal(swp_loop_add_role(l, consumer), CONSUMER);
    assert_int_equal(swp_loop_add_unit(l, "tma", 1), 1);
    assert_int_equal(swp_loop_add_unit(l, "tensor", instances),
                     2); /* one for each: none is shifted */
    return l;
}

static int add_tile(swp_loop_builder *l, const char *name, int64_t bytes, int slots)
{
    return swp_value(l, name, .space = SWP_SPACE_SHARED, .bytes = bytes, .least_slots = slots,
                     .most_slots = slots);
}

static void add_copy(swp_loop_builder *l, const char *name, int tile)
{
    swp_work(l, name, .uses = {{.unit = 1, .cycles = 100}}, .latency = 300,
             .completion = SWP_COMPLETION_MBARRIER, .role = PRODUCER, .writes = {tile});
}

/* A and B, of so many bytes each, are copied side by side and used by the same op. */
static swp_loop_builder *gemm(swp_context *ctx, int64_t bytes)
{
    swp_loop_builder *l = loop_of_roles(ctx, 2);
    const int a = add_tile(l, "A", bytes, 2);
    const int b = add_tile(l, "B", bytes, 2);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    add_copy(l, "LOAD_A", a);
    add_copy(l, "LOAD_B", b);
    swp_work(l, "MMA", .uses = {{.unit = 2, .cycles = 400}}, .latency = 450, .read_cycles = 400,
             .completion = SWP_COMPLETION_GROUP, .role = CONSUMER,
             .reads = {{.value = a}, {.value = b}}, .updates = {c}, .update_latencies = {400});
    return l;
}

/* One mbarrier, and one group stays in flight. */
static void a_gemm_has_one_ring(void **state)
{
    swp_schedule *s = compile(*state, gemm(*state, 1024));
    assert_int_equal(s->object_count, 2);
    assert_int_equal(s->objects[0].arrivals, 1);
    assert_int_equal(s->objects[1].arrivals, 2);
    assert_int_equal(s->streams[0].warps, 1);
    assert_int_equal(s->streams[1].warps, 4);
    assert_int_equal(s->streams[1].registers, 232);
    assert_list(
        s, [0].kernel,
        "wait_phase empty_B_A+1; arrive_expect full_B_A+3; LOAD_B full_B_A+3; LOAD_A full_B_A+3; "
        "wait_phase empty_B_A+2; arrive_expect full_B_A+4; LOAD_B full_B_A+4; LOAD_A full_B_A+4");
    assert_list(s, [1].kernel,
                "matrix_wait 1; arrive empty_B_A+0; wait_phase full_B_A+2; MMA+2; matrix_commit; "
                "matrix_wait 1; arrive empty_B_A+1; wait_phase full_B_A+3; MMA+3; matrix_commit");
    assert_list(s, [1].epilogue,
                "matrix_wait 1; arrive empty_B_A+0; wait_phase full_B_A+2; MMA+2; matrix_commit; "
                "matrix_wait 0");
    assert_safe(s, 6);
    swp_schedule_free(s);
}

/*
 * K and V are used by different ops; the scores are waited for, registers fenced. Who has the slot of V back has that of K back, too, as one wait
 * retires both of their readers.
 */
static void attention_has_two_rings(void **state)
{
    swp_loop_builder *l = loop_of_roles(*state, 1);
    const int k = add_tile(l, "K", 1024, 2);
    const int v = add_tile(l, "V", 1024, 2);
    const int s = swp_value(l, "S", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    const int p = swp_value(l, "P", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    const int o = swp_value(l, "O", .space = SWP_SPACE_REGISTERS);
    add_copy(l, "LOAD_K", k);
    add_copy(l, "LOAD_V", v);
    swp_work(l, "QK", .uses = {{.unit = 2, .cycles = 200}}, .latency = 220, .role = CONSUMER,
             .completion = SWP_COMPLETION_GROUP, .reads = {{.value = k}}, .writes = {s});
    swp_work(l, "SOFTMAX", .latency = 300, .read_cycles = 300, .role = CONSUMER,
             .reads = {{.value = s}}, .writes = {p});
    swp_work(l, "PV", .uses = {{.unit = 2, .cycles = 200}}, .latency = 220, .role = CONSUMER,
             .completion = SWP_COMPLETION_GROUP, .reads = {{.value = p}, {.value = v}},
             .updates = {o});
    swp_schedule *schedule = compile(*state, l);
    assert_int_equal(schedule->object_count, 3);
    assert_list(schedule, [1].prologue,
                "wait_phase full_K+0; matrix_fence; QK+0; matrix_commit; matrix_wait 0; SOFTMAX+0; "
                "wait_phase full_V+0; matrix_fence; PV+0; wait_phase full_K+1; matrix_fence; QK+1; "
                "matrix_commit");
    assert_list(schedule, [1].kernel,
                "matrix_wait 0; arrive empty_V+0; SOFTMAX+1; wait_phase full_V+1; matrix_fence; "
                "PV+1; wait_phase full_K+2; matrix_fence; QK+2; matrix_commit; "
                "matrix_wait 0; arrive empty_V+1; SOFTMAX+2; wait_phase full_V+2; matrix_fence; "
                "PV+2; wait_phase full_K+3; matrix_fence; QK+3; matrix_commit");
    assert_safe(schedule, 6);
    swp_schedule_free(schedule);
}

/* What ordinary instructions store is fenced for those who read it by TMA; all of their threads arrive. */
static swp_loop_builder *through(swp_context *ctx)
{
    swp_loop_builder *l = loop_of_roles(ctx, 1);
    const int a = add_tile(l, "A", 1024, 2);
    const int out = add_tile(l, "OUT", 1024, 2);
    const int r = swp_value(l, "r", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    add_copy(l, "LOAD", a);
    swp_work(l, "READ", .latency = 20, .role = CONSUMER, .reads = {{.value = a}}, .writes = {r});
    swp_work(l, "WRITE", .latency = 20, .completion = SWP_COMPLETION_NONE, .role = CONSUMER,
             .reads = {{.value = r}}, .writes = {out});
    swp_work(l, "STORE", .latency = 200, .completion = SWP_COMPLETION_STORE_GROUP, .role = PRODUCER,
             .reads = {{.value = out}});
    return l;
}

static void ordinary_stores_are_handed_on(void **state)
{
    swp_schedule *s = compile(*state, through(*state));
    assert_int_equal(s->object_count, 4);
    assert_int_equal(s->streams[1].warps, 1);
    assert_list(s, [0].kernel,
                "bulk_wait_read 1; arrive empty_OUT+0; wait_phase empty_A+2; arrive_expect "
                "full_A+4; LOAD full_A+4; wait_phase full_OUT+2; STORE+2; bulk_commit; "
                "bulk_wait_read 1; arrive empty_OUT+1; wait_phase empty_A+3; arrive_expect "
                "full_A+5; LOAD full_A+5; wait_phase full_OUT+3; STORE+3; bulk_commit");
    assert_list(
        s, [1].kernel,
        "wait_phase full_A+2; READ+2; fence_async; arrive empty_A+2; wait_phase empty_OUT+0; "
        "WRITE+2; fence_async; arrive full_OUT+2; wait_phase full_A+3; READ+3; fence_async; arrive "
        "empty_A+3; wait_phase empty_OUT+1; WRITE+3; fence_async; arrive full_OUT+3");
    assert_safe(s, 5);
    swp_schedule_free(s);
}

/* The copy over A needs none then; the store of OUT does. */
static void what_is_read_is_not_fenced_where_the_machine_needs_none(void **state)
{
    swp_machine machine = swp_machine_default();
    machine.fence_reads = false;
    swp_schedule *s = compile_for(*state, through(*state), &machine);
    assert_list(s, [1].kernel,
                "wait_phase full_A+2; READ+2; arrive empty_A+2; wait_phase empty_OUT+0; "
                "WRITE+2; fence_async; arrive full_OUT+2; wait_phase full_A+3; READ+3; arrive "
                "empty_A+3; wait_phase empty_OUT+1; WRITE+3; fence_async; arrive full_OUT+3");
    assert_safe(s, 5);
    swp_schedule_free(s);
}

/* Within a role threads meet at a named barrier of their instance. */
static void an_instance_meets_for_what_it_stores(void **state)
{
    swp_loop_builder *l = loop_of_roles(*state, 2);
    const int a = add_tile(l, "A", 1024, 1);
    const int h = add_tile(l, "H", 1024, 1);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS);
    add_copy(l, "LOAD", a);
    swp_work(l, "STAGE", .latency = 20, .completion = SWP_COMPLETION_NONE, .role = CONSUMER,
             .reads = {{.value = a}}, .writes = {h});
    swp_work(l, "MMA", .uses = {{.unit = 2, .cycles = 50}}, .latency = 60, .role = CONSUMER,
             .completion = SWP_COMPLETION_GROUP, .reads = {{.value = h}}, .updates = {c});
    swp_schedule *s = compile(*state, l);
    assert_list(s, [1].kernel,
                "matrix_wait 0; wait_phase full_A+0; STAGE+0; fence_async; arrive empty_A+0; "
                "named_sync threads_of_consumer; MMA+0; matrix_commit");
    assert_safe(s, 3);
    swp_schedule_free(s);
}

static void refuse(swp_context *ctx, swp_completion completion, const char *message)
{
    swp_loop_builder *l = loop_of_roles(ctx, 1);
    swp_schedule *schedule = NULL;
    swp_loop loop;
    const int a = add_tile(l, "A", 1024, 2);
    const int r = swp_value(l, "r", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .latency = 20, .completion = completion, .role = PRODUCER, .writes = {a});
    swp_work(l, "READ", .latency = 20, .role = CONSUMER, .reads = {{.value = a}}, .writes = {r});
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_status(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule), SWP_INVALID);
    assert_diag(ctx, "E0705", message);
}

static void counters_are_none_of_roles(void **state)
{
    refuse(*state, SWP_COMPLETION_VMCNT,
           "op LOAD: a schedule with warp roles has no completion vmcnt");
}

/* Together they are more than a phase counts, then each of them is. */
static void copies_of_more_than_a_phase_counts(void **state)
{
    swp_schedule *apart = compile(*state, gemm(*state, 600000));
    assert_int_equal(apart->object_count, 3); /* one tells for both that they are read */
    swp_schedule_free(apart);
    swp_loop loop;
    assert_ok(*state, swp_loop_done(gemm(*state, 1 << 20), &loop));
    assert_int_equal(swp_compile_loop(*state, &loop, NULL, &apart), SWP_INVALID);
    assert_diag(*state, "E0705", "copies 1048576 bytes, and a phase of an mbarrier counts up to");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_gemm_has_one_ring),
        CONTEXT_TEST(copies_of_more_than_a_phase_counts),
        CONTEXT_TEST(attention_has_two_rings),
        CONTEXT_TEST(ordinary_stores_are_handed_on),
        CONTEXT_TEST(what_is_read_is_not_fenced_where_the_machine_needs_none),
        CONTEXT_TEST(an_instance_meets_for_what_it_stores),
        CONTEXT_TEST(counters_are_none_of_roles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
