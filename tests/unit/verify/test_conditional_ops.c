/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An op that may not run retires nothing, and where it does not run the value that it would update stays
 * as it is: each on the least program that shows it, by the proof, the judge that unrolls and the executor.
 * op_program.h has the notation.
 */
#include "fixture.h"
#include "op_program.h"

#include "execute.h"
#include "loop_unrolled.h"

#include "swp/run.h"
#include "swp/verify.h"

enum { PASSES = 4, RUNS = 24 };

static swp_verdict verdict_of(op_program *p)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    return verdict;
}

static void expect_safe(op_program *p)
{
    judgement judged = loop_judge(&p->schedule, PASSES);
    assert_int_equal(verdict_of(p).hazards.count, 0);
    assert_int_equal(judged.count, 0);
    assert_int_equal(execute_adversarially(&p->schedule, RUNS, p->schedule.loop.min_tiles,
                                           p->schedule.loop.min_tiles + PASSES),
                     0);
    judgement_free(&judged);
}

/* One hazard, which the judge knows and an execution shows. */
static void expect_only(op_program *p, swp_hazard_kind kind, int entry)
{
    const swp_verdict verdict = verdict_of(p);
    judgement judged = loop_judge(&p->schedule, PASSES);
    assert_int_equal(verdict.hazards.count, 1);
    assert_int_equal(verdict.hazards.items[0].kind, kind);
    assert_int_equal(verdict.hazards.items[0].at.entry, entry);
    assert_int_equal(judged.count, 1);
    assert_int_equal(judged.items[0].kind, kind);
    assert_int_equal(judged.items[0].entry, entry);
    assert_int_not_equal(execute_hazard(&p->schedule, &verdict.hazards.items[0]), NOT_SHOWN);
    judgement_free(&judged);
}

/* PUT and GET are on lgkmcnt; who reads what GET makes retires PUT, and USE reads what PUT made. */
static void begin_mask(op_program *p, swp_context *ctx, swp_loop_when when)
{
    swp_loop_builder *l = swp_loop_new(ctx, "mask");
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS);
    const int table = swp_value(l, "table", .space = SWP_SPACE_SHARED);
    const int place = swp_value(l, "place", .space = SWP_SPACE_SHARED);
    const int got = swp_value(l, "got", .space = SWP_SPACE_REGISTERS);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    const int y = swp_value(l, "y", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "PUT", .completion = SWP_COMPLETION_LGKMCNT, .reads = {{.value = x}},
             .writes = {place});
    swp_work(l, "GET", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = table}},
             .writes = {got});
    swp_work(l, "MASK", .reads = {{.value = got}}, .updates = {sum}, .when = when);
    swp_work(l, "USE", .reads = {{.value = place}}, .writes = {y});
    op_program_begin(p, ctx, l, 1, 0);
}

static void an_op_that_may_not_run_retires_nothing(void **state)
{
    static const swp_loop_when whens[] = {
        {SWP_WHEN_USER, 0, 0}, {SWP_WHEN_NOT_FIRST, 0, 0}, {SWP_WHEN_EVERY, 2, 1}};
    static const char masked[] = "PUT+0 GET+0 MASK+0 | USE+0 |";
    op_program p;
    begin_mask(&p, *state, (swp_loop_when){0});
    op_program_read(&p, SWP_KERNEL, masked);
    expect_safe(&p);
    for (size_t i = 0; i < sizeof whens / sizeof whens[0]; i++) {
        begin_mask(&p, *state, whens[i]);
        op_program_read(&p, SWP_KERNEL, masked);
        expect_only(&p, SWP_STALE_READ, 4);
        op_program_read(&p, SWP_KERNEL, "PUT+0 GET+0 MASK+0 l1 | USE+0 |");
        expect_safe(&p);
    }
}

/* With a scoreboard PUT is not retired in any case; that GET is shows where it is made again. */
static void a_scoreboard_knows_no_better(void **state)
{
    op_program p;
    begin_mask(&p, *state, (swp_loop_when){.kind = SWP_WHEN_USER});
    p.schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
    op_program_read(&p, SWP_KERNEL, "PUT+0 l0 | USE+0 | GET+0 MASK+0");
    expect_safe(&p);
}

static void a_raw_register_must_be_there_if_it_runs(void **state)
{
    op_program p;
    begin_mask(&p, *state, (swp_loop_when){.kind = SWP_WHEN_USER});
    p.schedule.machine.registers = SWP_REGISTERS_RAW;
    op_program_read(&p, SWP_KERNEL, "PUT+0 l0 | USE+0 | GET+0 MASK+0");
    expect_only(&p, SWP_REGISTER_NOT_READY, 6);
    op_program_read(&p, SWP_KERNEL, "PUT+0 l0 | USE+0 | GET+0 l0 MASK+0");
    expect_safe(&p);
}

/* MASK changes what GET brings; LAST, who always reads it, waits for GET, and so retires PUT. */
static void begin_update(op_program *p, swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "update");
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS);
    const int table = swp_value(l, "table", .space = SWP_SPACE_SHARED);
    const int place = swp_value(l, "place", .space = SWP_SPACE_SHARED);
    const int got = swp_value(l, "got", .space = SWP_SPACE_REGISTERS);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS);
    const int y = swp_value(l, "y", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "PUT", .completion = SWP_COMPLETION_LGKMCNT, .reads = {{.value = x}},
             .writes = {place});
    swp_work(l, "GET", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = table}},
             .writes = {got});
    swp_work(l, "MASK", .updates = {got}, .when = {.kind = SWP_WHEN_USER});
    swp_work(l, "LAST", .reads = {{.value = got}}, .updates = {sum});
    swp_work(l, "USE", .reads = {{.value = place}}, .writes = {y});
    op_program_begin(p, ctx, l, 1, 0);
}

static void what_it_would_update_is_still_waited_for(void **state)
{
    op_program p;
    begin_update(&p, *state);
    op_program_read(&p, SWP_KERNEL, "PUT+0 GET+0 MASK+0 LAST+0 | USE+0 |");
    expect_safe(&p);
    op_program_read(&p, SWP_KERNEL, "PUT+0 GET+0 MASK+0 | USE+0 LAST+0 |");
    expect_only(&p, SWP_STALE_READ, 4);
}

/* What a real access of several registers brings is waited for by nobody; the other one retires it for MASK alone. */
static void it_waits_for_itself_alone(void **state)
{
    op_program p;
    swp_loop_builder *l = swp_loop_new(*state, "alone");
    const int table = swp_value(l, "table", .space = SWP_SPACE_SHARED);
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS);
    const int b = swp_value(l, "b", .space = SWP_SPACE_REGISTERS);
    const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    swp_work(l, "PAIR", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = table}},
             .writes = {a, b});
    swp_work(l, "ONE", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = table}},
             .writes = {c});
    swp_work(l, "MASK", .reads = {{.value = a}, {.value = c}}, .updates = {sum},
             .when = {.kind = SWP_WHEN_USER});
    swp_work(l, "LAST", .reads = {{.value = b}, {.value = c}});
    op_program_begin(&p, *state, l, 1, 0);
    op_program_read(&p, SWP_KERNEL, "PAIR+0 ONE+0 MASK+0 LAST+0");
    expect_safe(&p);
    op_program_read(&p, SWP_KERNEL, "ONE+0 PAIR+0 MASK+0 l0 LAST+0");
    expect_only(&p, SWP_REGISTER_NOT_READY, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_op_that_may_not_run_retires_nothing),
        CONTEXT_TEST(a_scoreboard_knows_no_better),
        CONTEXT_TEST(a_raw_register_must_be_there_if_it_runs),
        CONTEXT_TEST(what_it_would_update_is_still_waited_for),
        CONTEXT_TEST(it_waits_for_itself_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
