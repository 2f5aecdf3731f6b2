/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mutant table: from every built-in kernel, all that one small edit makes of it
 * (tests/judges/mutants.h), judged by the verifier and by the unrolled judge.
 *
 *   caught      the proof finds a hazard that the base has not, or has from a larger N only
 *   equivalent  it finds none; why, says tests/judges/cover.h
 *   wrong       the judges disagree on which it is: a defect of one of them
 *
 * Of safe bases every seventh mutant is executed: each hazard of a caught one is shown, at the
 * number of tiles that the verifier names, and an equivalent one goes right in adversarial runs.
 *
 * A random part of the mutants is taken, unless SWP_FULL=1; SWP_LIST=1 prints every equivalent one;
 * SWP_ONLY=TEXT takes the bases whose names hold TEXT; SWP_STRICT=1 allows no difference between
 * the judges' lists of hazards either.
 */
#include "fixture.h"

#include "builtins.h"
#include "cover.h"
#include "executed.h"
#include "random.h"
#include "unrolled.h"
#include "worse.h"

#include <stdlib.h>
#include <string.h>

enum { TILES = 12, EXECUTED = 7, RUNS = 16, SHOWN = 10 };

/* One of so many mutants is taken; SWP_FULL=1: each. */
#ifdef NDEBUG
enum { PART = 4 };
#else
enum { PART = 40 };
#endif

#define LGKM_4 "pipeline.lgkm_per_load_a=4 pipeline.lgkm_per_load_b=4"
#define LGKM_8 "schedule.lgkm_per_load_a=8 schedule.lgkm_per_load_b=8"
#define DERIVED(goal) "schedule.sync=derived schedule.sync_goal=" goal

typedef struct origin {
    const char *name;
    const char *words;
} origin;

static const origin origins[] = {
    {"single buffer, T = 1", "single_buffer num_k_tiles=1"},
    {"single buffer, T = 2", "single_buffer num_k_tiles=2"},
    {"single buffer, T = 4", "single_buffer num_k_tiles=4"},
    {"single buffer, T = 8", "single_buffer num_k_tiles=8"},
    {"T = 2, derived", "single_buffer num_k_tiles=2 " DERIVED("cycles")},
    {"T = 4, derived, raw registers",
     "single_buffer num_k_tiles=4 " DERIVED("barriers") " machine.registers=raw"},
    {"T = 2, derived, all raw",
     "single_buffer num_k_tiles=2 " DERIVED("cycles") " machine.barrier=raw machine.registers=raw"},
    {"ping-pong", "pingpong"},
    {"ping-pong, first row", "pingpong " LGKM_8},
    {"first row, raw registers", "pingpong " LGKM_8 " machine.registers=raw"},
    {"first row, fenced", "pingpong " LGKM_8 " machine.barrier=fenced"},
    {"ping-pong, second row", "pingpong pipeline.max_globals=0 " LGKM_4},
    {"second row, raw registers, fenced",
     "pingpong pipeline.max_globals=0 " LGKM_4 " machine.registers=raw machine.barrier=fenced"},
    {"ping-pong, manual waits", "pingpong " LGKM_8 " schedule.auto_waits=false "
                                "schedule.wait_lgkm_first=8 schedule.wait_vm_last=6"},
    {"ping-pong, derived for barriers", "pingpong " LGKM_8 " " DERIVED("barriers")},
    {"ping-pong, derived for cycles", "pingpong " LGKM_8 " " DERIVED("cycles")},
    {"ping-pong, not paced, for barriers",
     "pingpong " LGKM_8 " " DERIVED("barriers") " schedule.sync_pace=false"},
    {"ping-pong, not paced, for cycles",
     "pingpong " LGKM_8 " " DERIVED("cycles") " schedule.sync_pace=false"},
    {"ping-pong, derived, raw registers",
     "pingpong " LGKM_8 " " DERIVED("cycles") " machine.registers=raw"},
    {"4-wave, as published", "fourwave " LGKM_4},
    {"4-wave, derived for barriers", "fourwave " LGKM_4 " " DERIVED("barriers")},
    {"4-wave, derived for cycles", "fourwave " LGKM_4 " " DERIVED("cycles")},
    {"4-wave, derived, fenced",
     "fourwave " LGKM_4 " " DERIVED("barriers") " machine.barrier=fenced"},
    {"4-wave, derived, raw registers",
     "fourwave " LGKM_4 " " DERIVED("cycles") " machine.registers=raw"},
};

typedef enum result { CAUGHT, EQUIVALENT, WRONG, RESULTS } result;

typedef struct tally {
    int results[MUTANT_KINDS][RESULTS];
    int reasons[COVER_REASONS][MUTANT_KINDS];
    int covered;   /* equivalents that delete or weaken, and have a cover */
    int confirmed; /* those of them that are caught without the cover */
    int lists_differ;
    int executed[RESULTS]; /* mutants */
    int shown;             /* hazards */
} tally;

typedef struct examiner {
    swp_context *ctx;
    const char *name; /* of the base */
    const swp_schedule *base;
    hazard_set proved; /* of the base */
    hazard_set judged;
    link_list links;
    tally sum;
    test_random random;
    int part; /* about one mutant in so many is taken */
    int all;  /* mutants there are */
    int taken[RESULTS];
    int complaints;
} examiner;

static hazard_set judge(const swp_schedule *schedule, const mutant *m, const swp_schedule *base)
{
    judgement judged = unrolled_judge(schedule, TILES);
    const hazard_set set = hazards_of_judgement(&judged, m, base);
    judgement_free(&judged);
    return set;
}

static void print_mutant(const examiner *e, const mutant *m)
{
    const swp_entry_list *entries = swp_schedule_phase(e->base, m->phase);
    print_message("  %s: %s %s %d (%s) %s\n", e->name, mutant_kind_name(m->kind),
                  swp_phase_name(m->phase), m->entry,
                  swp_schedule_op_name(e->base, entries->items[m->entry].op.tag), m->change);
}

static void print_hazards(const char *judge_name, const hazard_set *set)
{
    for (int i = 0; i < set->count; i++) {
        const judged_hazard *h = &set->items[i];
        print_message("    %s: %s at the base's %s %d from N = %d\n", judge_name,
                      swp_hazard_name(h->kind), swp_phase_name(h->phase), h->entry, h->smallest_n);
    }
}

static void complain(examiner *e, const mutant *m, const char *what, const hazard_set *proved,
                     const hazard_set *judged)
{
    if (++e->complaints > SHOWN)
        return;
    print_message("%s:\n", what);
    print_mutant(e, m);
    print_hazards("verifier", proved);
    print_hazards("unrolled", judged);
}

/* --- Equivalent --- */

static void explain(examiner *e, const mutant *m)
{
    link_list links = links_of(&m->program.schedule, TILES, m, e->base);
    const cover c = cover_of(&e->links, &links, m, e->base);
    links_free(&links);
    for (int reason = 0; reason < COVER_REASONS; reason++)
        e->sum.reasons[reason][m->kind] += c.reasons[reason];
    const bool loses = m->kind == MUTANT_DELETE_WAIT || m->kind == MUTANT_WEAKEN_WAIT ||
                       m->kind == MUTANT_DELETE_BARRIER;
    const bool needed = loses && cover_is_needed(e->base, m, &c, TILES);
    e->sum.covered += loses && c.count > 0;
    e->sum.confirmed += needed;
    if (!getenv("SWP_LIST"))
        return;
    print_mutant(e, m);
    cover_print(stdout, e->base, &c);
    if (needed)
        print_message("      without this too, it is caught\n");
}

/* --- Both --- */

static void execute(examiner *e, const mutant *m, const swp_verdict *verdict, result what)
{
    if (e->proved.count > 0 || what == WRONG || e->taken[what]++ % EXECUTED != 0)
        return;
    char text[256];
    (void)snprintf(text, sizeof text, "%s: %s, %s %d %s", e->name, mutant_kind_name(m->kind),
                   swp_phase_name(m->phase), m->entry, m->change);
    e->sum.executed[what]++;
    e->sum.shown += (int)verdict->hazards.count;
    if (what == CAUGHT)
        expect_shown(&m->program.schedule, &verdict->hazards, text);
    else
        expect_right(&m->program.schedule, RUNS, text);
}

static void examine_taken(examiner *e, const mutant *m, swp_context *ctx)
{
    swp_verdict verdict;
    assert_ok(ctx, swp_verify(ctx, &m->program.schedule, NULL, 0, &verdict));
    const hazard_set proved = hazards_of_verdict(&verdict, m, e->base, TILES);
    const hazard_set judged = judge(&m->program.schedule, m, e->base);
    const bool caught = is_worse(&proved, &e->proved);
    const bool agree =
        caught == is_worse(&judged, &e->judged) && (proved.count == 0) == (judged.count == 0);
    const bool same = same_hazards(&proved, &judged);
    const result what = !agree ? WRONG : caught ? CAUGHT : EQUIVALENT;
    e->sum.results[m->kind][what]++;
    e->sum.lists_differ += !same;
    if (!agree || !same)
        complain(e, m, agree ? "the lists of hazards differ" : "the judges disagree", &proved,
                 &judged);
    if (what == EQUIVALENT)
        explain(e, m);
    execute(e, m, &verdict, what);
}

static void examine(const mutant *m, void *user)
{
    examiner *e = user;
    e->all++;
    if (random_int(&e->random, 1, e->part) != 1)
        return;
    swp_context *ctx = swp_context_new(NULL);
    assert_non_null(ctx);
    examine_taken(e, m, ctx);
    swp_context_free(ctx);
}

/* --- The table --- */

static void print_row(const char *name, const tally *sum)
{
    int all[RESULTS] = {0};
    print_message("%-44s", name);
    for (int kind = 0; kind < MUTANT_KINDS; kind++) {
        const int *r = sum->results[kind];
        print_message(" %4d/%4d/%d", r[CAUGHT], r[EQUIVALENT], r[WRONG]);
        for (int i = 0; i < RESULTS; i++)
            all[i] += r[i];
    }
    print_message(" %5d/%5d/%d\n", all[CAUGHT], all[EQUIVALENT], all[WRONG]);
}

static void print_header(const char *what)
{
    print_message("\n%-44s", what);
    for (int kind = 0; kind < MUTANT_KINDS; kind++)
        print_message(" %11s", mutant_kind_heading((mutant_kind)kind));
    print_message("\n");
}

static void add_up(tally *total, const tally *sum)
{
    for (int kind = 0; kind < MUTANT_KINDS; kind++) {
        for (int i = 0; i < RESULTS; i++)
            total->results[kind][i] += sum->results[kind][i];
        for (int reason = 0; reason < COVER_REASONS; reason++)
            total->reasons[reason][kind] += sum->reasons[reason][kind];
    }
    total->covered += sum->covered;
    total->confirmed += sum->confirmed;
    total->lists_differ += sum->lists_differ;
    for (int i = 0; i < RESULTS; i++)
        total->executed[i] += sum->executed[i];
    total->shown += sum->shown;
}

static void print_total(const tally *total)
{
    print_row("all", total);
    print_header("equivalent because (several may hold)");
    for (int reason = 0; reason < COVER_REASONS; reason++) {
        print_message("%-44s", cover_reason_meaning((cover_reason)reason));
        for (int kind = 0; kind < MUTANT_KINDS; kind++)
            print_message(" %11d", total->reasons[reason][kind]);
        print_message("\n");
    }
    print_message("\nof %d waits and barriers with a cover, %d are caught when that goes as well\n",
                  total->covered, total->confirmed);
    print_message("executed: %d caught ones, whose %d hazards all show, and %d equivalent ones\n",
                  total->executed[CAUGHT], total->shown, total->executed[EQUIVALENT]);
    print_message("lists of hazards differ in %d\n", total->lists_differ);
}

static void examine_origin(examiner *e, const origin *from)
{
    swp_schedule *schedule = compile_builtin(e->ctx, from->words);
    e->name = from->name;
    e->base = schedule;
    e->sum = (tally){0};
    swp_verdict verdict;
    assert_ok(e->ctx, swp_verify(e->ctx, schedule, NULL, 0, &verdict));
    e->proved = hazards_of_verdict(&verdict, NULL, schedule, TILES);
    e->judged = judge(schedule, NULL, schedule);
    assert_true(same_hazards(&e->proved, &e->judged));
    e->links = links_of(schedule, TILES, NULL, schedule);
    mutants_visit(schedule, examine, e);
    links_free(&e->links);
    swp_schedule_free(schedule);
}

static void mutants_are_caught_or_equivalent(void **state)
{
    const char *only = getenv("SWP_ONLY");
    tally total = {.covered = 0};
    examiner e = {.ctx = *state, .part = getenv("SWP_FULL") ? 1 : PART};
    e.random = random_for_case(random_seed(1), 0);
    print_header("caught/equivalent/wrong");
    for (size_t i = 0; i < COUNT_OF(origins); i++) {
        if (only && !strstr(origins[i].name, only))
            continue;
        examine_origin(&e, &origins[i]);
        print_row(origins[i].name, &e.sum);
        add_up(&total, &e.sum);
    }
    print_total(&total);
    print_message("%s of %d mutants\n", e.part == 1 ? "all" : "a random part (SWP_FULL=1: all)",
                  e.all);
    int wrong = 0;
    for (int kind = 0; kind < MUTANT_KINDS; kind++)
        wrong += total.results[kind][WRONG];
    assert_int_equal(wrong, 0);
    if (getenv("SWP_STRICT"))
        assert_int_equal(total.lists_differ, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(mutants_are_caught_or_equivalent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
