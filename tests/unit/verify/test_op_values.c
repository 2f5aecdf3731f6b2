/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ops of a general loop may do to shared values and registers, and what they may not.
 * op_program.h has the notation.
 */
#include "fixture.h"
#include "op_program.h"

#include "swp/verify.h"

#include <string.h>

static void expect_safe(op_program *p)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, 0);
    assert_true(verdict.safe);
}

/* The only hazard; NULL for the place of one that is about none. */
static void expect_only(op_program *p, swp_hazard_kind kind, int entry, int n, const char *value,
                        int slot)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, 1);
    const swp_hazard *h = &verdict.hazards.items[0];
    assert_int_equal(h->kind, kind);
    assert_int_equal(h->at.entry, entry);
    assert_int_equal(h->smallest_n, n);
    assert_true(value ? h->value && !strcmp(h->value, value) : !h->value);
    assert_int_equal(h->slot, slot);
}

static void raw(op_program *p)
{
    p->schedule.machine.registers = SWP_REGISTERS_RAW;
}

/* One iteration in the kernel, one in the epilogue. */
static void repeat(op_program *p, const char *words)
{
    op_program_read(p, SWP_KERNEL, words);
    op_program_read(p, SWP_EPILOGUE, words);
}

/* --- Ops that are done when they issue --- */

static void begin_direct(op_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "direct");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "USE", .reads = {{.value = tile}}, .updates = {sum});
    op_program_begin(p, ctx, l, 1, 1);
}

/* It is over when it issues, so that a barrier alone keeps the next load of other waves off. */
static void a_read_without_completion_needs_no_wait(void **state)
{
    op_program p;
    begin_direct(&p, *state);
    repeat(&p, "| LOAD+0 v0 | USE+0");
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "LOAD+0 v0 | USE+0");
    expect_only(&p, SWP_OVERWRITTEN, 0, 2, "tile", 0);
    p.schedule.machine.waves_per_group = 1;
    expect_safe(&p);
}

/* A shared value that an op writes without completion is there for its own wave only. */
static void a_write_without_completion_needs_a_barrier(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "exchange");
    const int mine = swp_value(l, "mine", .space = SWP_SPACE_SHARED);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "PUT", .completion = SWP_COMPLETION_NONE, .writes = {mine});
    swp_work(l, "GET", .reads = {{.value = mine}}, .updates = {sum});
    op_program_begin(&p, *state, l, 1, 1);
    repeat(&p, "| PUT+0 | GET+0");
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "| PUT+0 GET+0");
    expect_only(&p, SWP_STALE_READ, 2, 1, "mine", 0);
    p.schedule.machine.waves_per_group = 1;
    expect_safe(&p);
}

/* Each wave reads the shares of all and then writes its own, into what others still read. */
static void a_shared_value_is_not_updated_in_place(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "in_place");
    const int all = swp_value(l, "all", .space = SWP_SPACE_SHARED);
    swp_work(l, "MIX", .completion = SWP_COMPLETION_NONE, .updates = {all});
    op_program_begin(&p, *state, l, 1, 1);
    op_program_read(&p, SWP_EPILOGUE, "| MIX+0");
    op_program_read(&p, SWP_KERNEL, "| MIX+0");
    swp_verdict verdict = {0};
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(verdict.hazards.items[i].kind, SWP_OVERWRITTEN);
    p.schedule.machine.waves_per_group = 1;
    expect_safe(&p);
}

/* From one slot into the other it works. */
static void a_shared_value_is_updated_into_another_slot(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "ping_pong");
    const int all = swp_value(l, "all", .space = SWP_SPACE_SHARED, .least_slots = 2);
    swp_work(l, "MIX", .completion = SWP_COMPLETION_NONE, .updates = {all});
    op_program_begin(&p, *state, l, 2, 2);
    repeat(&p, "| MIX+0 | MIX+1");
    expect_safe(&p);
    swp_verdict verdict = {0};
    op_program_read(&p, SWP_EPILOGUE, "| MIX+0 MIX+1");
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, 2);
    assert_int_equal(verdict.hazards.items[0].kind, SWP_STALE_READ);
    assert_int_equal(verdict.hazards.items[0].slot, 0);
    assert_int_equal(verdict.hazards.items[1].kind, SWP_OVERWRITTEN);
    assert_int_equal(verdict.hazards.items[1].slot, 1);
}

/* --- Registers --- */

/* The result is stored from registers while the next one is made. */
static void store_results(op_program *p, swp_context *ctx, swp_completion completion)
{
    swp_loop_builder *l = swp_loop_new(ctx, "results");
    const int result = swp_value(l, "result", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "MAKE", .writes = {result});
    swp_work(l, "STORE", .completion = completion, .reads = {{.value = result}});
    op_program_begin(p, ctx, l, 1, 1);
    repeat(p, "v0 MAKE+0 STORE+0");
    op_program_read(p, SWP_EPILOGUE, "l0 MAKE+0 STORE+0");
}

static void a_counted_access_reads_registers_as_it_issues(void **state)
{
    op_program p;
    store_results(&p, *state, SWP_COMPLETION_COUNTER);
    for (int mode = SWP_REGISTERS_MANAGED; mode <= SWP_REGISTERS_SCOREBOARD; mode++) {
        p.schedule.machine.registers = (swp_register_mode)mode;
        expect_safe(&p);
    }
}

static void a_group_reads_registers_until_it_is_done(void **state)
{
    op_program p;
    store_results(&p, *state, SWP_COMPLETION_GROUP);
    for (int mode = SWP_REGISTERS_MANAGED; mode <= SWP_REGISTERS_SCOREBOARD; mode++) {
        p.schedule.machine.registers = (swp_register_mode)mode;
        expect_only(&p, SWP_REGISTER_NOT_READY, 1, 2, "result", 0);
    }
}

/* A store in flight reads a register that is made again. Nothing of that retires the load before it. */
static void overwriting_what_is_read_retires_nothing(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "results");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int result = swp_value(l, "result", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "MAKE", .writes = {result});
    swp_work(l, "STORE", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = result}});
    swp_work(l, "MAKE_AGAIN", .updates = {result});
    swp_work(l, "READ", .reads = {{.value = tile}});
    op_program_begin(&p, *state, l, 1, 1);
    repeat(&p, "| LOAD+0 MAKE+0 STORE+0 MAKE_AGAIN+0 v0 | READ+0");
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 MAKE+0 STORE+0 MAKE_AGAIN+0 | READ+0");
    expect_only(&p, SWP_STALE_READ, 6, 1, "tile", 0);
}

/* Both are on vmcnt. A compiler waits on the counter for x, and so for y; a scoreboard for x alone. */
static void a_scoreboard_retires_nothing_older(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "two loads");
    const int y = swp_value(l, "y", .space = SWP_SPACE_SHARED);
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD_Y", .completion = SWP_COMPLETION_COUNTER, .writes = {y});
    swp_work(l, "LOAD_X", .completion = SWP_COMPLETION_COUNTER, .writes = {x});
    swp_work(l, "USE_X", .reads = {{.value = x}});
    swp_work(l, "USE_Y", .reads = {{.value = y}});
    op_program_begin(&p, *state, l, 1, 1);
    repeat(&p, "| LOAD_Y+0 LOAD_X+0 v0 USE_X+0 | USE_Y+0");
    op_program_read(&p, SWP_EPILOGUE, "| LOAD_Y+0 LOAD_X+0 USE_X+0 | USE_Y+0");
    expect_safe(&p);
    p.schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
    expect_only(&p, SWP_STALE_READ, 5, 1, "y", 0);
}

/* Loads that read a place by vmcnt, as they bring registers or send it away. */
static void begin_reads(op_program *p, swp_context *ctx, const char *words)
{
    swp_loop_builder *l = swp_loop_new(ctx, "reads");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS);
    const int y = swp_value(l, "y", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "PUT", .completion = SWP_COMPLETION_NONE, .writes = {tile});
    swp_work(l, "SEND", .completion = SWP_COMPLETION_VMCNT, .reads = {{.value = tile}});
    swp_work(l, "GET_X", .completion = SWP_COMPLETION_VMCNT, .reads = {{.value = tile}},
             .writes = {x});
    swp_work(l, "GET_Y", .completion = SWP_COMPLETION_VMCNT, .reads = {{.value = tile}},
             .writes = {y});
    swp_work(l, "USE_X", .reads = {{.value = x}});
    swp_work(l, "USE_Y", .reads = {{.value = y}});
    op_program_begin(p, ctx, l, 1, 1);
    repeat(p, words);
}

/* An older read may still be under way when a scoreboard retires a newer one. */
static void expect_overwritten_by_a_scoreboard_alone(op_program *p)
{
    swp_verdict verdict = {0};
    expect_safe(p);
    p->schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_true(verdict.hazards.count > 0);
    for (size_t i = 0; i < verdict.hazards.count; i++) {
        assert_int_equal(verdict.hazards.items[i].kind, SWP_OVERWRITTEN);
        assert_int_equal(verdict.hazards.items[i].at.entry, 1);
        assert_string_equal(verdict.hazards.items[i].value, "tile");
    }
}

static void a_scoreboard_retires_no_older_read(void **state)
{
    op_program p;
    begin_reads(&p, *state, "| PUT+0 | GET_Y+0 USE_Y+0 SEND+0 GET_X+0 USE_X+0");
    expect_overwritten_by_a_scoreboard_alone(&p);
    p.schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
    repeat(&p, "| PUT+0 | SEND+0 v0 GET_Y+0 GET_X+0 USE_Y+0 USE_X+0");
    expect_safe(&p);
}

/* The use of x retires its last load alone: what made x before is in flight as any other. */
static void a_register_made_again_leaves_its_read_in_flight(void **state)
{
    op_program p;
    begin_reads(&p, *state, "| PUT+0 | GET_Y+0 USE_Y+0 SEND+0 v0 GET_X+0 GET_X+0 USE_X+0");
    swp_verdict verdict = {0};
    p.schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    bool overwritten = false;
    for (size_t i = 0; i < verdict.hazards.count; i++)
        overwritten |= verdict.hazards.items[i].kind == SWP_OVERWRITTEN;
    assert_true(overwritten);
}

static void begin_matrix(op_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "matrix");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "MMA", .completion = SWP_COMPLETION_GROUP, .reads = {{.value = tile}},
             .updates = {sum});
    swp_work(l, "PEEK", .reads = {{.value = sum}});
    op_program_begin(p, ctx, l, 1, 1);
}

/* Asynchronous matrix ops that follow each other in one accumulator are done in order. */
static void accumulations_follow_each_other(void **state)
{
    op_program p;
    begin_matrix(&p, *state);
    op_program_read(&p, SWP_KERNEL, "| LOAD+0 v0 | MMA+0 l0 PEEK+0");
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | MMA+0 l0 PEEK+0");
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | MMA+0 PEEK+0 l0");
    expect_only(&p, SWP_REGISTER_NOT_READY, 5, 1, "sum", 0);
    /* The same op once more is double work on a sum that has it already, but needs no wait. */
    swp_verdict verdict = {0};
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 v0 | MMA+0 MMA+0 l0 PEEK+0");
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, 2);
    assert_int_equal(verdict.hazards.items[0].kind, SWP_WRONG_TILE);
    assert_int_equal(verdict.hazards.items[1].kind, SWP_DOUBLE_WORK);
}

/* A group that reads the sum of the group before as a factor too is not in order with it. */
static void an_accumulator_is_no_factor(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "square");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "FIRST", .completion = SWP_COMPLETION_GROUP, .reads = {{.value = tile}},
             .writes = {sum});
    swp_work(l, "SECOND", .completion = SWP_COMPLETION_GROUP,
             .reads = {{.value = tile}, {.value = sum}}, .updates = {sum});
    op_program_begin(&p, *state, l, 1, 1);
    repeat(&p, "l0 FIRST+0 l0 SECOND+0");
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "l0 FIRST+0 SECOND+0");
    expect_only(&p, SWP_REGISTER_NOT_READY, 2, 1, "sum", 0);
}

/* A register of several makers is read in the midst of an iteration. */
static void parts_of_a_version_follow_in_order(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "parts");
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "FIRST", .writes = {x});
    swp_work(l, "EARLY", .reads = {{.value = x}});
    swp_work(l, "SECOND", .updates = {x});
    swp_work(l, "LATE", .reads = {{.value = x}});
    swp_work(l, "NEXT", .reads = {{.value = x, .distance = 1}});
    op_program_begin(&p, *state, l, 1, 1);
    p.schedule.loop.multiple = 1;
    repeat(&p, "NEXT+0 FIRST+0 EARLY+0 SECOND+0 LATE+0");
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "NEXT+0 FIRST+0 SECOND+0 EARLY+0 LATE+0");
    expect_only(&p, SWP_WRONG_TILE, 3, 1, "x", 0);
}

/* What an op makes is all there once a register of it was waited for. */
/* Of an op's three accesses nobody knows which bring the register, so nobody can wait for them. */
static void nobody_waits_for_an_op_that_makes_several(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "both");
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS);
    const int s = swp_value(l, "s", .space = SWP_SPACE_SHARED);
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .accesses = 3, .writes = {x, s});
    swp_work(l, "USE_X", .reads = {{.value = x}});
    swp_work(l, "USE_S", .reads = {{.value = s}});
    op_program_begin(&p, *state, l, 1, 1);
    repeat(&p, "| LOAD+0 v0 USE_X+0 | USE_S+0");
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "| LOAD+0 USE_X+0 v0 | USE_S+0");
    expect_only(&p, SWP_REGISTER_NOT_READY, 2, 1, "x", 0);
}

/* --- Versions before the loop --- */

static void versions_before_the_loop_are_there(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "window");
    const int plane = swp_value(l, "plane", .space = SWP_SPACE_SHARED, .least_slots = 3);
    swp_work(l, "LOAD", .completion = SWP_COMPLETION_COUNTER, .writes = {plane});
    swp_work(l, "READ",
             .reads = {{.value = plane},
                       {.value = plane, .distance = 1},
                       {.value = plane, .distance = 2}});
    op_program_begin(&p, *state, l, 3, 3);
    repeat(&p, "| LOAD+0 v0 | READ+0 LOAD+1 v0 | READ+1 LOAD+2 v0 | READ+2");
    swp_verdict verdict = {0};
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, 4); /* the next slot is that of two iterations before */
    repeat(&p, "| LOAD+0 v0 | READ+0 | LOAD+1 v0 | READ+1 | LOAD+2 v0 | READ+2");
    expect_safe(&p);
}

/* What the prologue reads too early comes in the first pass; where there is none, nothing brings it. */
static void a_read_of_the_prologue_depends_on_the_passes(void **state)
{
    op_program p;
    swp_verdict verdict = {0};
    swp_loop_builder *l = swp_loop_new(*state, "early");
    const int x = swp_value(l, "x", .space = SWP_SPACE_SHARED);
    swp_work(l, "MAKE", .completion = SWP_COMPLETION_NONE, .writes = {x});
    swp_work(l, "USE", .reads = {{.value = x}});
    op_program_begin(&p, *state, l, 1, 2);
    op_program_read(&p, SWP_PROLOGUE, "USE+0");
    op_program_read(&p, SWP_KERNEL, "| MAKE+0");
    op_program_read(&p, SWP_EPILOGUE, "| MAKE+1");
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_true(verdict.hazards.count > 2);
    assert_int_equal(verdict.hazards.items[0].kind, SWP_STALE_READ);
    assert_int_equal(verdict.hazards.items[0].at.phase, SWP_PROLOGUE);
    assert_int_equal(verdict.hazards.items[0].smallest_n, 3);
    assert_int_equal(verdict.hazards.items[1].kind, SWP_WRONG_TILE);
    assert_int_equal(verdict.hazards.items[1].at.phase, SWP_PROLOGUE);
    assert_int_equal(verdict.hazards.items[1].smallest_n, 2);
}

/* An input is there whatever happens. */
static void inputs_are_there(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "inputs");
    const int table = swp_value(l, "table", .space = SWP_SPACE_SHARED);
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOOK_UP", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = table}},
             .writes = {x});
    swp_work(l, "USE", .reads = {{.value = x}});
    op_program_begin(&p, *state, l, 1, 1);
    repeat(&p, "LOOK_UP+0 l0 USE+0");
    raw(&p);
    expect_safe(&p);
    op_program_read(&p, SWP_EPILOGUE, "LOOK_UP+0 v0 USE+0"); /* it is on lgkmcnt */
    expect_only(&p, SWP_REGISTER_NOT_READY, 2, 1, "x", 0);
}

/* Stores of a register that no op makes stay in flight. Nothing asks for them, so that a pass leaves what the one before left. */
static void stores_that_nothing_asks_for_keep_no_proof_from_its_end(void **state)
{
    enum { FEW_PASSES = 3 };
    op_program p;
    swp_verdict verdict = {0};
    swp_loop_builder *l = swp_loop_new(*state, "stores");
    const int given = swp_value(l, "given", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "STORE", .completion = SWP_COMPLETION_VMCNT, .reads = {{.value = given}},
             .writes_global = true);
    op_program_begin(&p, *state, l, 1, 1);
    op_program_read(&p, SWP_KERNEL, "STORE+0");
    op_program_read(&p, SWP_EPILOGUE, "STORE+0");
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_true(verdict.safe);
    assert_in_range(verdict.passes_explored, 1, FEW_PASSES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_read_without_completion_needs_no_wait),
        CONTEXT_TEST(a_write_without_completion_needs_a_barrier),
        CONTEXT_TEST(a_shared_value_is_not_updated_in_place),
        CONTEXT_TEST(a_shared_value_is_updated_into_another_slot),
        CONTEXT_TEST(a_counted_access_reads_registers_as_it_issues),
        CONTEXT_TEST(a_group_reads_registers_until_it_is_done),
        CONTEXT_TEST(overwriting_what_is_read_retires_nothing),
        CONTEXT_TEST(a_scoreboard_retires_nothing_older),
        CONTEXT_TEST(a_scoreboard_retires_no_older_read),
        CONTEXT_TEST(a_register_made_again_leaves_its_read_in_flight),
        CONTEXT_TEST(accumulations_follow_each_other),
        CONTEXT_TEST(an_accumulator_is_no_factor),
        CONTEXT_TEST(parts_of_a_version_follow_in_order),
        CONTEXT_TEST(nobody_waits_for_an_op_that_makes_several),
        CONTEXT_TEST(versions_before_the_loop_are_there),
        CONTEXT_TEST(a_read_of_the_prologue_depends_on_the_passes),
        CONTEXT_TEST(inputs_are_there),
        CONTEXT_TEST(stores_that_nothing_asks_for_keep_no_proof_from_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
