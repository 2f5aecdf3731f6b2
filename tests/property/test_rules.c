/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each rule of the proof is needed: taken away, the proof says something else of some program than
 * the unrolled judge. Rules that few programs turn on have one here, by hand; for the others the
 * programs are those of test_judges.c, in that order, until all are shown.
 */
#include "fixture.h"

#include "agree.h"
#include "generator.h"
#include "loop_unrolled.h"
#include "op_program.h"
#include "unrolled.h"
#include "verify/bodies/bodies.h"

enum { TILES = 12, BUILT_INS = 40, MOST_PROGRAMS = 10000 };

/* A program by hand that turns on one rule. tests/judges/words.h has the notation. */
typedef struct witness {
    swp_rule rule;
    bool single_buffer;
    const char *phases[3];
    swp_machine machine; /* zeros: that of words.h */
} witness;

static const witness witnesses[] = {
    /* The lagging group's fragment load is done when its lag begins. */
    {SWP_RULE_FENCED_LAG,
     true,
     {"L S | L f0", "| | S L c0 | | f0", "| | S c0 | | f0 c0"},
     {.groups = 2,
      .waves_per_group = 1,
      .lag = 1,
      .lag_prologue_index = 2,
      .lag_end_barrier = true,
      .barrier = SWP_BARRIER_FENCED,
      .vm_max = 63,
      .lgkm_max = 15}},
    /* The last COMPUTE adds nothing, and reads a register in flight. */
    {SWP_RULE_SURPLUS_USE,
     false,
     {"A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0 |",
      "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |",
      "a0.0 b0.0 l0 m0.0 a1.0 b1.0 l0 m0.0 a0.0 m0.0"},
     {.groups = 1,
      .waves_per_group = 2,
      .registers = SWP_REGISTERS_RAW,
      .vm_max = 63,
      .lgkm_max = 15}},
    /* c0 waits for f0 alone; f1 has read before that, and so before S. */
    {SWP_RULE_SCOREBOARD_OF_LDS,
     true,
     {"L v0 S l0 | L", "f1 f0 c0 | v0 S L c1 l0 |", "f1 f0 c0 | v0 S c1 l0 | f1 f0 c0 c1"},
     {.groups = 1,
      .waves_per_group = 2,
      .registers = SWP_REGISTERS_SCOREBOARD,
      .vm_max = 63,
      .lgkm_max = 15}},
    /* Sixteen loads in flight, four of them counted: a stall would retire the first. */
    {SWP_RULE_WRAP,
     false,
     {"A0.0:k0*4 B0.0:k0*4 A1.0:k1*4 B1.0:k1*4 |",
      "v0 | a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0",
      "a0.0 b0.0 m0.0 v0 | a1.0 b1.0 m0.0"},
     {.groups = 1,
      .waves_per_group = 2,
      .vm_max = 4,
      .lgkm_max = 15,
      .counter_full = SWP_COUNTER_WRAPS}},
    /* The prologue's read is stale. That the store of pass 0 may overtake it too is not told. */
    {SWP_RULE_READ_TOLD, true, {"L S f0 L", "c0 S L | f0", "c0 | S | f0 c0"}, {0}},
    /* Only the epilogue stores: the last pass reads too early, those before read what never comes. */
    {SWP_RULE_PASSES_AHEAD, true, {"", "f0 L c0", "S"}, {0}},
    /* That its last COMPUTE has the wrong tile shows first where there is no pass. */
    {SWP_RULE_SHORT_RUNS, true, {"", "f0 L c0", "S f0 c0"}, {0}},
    /* Tile 3 is stored in pass 0, after f0, and asked for when three passes are over. */
    {SWP_RULE_UNUSED_READ, true, {"L L L f0", "| | L S", "c0"}, {0}},
};

/* Of what a GEMM has on vmcnt nothing is older than what a register waits for. */
static const swp_rule rule_of_loops = SWP_RULE_SCOREBOARD;
enum { RULES_OF_LOOPS = 2 };

/* Only loops have ops that may not run: tests/unit/verify/test_conditional_ops.c has more of them. */
static void an_op_that_may_not_run_has_a_rule(void **state)
{
    op_program p;
    swp_verdict with = {0};
    swp_verdict without = {0};
    swp_loop_builder *l = swp_loop_new(*state, "mask");
    const int table = swp_value(l, "table", .space = SWP_SPACE_SHARED);
    const int place = swp_value(l, "place", .space = SWP_SPACE_SHARED);
    const int got = swp_value(l, "got", .space = SWP_SPACE_REGISTERS);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .most_slots = 1);
    const int y = swp_value(l, "y", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "PUT", .completion = SWP_COMPLETION_LGKMCNT, .reads = {{.value = y, .distance = 1}},
             .writes = {place});
    swp_work(l, "GET", .completion = SWP_COMPLETION_COUNTER, .reads = {{.value = table}},
             .writes = {got});
    swp_work(l, "MASK", .reads = {{.value = got}}, .updates = {sum},
             .when = {.kind = SWP_WHEN_USER});
    swp_work(l, "USE", .reads = {{.value = place}}, .updates = {y});
    op_program_begin(&p, *state, l, 1, 0);
    op_program_read(&p, SWP_KERNEL, "PUT+0 GET+0 MASK+0 | USE+0 |");
    assert_ok(*state, swp_bodies_verify(*state, &p.schedule, SWP_NO_RULE, &with));
    assert_ok(*state, swp_bodies_verify(*state, &p.schedule, SWP_RULE_MAY_NOT_RUN, &without));
    assert_int_equal(with.hazards.count, 1);
    assert_int_equal(without.hazards.count, 0);
}

static bool has_witness(swp_rule rule)
{
    if (rule == rule_of_loops || rule == SWP_RULE_MAY_NOT_RUN)
        return true;
    for (size_t i = 0; i < COUNT_OF(witnesses); i++)
        if (witnesses[i].rule == rule)
            return true;
    return false;
}

static program program_of(const witness *w)
{
    program p = w->single_buffer ? program_single_buffer() : program_double_buffer();
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        program_read(&p, phase, w->phases[phase]);
    if (w->machine.groups > 0)
        p.schedule.machine = w->machine;
    return p;
}

/* What was found of one rule. */
typedef struct finding {
    bool found;
    size_t program;
    char text[160];
} finding;

static void try_without(const swp_schedule *schedule, const judgement *judged, swp_rule rule,
                        finding *out)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict = {0};
    assert_non_null(ctx);
    if (swp_bodies_verify(ctx, schedule, rule, &verdict) != SWP_OK) {
        out->found = true;
        (void)snprintf(out->text, sizeof out->text, "no answer");
    } else {
        const disagreement d = judges_disagree(judged, &verdict, TILES);
        out->found = d.found;
        if (d.found)
            disagreement_print(out->text, sizeof out->text, &d);
    }
    swp_context_free(ctx);
}

static void print_finding(const char *where, swp_rule rule, const finding *f)
{
    print_message("  %-14s without \"%s\": %s\n", where, swp_bodies_rule_meaning(rule),
                  f->found ? f->text : "NO DIFFERENCE");
}

static void every_rule_with_a_witness_is_needed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(witnesses); i++) {
        program p = program_of(&witnesses[i]);
        judgement judged = unrolled_judge(&p.schedule, TILES);
        finding with = {0};
        finding without = {0};
        try_without(&p.schedule, &judged, SWP_NO_RULE, &with);
        try_without(&p.schedule, &judged, witnesses[i].rule, &without);
        print_finding("by hand", witnesses[i].rule, &without);
        judgement_free(&judged);
        program_free(&p);
        assert_false(with.found);
        assert_true(without.found);
    }
}

/* Both are on vmcnt; the scoreboard waits for x alone. */
static void a_rule_of_loops_is_needed(void **state)
{
    op_program p;
    finding with = {0};
    finding without = {0};
    swp_loop_builder *l = swp_loop_new(*state, "two loads");
    const int y = swp_value(l, "y", .space = SWP_SPACE_SHARED);
    const int x = swp_value(l, "x", .space = SWP_SPACE_REGISTERS);
    swp_work(l, "LOAD_Y", .completion = SWP_COMPLETION_COUNTER, .writes = {y});
    swp_work(l, "LOAD_X", .completion = SWP_COMPLETION_COUNTER, .writes = {x});
    swp_work(l, "USE_X", .reads = {{.value = x}});
    swp_work(l, "USE_Y", .reads = {{.value = y}});
    op_program_begin(&p, *state, l, 1, 1);
    p.schedule.machine.registers = SWP_REGISTERS_SCOREBOARD;
    op_program_read(&p, SWP_EPILOGUE, "| LOAD_Y+0 LOAD_X+0 USE_X+0 | USE_Y+0");
    op_program_read(&p, SWP_KERNEL, "| LOAD_Y+0 LOAD_X+0 v0 USE_X+0 | USE_Y+0");
    judgement judged = loop_judge(&p.schedule, TILES - 1);
    try_without(&p.schedule, &judged, SWP_NO_RULE, &with);
    try_without(&p.schedule, &judged, rule_of_loops, &without);
    print_finding("by hand", rule_of_loops, &without);
    judgement_free(&judged);
    assert_false(with.found);
    assert_true(without.found);
}

/* @return how many rules it shows for the first time */
static int try_program(const swp_schedule *schedule, size_t index, finding findings[SWP_NO_RULE])
{
    int shown = 0;
    judgement judged = unrolled_judge(schedule, TILES);
    for (int rule = 0; rule < SWP_NO_RULE; rule++) {
        finding *f = &findings[rule];
        if (f->found || has_witness((swp_rule)rule))
            continue;
        try_without(schedule, &judged, (swp_rule)rule, f);
        f->program = index;
        shown += f->found;
    }
    judgement_free(&judged);
    return shown;
}

static void every_other_rule_is_needed(void **state)
{
    static finding findings[SWP_NO_RULE];
    const int wanted = SWP_NO_RULE - RULES_OF_LOOPS - (int)COUNT_OF(witnesses);
    const uint64_t seed = random_seed(1);
    int shown = 0;
    program_library library = program_library_new(*state, seed, BUILT_INS);
    for (size_t i = 0; i < MOST_PROGRAMS && shown < wanted; i++) {
        random_program random = random_program_new(&library, seed, i);
        shown += try_program(&random.program.schedule, i, findings);
        program_free(&random.program);
    }
    program_library_free(&library);
    for (int rule = 0; rule < SWP_NO_RULE; rule++) {
        char where[32];
        (void)snprintf(where, sizeof where, "program %zu", findings[rule].program);
        if (!has_witness((swp_rule)rule))
            print_finding(where, (swp_rule)rule, &findings[rule]);
    }
    assert_int_equal(shown, wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_with_a_witness_is_needed),
        CONTEXT_TEST(a_rule_of_loops_is_needed),
        CONTEXT_TEST(an_op_that_may_not_run_has_a_rule),
        CONTEXT_TEST(every_other_rule_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
