/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ops a run of a general loop does, for every N: the least one that shows what is wrong.
 * op_program.h has the notation.
 */
#include "fixture.h"
#include "op_program.h"

#include "swp/verify.h"

#include <string.h>

static void begin(op_program *p, swp_context *ctx, int tiles_per_pass, int min_tiles)
{
    swp_loop_builder *l = swp_loop_new(ctx, "work");
    swp_work(l, "DO");
    op_program_begin(p, ctx, l, tiles_per_pass, min_tiles);
}

/* NULL stands for an empty list. */
static void expect(op_program *p, const char *prologue, const char *kernel, const char *epilogue,
                   swp_hazard_kind kind, swp_phase phase, int entry, int n)
{
    swp_verdict verdict = {0};
    bool found = false;
    op_program_read(p, SWP_PROLOGUE, prologue);
    op_program_read(p, SWP_KERNEL, kernel);
    op_program_read(p, SWP_EPILOGUE, epilogue);
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    if (kind == SWP_HAZARD_KINDS)
        assert_int_equal(verdict.hazards.count, 0);
    for (size_t i = 0; i < verdict.hazards.count; i++) {
        const swp_hazard *h = &verdict.hazards.items[i];
        if (h->kind != kind || h->at.phase != phase || h->at.entry != entry)
            continue;
        assert_int_equal(h->smallest_n, n);
        found = true;
    }
    assert_int_equal(found, kind != SWP_HAZARD_KINDS);
}

static void expect_safe(op_program *p, const char *prologue, const char *kernel,
                        const char *epilogue)
{
    expect(p, prologue, kernel, epilogue, SWP_HAZARD_KINDS, SWP_PROLOGUE, 0, 0);
}

static void each_iteration_is_done_once(void **state)
{
    op_program p;
    begin(&p, *state, 1, 2);
    expect_safe(&p, "DO+0", "DO+1", "DO+1");
    expect_safe(&p, "DO+0 DO+1", "DO+2", "");
    expect_safe(&p, "", "DO+0", "DO+0 DO+1");
    begin(&p, *state, 2, 2);
    expect_safe(&p, "DO+0", "DO+1 DO+2", "DO+1");
    expect_safe(&p, "DO+1", "DO+0 DO+3", "DO+0");
}

static void missing_work(void **state)
{
    op_program p;
    begin(&p, *state, 1, 2);
    expect(&p, "DO+0", "DO+1", "", SWP_MISSING_WORK, SWP_EPILOGUE, 0, 2);
    expect(&p, "DO+0 DO+1", "", "", SWP_MISSING_WORK, SWP_EPILOGUE, 0, 3);
    /* What the prologue does too many lasts until N = 4. */
    expect(&p, "DO+0 DO+1 DO+2 DO+3", "", "", SWP_MISSING_WORK, SWP_EPILOGUE, 0, 5);
    /* The kernel is an iteration late, which the prologue hides for one pass. */
    expect(&p, "DO+0 DO+1 DO+2", "DO+4", "", SWP_MISSING_WORK, SWP_EPILOGUE, 0, 4);
    expect(&p, "DO+0 DO+1 DO+2 DO+3 DO+4 DO+5", "DO+7", "", SWP_MISSING_WORK, SWP_EPILOGUE, 0, 7);
    begin(&p, *state, 2, 2);
    expect(&p, "DO+0", "DO+1", "DO+1", SWP_MISSING_WORK, SWP_EPILOGUE, 1, 4);
}

static void double_work(void **state)
{
    op_program p;
    begin(&p, *state, 1, 2);
    expect(&p, "DO+0 DO+0", "DO+1", "DO+1", SWP_DOUBLE_WORK, SWP_PROLOGUE, 1, 2);
    expect(&p, "DO+0", "DO+1 DO+1", "DO+1", SWP_DOUBLE_WORK, SWP_KERNEL, 1, 3);
    expect(&p, "DO+0", "DO+1", "DO+1 DO+1", SWP_DOUBLE_WORK, SWP_EPILOGUE, 1, 2);
    /* Pass 2 comes to what the prologue has done already; N = 5 is the first with it. */
    expect(&p, "DO+0 DO+3", "DO+1", "DO+1", SWP_DOUBLE_WORK, SWP_KERNEL, 0, 5);
    /* Pass 1 does what pass 0 did ahead. */
    expect(&p, "DO+0", "DO+2 DO+1", "DO+1", SWP_DOUBLE_WORK, SWP_KERNEL, 1, 4);
    /* The epilogue does what the last pass did, or, where there is but one, the prologue. */
    expect(&p, "", "DO+0", "DO-1 DO+0 DO+1", SWP_DOUBLE_WORK, SWP_EPILOGUE, 0, 3);
    expect(&p, "DO+0", "DO+1", "DO-1 DO+1", SWP_DOUBLE_WORK, SWP_EPILOGUE, 0, 3);
    begin(&p, *state, 2, 2);
    /* Iteration 5 is the prologue's and the epilogue's where there are two passes. */
    expect(&p, "DO+0 DO+5", "DO+1 DO+2", "DO+1", SWP_DOUBLE_WORK, SWP_EPILOGUE, 0, 6);
}

static void out_of_range(void **state)
{
    op_program p;
    begin(&p, *state, 1, 2);
    expect(&p, "DO-1 DO+0", "DO+1", "DO+1", SWP_OUT_OF_RANGE, SWP_PROLOGUE, 0, 2);
    expect(&p, "DO+0 DO+2", "DO+1", "DO+1", SWP_OUT_OF_RANGE, SWP_PROLOGUE, 1, 2);
    expect(&p, "DO+0", "DO-1", "DO+1", SWP_OUT_OF_RANGE, SWP_KERNEL, 0, 3);
    expect(&p, "DO+0", "DO+3", "DO+1", SWP_OUT_OF_RANGE, SWP_KERNEL, 0, 3);
    expect(&p, "DO+0", "DO+1", "DO+2", SWP_OUT_OF_RANGE, SWP_EPILOGUE, 0, 2);
    expect(&p, "DO+0", "DO+1", "DO-1", SWP_OUT_OF_RANGE, SWP_EPILOGUE, 0, 2);
}

/* A run of 900 iterations finds a version there; that the others find none is told before. */
static void iterations_far_off(void **state)
{
    op_program p;
    swp_verdict verdict = {0};
    swp_loop_builder *l = swp_loop_new(*state, "far");
    const int x = swp_value(l, "x", .space = SWP_SPACE_SHARED);
    swp_work(l, "MAKE", .completion = SWP_COMPLETION_NONE, .writes = {x});
    swp_work(l, "USE", .reads = {{.value = x}});
    op_program_begin(&p, *state, l, 1, 1);
    op_program_read(&p, SWP_PROLOGUE, "MAKE+900");
    op_program_read(&p, SWP_KERNEL, "USE+0");
    op_program_read(&p, SWP_EPILOGUE, "USE+0");
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_false(verdict.safe);
}

/* Each form is judged, and a hazard of an epilogue is in that of its least N. */
static void every_form(void **state)
{
    static const char *const lists[] = {"", "DO+0", "DO+1 DO+2"};
    op_program p;
    swp_entry_list made[3];
    begin(&p, *state, 2, 2);
    for (int i = 0; i < 3; i++) {
        op_program_read(&p, SWP_EPILOGUE, lists[i]);
        made[i] = p.schedule.streams[0].epilogue;
    }
    p.schedule.loop.multiple = 1;
    p.schedule.streams[0].tails = (swp_tails){
        .epilogues = &made[2], .epilogue_count = 1, .straight = made, .straight_count = 2};
    expect_safe(&p, "DO+0", "DO+1 DO+2", "DO+1");
    made[2].items[1].op.iteration = 3;
    expect(&p, "DO+0", "DO+1 DO+2", "DO+1", SWP_OUT_OF_RANGE, SWP_EPILOGUE, 1, 3);
    made[2].items[1].op.iteration = 2;
    made[1].items[0].op.iteration = 1;
    expect(&p, "DO+0", "DO+1 DO+2", "DO+1", SWP_OUT_OF_RANGE, SWP_EPILOGUE, 0, 1);
}

static void expect_refused(op_program *p, const char *why)
{
    swp_verdict verdict;
    assert_status(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict), SWP_INVALID);
    assert_diag(p->ctx, "E0701", why);
    swp_context_clear_diags(p->ctx);
    assert_status(p->ctx, swp_verify_form(p->ctx, &p->schedule, 0, &verdict), SWP_INVALID);
    swp_context_clear_diags(p->ctx);
}

static void what_has_no_meaning_is_refused(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "slots");
    const int x = swp_value(l, "x", .space = SWP_SPACE_SHARED, .least_slots = 2);
    swp_work(l, "DO", .completion = SWP_COMPLETION_NONE, .writes = {x});
    op_program_begin(&p, *state, l, 3, 3);
    expect_refused(&p, "value x has 2 slots");
    begin(&p, *state, 1, 1);
    op_program_read(&p, SWP_KERNEL, "DO+0");
    p.schedule.streams[0].kernel.items[0].op.tag = 1;
    expect_refused(&p, "kernel entry 0 does op 1");
    p.schedule.streams[0].kernel.items[0].op.tag = 0;
    p.schedule.streams[0].kernel.items[0].op.iteration = 1 << 20;
    expect_refused(&p, "for iteration 1048576");
    p.schedule.streams[0].kernel.items[0].op = swp_op_barrier();
    p.schedule.streams[0].kernel.items[0].op.role = SWP_GLOBAL_LOAD;
    expect_refused(&p, "neither an op of the loop");
}

/* The first hazard gets this hint. */
static void expect_hint(op_program *p, const char *epilogue, const char *hint)
{
    swp_verdict verdict;
    op_program_read(p, SWP_EPILOGUE, epilogue);
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_ok(p->ctx, swp_verify_repairs(p->ctx, &p->schedule, &verdict));
    assert_true(verdict.hazards.count > 0);
    assert_string_equal(verdict.hazards.items[0].hint, hint);
}

static void hints_say_what_to_do(void **state)
{
    op_program p;
    begin(&p, *state, 1, 2);
    op_program_read(&p, SWP_PROLOGUE, "DO+0");
    op_program_read(&p, SWP_KERNEL, "DO+1");
    expect_hint(&p, "", "insert DO (iteration 1) at the end of the epilogue");
    expect_hint(&p, "DO+1 DO+1", "remove epilogue entry 1 (DO)");
    expect_hint(&p, "DO+2", "set iteration of epilogue entry 0 (DO) to 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(each_iteration_is_done_once),
        CONTEXT_TEST(missing_work),
        CONTEXT_TEST(double_work),
        CONTEXT_TEST(out_of_range),
        CONTEXT_TEST(iterations_far_off),
        CONTEXT_TEST(every_form),
        CONTEXT_TEST(what_has_no_meaning_is_refused),
        CONTEXT_TEST(hints_say_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
