/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hints that repair: of every hazard of the built-ins' mutants (tests/judges/mutants.h) the hint is
 * read as a user would and done to the schedule; the unrolled judge, which knows nothing of hints,
 * then says whether the hazard is gone and whether another has come.
 *
 * A random part of the mutants is taken, which SWP_SEED chooses, unless SWP_FULL=1; SWP_LIST=1 prints every hint
 * that names no edit; SWP_ONLY=TEXT takes the bases whose words hold TEXT.
 */
#include "fixture.h"

#include "builtins.h"
#include "mutants.h"
#include "random.h"
#include "unrolled.h"

#include <stdlib.h>
#include <string.h>

enum { TILES = 12, SHOWN = 10 };

/* One of so many mutants is taken; SWP_FULL=1: each. */
#ifdef NDEBUG
enum { PART = 5 };
#else
enum { PART = 150 };
#endif

static const char *const origins[] = {
    "single_buffer num_k_tiles=1",
    "single_buffer num_k_tiles=2",
    "single_buffer num_k_tiles=2 machine.barrier=raw machine.registers=raw",
    "pingpong",
    "pingpong machine.registers=raw",
    "pingpong schedule.sync=derived schedule.sync_goal=barriers",
    "fourwave",
    "fourwave schedule.sync=derived",
};

typedef struct tally {
    int hazards;
    int named;  /* whose hint names an edit */
    int gone;   /* of those: it is not there afterwards */
    int warned; /* of those: the hint says that another will show */
    int clean;  /* of the others: no other has come */
} tally;

typedef struct examiner {
    swp_context *ctx;
    const char *words; /* of the base */
    test_random random;
    int part; /* about one mutant in so many is taken */
    int shown;
    tally sums[SWP_HAZARD_KINDS];
} examiner;

/* --- Doing what a hint says --- */

typedef struct done {
    program program;
    swp_phase phase; /* that was edited... */
    int at;          /* ...from here on by `count` entries, or to `to` by a move */
    int count;
    int to; /* -1: no move */
} done;

static swp_phase phase_named(const char *name)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        if (strcmp(name, swp_phase_name(phase)) == 0)
            return phase;
    fail_msg("no phase: %s", name);
    return SWP_PROLOGUE;
}

/* "before PHASE entry N ..." or "at the end of the PHASE". */
static bool read_position(done *d, const char *text, int *at)
{
    char name[16];
    if (sscanf(text, " before %15s entry %d", name, at) == 2) {
        d->phase = phase_named(name);
        return true;
    }
    if (sscanf(text, " at the end of the %15s", name) != 1)
        return false;
    d->phase = phase_named(name);
    *at = (int)program_phase(&d->program, d->phase)->count;
    return true;
}

/* An op as the schedule has it elsewhere. */
static swp_op op_named(const swp_schedule *schedule, const char *name)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
        for (size_t i = 0; i < entries->count; i++)
            if (!strcmp(swp_schedule_op_name(schedule, entries->items[i].op.tag), name))
                return entries->items[i].op;
    }
    fail_msg("no %s in the schedule", name);
    return swp_op_none();
}

/* "NAME (stage S, subtile T)" or "NAME (stage S, subtile T, k_offset K)". */
static int read_data_op(const done *d, const char *text, swp_op *op)
{
    char name[32];
    char k_offset[16];
    int stage = 0;
    int subtile = 0;
    int length = 0;
    if (sscanf(text, " %31s (stage %d, subtile %d%n", name, &stage, &subtile, &length) != 3)
        return 0;
    *op = op_named(&d->program.schedule, name);
    op->stage = stage;
    op->subtile = subtile;
    if (sscanf(text + length, ", k_offset %15[^)]", k_offset) == 1)
        assert_true(swp_k_offset_from_name(k_offset, &op->k_offset));
    return (int)(strchr(text, ')') - text) + 1;
}

/* One op of "insert OP, OP before ...". */
static const char *read_op(const done *d, const char *text, swp_op *op)
{
    int number = 0;
    int length = 0;
    if (sscanf(text, " wait_vm %d%n", &number, &length) == 1)
        *op = swp_op_wait_vm(number);
    else if (sscanf(text, " wait_lgkm %d%n", &number, &length) == 1)
        *op = swp_op_wait_lgkm(number);
    else if (sscanf(text, " barrier%n", &length) == 0 && length > 0)
        *op = swp_op_barrier();
    else if ((length = read_data_op(d, text, op)) == 0)
        fail_msg("no op: %s", text);
    return text + length;
}

static bool do_insert(done *d, const char *text)
{
    swp_op ops[3];
    const char *rest = text;
    do
        rest = read_op(d, rest, &ops[d->count++]);
    while (*rest == ',' && rest++ && d->count < 3);
    assert_true(read_position(d, rest, &d->at));
    for (int i = 0; i < d->count; i++)
        program_insert(&d->program, d->phase, d->at + i, ops[i]);
    return true;
}

static void set_member(swp_op *op, const char *member, const char *value)
{
    if (!strcmp(member, "wait"))
        op->wait_value = atoi(value);
    else if (!strcmp(member, "stage"))
        op->stage = atoi(value);
    else if (!strcmp(member, "subtile"))
        op->subtile = atoi(value);
    else
        assert_true(!strcmp(member, "k_offset") && swp_k_offset_from_name(value, &op->k_offset));
}

static bool do_set(done *d, const char *text)
{
    char member[16];
    char name[16];
    char value[16];
    swp_machine *machine = &d->program.schedule.machine;
    if (sscanf(text, "set machine.lag_prologue_index to %d", &machine->lag_prologue_index) == 1)
        return true;
    if (!strcmp(text, "set machine.lag_end_barrier to true"))
        return machine->lag_end_barrier = true;
    if (sscanf(text, "set %15s of %15s entry %d (%*[^)]) to %15[^;]", member, name, &d->at,
               value) != 4)
        return false;
    d->phase = phase_named(name);
    set_member(&program_phase(&d->program, d->phase)->items[d->at].op, member, value);
    return true;
}

static bool do_move(done *d, const char *text)
{
    char name[16];
    int length = 0;
    if (sscanf(text, "move %15s entry %d (%*[^)])%n", name, &d->at, &length) != 2)
        return false;
    assert_true(read_position(d, text + length, &d->to));
    const swp_op op = program_phase(&d->program, d->phase)->items[d->at].op;
    program_delete(&d->program, d->phase, d->at);
    d->to -= d->to > d->at;
    program_insert(&d->program, d->phase, d->to, op);
    return true;
}

static bool do_remove(done *d, const char *text)
{
    char name[16];
    if (sscanf(text, "remove %15s entry %d", name, &d->at) != 2)
        return false;
    d->phase = phase_named(name);
    d->count = -1;
    program_delete(&d->program, d->phase, d->at);
    return true;
}

static bool do_hint(done *d, const char *hint)
{
    if (!strncmp(hint, "insert ", 7))
        return do_insert(d, hint + 7);
    return do_set(d, hint) || do_move(d, hint) || do_remove(d, hint);
}

/* Where an entry of the edited schedule stood before; -1 for a new one. */
static int entry_before(const done *d, swp_phase phase, int entry)
{
    if (phase != d->phase)
        return entry;
    if (d->to >= 0) {
        if (entry == d->to)
            return d->at;
        const int without = entry - (entry > d->to);
        return without + (without >= d->at);
    }
    if (d->count > 0 && entry >= d->at && entry < d->at + d->count)
        return -1;
    return entry >= d->at ? entry - d->count : entry;
}

/* --- Counting --- */

static bool holds(const judgement *judged, swp_hazard_kind kind, swp_phase phase, int entry)
{
    for (size_t i = 0; i < judged->count; i++) {
        const judged_hazard *h = &judged->items[i];
        if (h->kind == kind && h->phase == phase && h->entry == entry)
            return true;
    }
    return false;
}

static void complain(examiner *e, const mutant *m, const swp_hazard *hazard, const char *what)
{
    if (e->shown++ >= SHOWN && !getenv("SWP_LIST"))
        return;
    print_message("%s: %s, %s, %s %d %s\n  %s at %s %d (%s): %s\n", what, e->words,
                  mutant_kind_name(m->kind), swp_phase_name(m->phase), m->entry, m->change,
                  swp_hazard_name(hazard->kind), swp_phase_name(hazard->at.phase), hazard->at.entry,
                  hazard->name, hazard->hint);
}

static void examine_done(examiner *e, const mutant *m, const swp_hazard *hazard,
                         const judgement *before, const done *d)
{
    tally *sum = &e->sums[hazard->kind];
    judgement after = unrolled_judge(&d->program.schedule, TILES);
    bool gone = true;
    bool clean = true;
    for (size_t i = 0; i < after.count; i++) {
        const judged_hazard *h = &after.items[i];
        const int entry = entry_before(d, h->phase, h->entry);
        if (h->kind == hazard->kind && h->phase == hazard->at.phase && entry == hazard->at.entry)
            gone = false;
        else if (!holds(before, h->kind, h->phase, entry))
            clean = false;
    }
    judgement_free(&after);
    sum->gone += gone;
    const bool warned = strstr(hazard->hint, "verify again") != NULL;
    sum->warned += gone && warned;
    sum->clean += gone && clean && !warned;
    if (!gone || !(clean || warned))
        complain(e, m, hazard, gone ? "another hazard has come" : "the hazard is still there");
}

static void examine_hazard(examiner *e, const mutant *m, const swp_hazard *hazard,
                           const judgement *before)
{
    tally *sum = &e->sums[hazard->kind];
    if (hazard->smallest_n > TILES)
        return;
    sum->hazards++;
    done d = {.program = program_copy(&m->program.schedule), .to = -1};
    if (do_hint(&d, hazard->hint)) {
        sum->named++;
        examine_done(e, m, hazard, before, &d);
    } else {
        assert_true(!strncmp(hazard->hint, "no single edit", 14));
        if (getenv("SWP_LIST"))
            complain(e, m, hazard, "no edit");
    }
    program_free(&d.program);
}

static void examine(const mutant *m, void *user)
{
    examiner *e = user;
    const int taken = random_int(&e->random, 1, e->part);
    if (taken != 1)
        return;
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    assert_non_null(ctx);
    assert_ok(ctx, swp_verify(ctx, &m->program.schedule, NULL, 0, &verdict));
    assert_ok(ctx, swp_verify_repairs(ctx, &m->program.schedule, &verdict));
    judgement before = unrolled_judge(&m->program.schedule, TILES);
    for (size_t i = 0; i < verdict.hazards.count; i++)
        examine_hazard(e, m, &verdict.hazards.items[i], &before);
    judgement_free(&before);
    swp_context_free(ctx);
}

static void print_row(const char *name, const tally *sum)
{
    print_message("%-20s %8d %14d %8d %12d %14d\n", name, sum->hazards, sum->named, sum->gone,
                  sum->clean, sum->warned);
}

static void hints_remove_their_hazards(void **state)
{
    const char *only = getenv("SWP_ONLY");
    examiner e = {.ctx = *state, .part = getenv("SWP_FULL") ? 1 : PART};
    e.random = random_for_case(random_seed(1), 0);
    for (size_t i = 0; i < COUNT_OF(origins); i++) {
        e.words = origins[i];
        if (only && !strstr(e.words, only))
            continue;
        swp_schedule *schedule = compile_builtin(e.ctx, e.words);
        mutants_visit(schedule, examine, &e);
        swp_schedule_free(schedule);
    }
    tally all = {0};
    print_message("%-20s %8s %14s %8s %12s %14s\n", "", "hazards", "name an edit", "gone",
                  "none comes", "another hides");
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++) {
        const tally *sum = &e.sums[kind];
        print_row(swp_hazard_name((swp_hazard_kind)kind), sum);
        all.hazards += sum->hazards;
        all.named += sum->named;
        all.gone += sum->gone;
        all.clean += sum->clean;
        all.warned += sum->warned;
    }
    print_row("all", &all);
    assert_true(all.hazards > 0);
    assert_int_equal(all.gone, all.named);
    assert_int_equal(all.clean + all.warned, all.named);
    assert_true(100 * all.named >= 95 * all.hazards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(hints_remove_their_hazards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
