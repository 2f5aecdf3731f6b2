/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each rule of the proof of bodies is needed: taken away, the proof says something else of some program than
 * the unrolled judge. Rules that few programs turn on have one here, by hand; for the others the
 * programs are those of test_judges.c, in that order, until all are shown.
 */
#include "fixture.h"

#include "agree.h"
#include "generator.h"
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

static bool has_witness(swp_rule rule)
{
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
    const int wanted = SWP_NO_RULE - (int)COUNT_OF(witnesses);
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
        CONTEXT_TEST(every_other_rule_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
