/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hints of schedules with warp roles: one entry of a safe schedule is removed or changed, and of each hazard that comes of it the hint is read as
 * a user would and done to the schedule. The judge that writes runs out knows nothing of hints. It says whether the hazard is gone and
 * whether another has come; so does the proof.
 *
 * The schedules are the built-ins with roles and random ones. A random part of the edits is taken, which SWP_SEED chooses; SWP_FULL=1 takes
 * each of those of the built-ins. SWP_LIST=1 prints every hint that names no edit; SWP_ONLY=TEXT takes the schedules whose names hold TEXT.
 */
#include "fixture.h"

#include "builtins.h"
#include "random.h"
#include "role_hint.h"
#include "roles_generator.h"
#include "roles_mutants.h"
#include "roles_unrolled.h"

#include "ir/roles.h"
#include "ir/schedule.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10, MOST_TILES = 2, LESS_OF_TILES = 10, RANDOM_SCHEDULES = 300 };

/* One of so many edits is taken, of a built-in and of a random schedule. */
#ifdef NDEBUG
enum { PART = 120, PART_OF_RANDOM = 2400 };
#else
enum { PART = 800, PART_OF_RANDOM = 20000 };
#endif
enum { FULL_PART_OF_RANDOM = 20 };

static const char *const origins[] = {
    "gemm_ws",
    "attention_ws",
    "attention_ws loop.causal=true",
    "gemm_ws loop.persistent=true",
    "attention_ws loop.persistent=true",
};

typedef struct tally {
    int hazards;
    int named;  /* whose hint names an edit */
    int gone;   /* of those: it is not there afterwards */
    int warned; /* of those: the hint says that another will show */
    int clean;  /* of the others: no other has come */
} tally;

typedef struct examiner {
    const char *words; /* of the base */
    test_random random;
    int part;
    int schedules; /* with hazards */
    int shown;
    tally sums[SWP_HAZARD_KINDS];
} examiner;

/* --- One hint --- */

static int longest_of(const swp_schedule *schedule)
{
    return schedule->loop.min_tiles + schedule->loop.tiles_per_pass;
}

static judgement judge(const swp_schedule *schedule)
{
    judgement out;
    if (schedule->output_tiles)
        roles_unrolled_judge_tiles(schedule, longest_of(schedule), MOST_TILES, &out);
    else
        roles_unrolled_judge(schedule, roles_most_n(schedule), &out);
    return out;
}

/* Of a schedule with output tiles the forms of all of its tiles may have the entry: then any will do. */
static int form_of(const swp_schedule *schedule, const judged_hazard *h)
{
    return swp_ir_form_at(schedule, h->phase, schedule->output_tiles ? -1 : h->smallest_n);
}

static bool is_told(const judgement *judged, swp_hazard_kind kind, int stream, swp_phase phase,
                    int entry)
{
    for (size_t i = 0; i < judged->count; i++) {
        const judged_hazard *h = &judged->items[i];
        if (h->kind == kind && h->stream == stream && h->phase == phase && h->entry == entry)
            return true;
    }
    return false;
}

static bool is_seen(const swp_schedule *schedule, const swp_hazard *hazard)
{
    const int most = schedule->output_tiles ? longest_of(schedule) : roles_most_n(schedule);
    if (!hazard->tiles)
        return hazard->smallest_n <= most;
    for (int t = 0; t < hazard->tile_count; t++)
        if (hazard->tiles[t] > most)
            return false;
    return hazard->tile_count <= MOST_TILES;
}

static void complain(examiner *e, const role_mutant *m, const swp_hazard *hazard, const char *what)
{
    if (e->shown++ >= SHOWN && !getenv("SWP_LIST"))
        return;
    print_message("%s: %s, %s, %s\n  %s at %s %s %d (%s): %s\n", what, e->words,
                  role_mutant_kind_name(m->kind), m->what, swp_hazard_name(hazard->kind),
                  hazard->role, swp_phase_name(hazard->at.phase), hazard->at.entry, hazard->name,
                  hazard->hint);
}

/* What the judge finds is what it found before, less the hazard. */
static void judge_done(examiner *e, const role_mutant *m, const swp_hazard *hazard,
                       const role_hint *done)
{
    tally *sum = &e->sums[hazard->kind];
    const bool warned = strstr(hazard->hint, "verify again") != NULL;
    judgement after = judge(&done->schedule);
    judgement before = {0};
    bool gone = true;
    bool clean = true;
    if (after.count > 0)
        before = judge(m->schedule);
    for (size_t i = 0; i < after.count; i++) {
        const judged_hazard *h = &after.items[i];
        const int entry =
            role_hint_entry_before(done, h->stream, h->phase, form_of(m->schedule, h), h->entry);
        if (h->kind == hazard->kind && h->stream == hazard->stream &&
            h->phase == hazard->at.phase && entry == hazard->at.entry)
            gone = false;
        else if (!is_told(&before, h->kind, h->stream, h->phase, entry))
            clean = false;
    }
    judgement_free(&before);
    judgement_free(&after);
    sum->gone += gone;
    sum->warned += gone && warned;
    sum->clean += gone && clean && !warned;
    if (!gone || !(clean || warned))
        complain(e, m, hazard, gone ? "another hazard has come" : "the hazard is still there");
}

static int form_in(const swp_schedule *schedule, const swp_hazard *h)
{
    const int n = !h->tiles ? h->smallest_n : h->tile < h->tile_count ? h->tiles[h->tile] : 0;
    return swp_ir_form_at(schedule, h->at.phase, n);
}

/* The proof no longer finds the hazard. */
static void prove_done(swp_context *ctx, examiner *e, const role_mutant *m,
                       const swp_hazard *hazard, const role_hint *done)
{
    swp_verdict after;
    const bool legal = swp_ir_check_roles(ctx, &done->schedule) == SWP_OK;
    if (!legal)
        complain(e, m, hazard, "the schedule has no meaning any more");
    assert_true(legal);
    assert_ok(ctx, swp_verify(ctx, &done->schedule, NULL, 0, &after));
    for (size_t i = 0; i < after.hazards.count; i++) {
        const swp_hazard *h = &after.hazards.items[i];
        const int form = form_in(m->schedule, h);
        const bool is_like = h->kind == hazard->kind && h->stream == hazard->stream &&
                             h->at.phase == hazard->at.phase &&
                             form == form_in(m->schedule, hazard);
        assert_false(is_like && role_hint_entry_before(done, h->stream, h->at.phase, form,
                                                       h->at.entry) == hazard->at.entry);
    }
}

static void examine_hazard(swp_context *ctx, examiner *e, const role_mutant *m,
                           const swp_hazard *hazard)
{
    tally *sum = &e->sums[hazard->kind];
    role_hint done;
    if (!is_seen(m->schedule, hazard))
        return;
    sum->hazards++;
    if (role_hint_apply(ctx, m->schedule, hazard->hint, &done)) {
        sum->named++;
        prove_done(ctx, e, m, hazard, &done);
        judge_done(e, m, hazard, &done);
    } else if (getenv("SWP_LIST")) {
        complain(e, m, hazard, "no edit");
    }
}

/* --- One schedule --- */

static void examine(const role_mutant *m, void *user)
{
    examiner *e = user;
    const int part = e->part > 1 && m->schedule->output_tiles ? e->part * LESS_OF_TILES : e->part;
    const bool is_of_entry =
        m->kind != ROLE_ARRIVALS && m->kind != ROLE_OBJECT_SLOTS && m->kind != ROLE_VALUE_SLOTS;
    if (!is_of_entry || random_int(&e->random, 1, part) != 1)
        return;
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict;
    assert_non_null(ctx);
    if (swp_ir_check_roles(ctx, m->schedule) == SWP_OK) {
        assert_ok(ctx, swp_verify(ctx, m->schedule, NULL, 0, &verdict));
        assert_ok(ctx, swp_verify_repairs(ctx, m->schedule, &verdict));
        e->schedules += verdict.hazards.count > 0;
        for (size_t i = 0; i < verdict.hazards.count; i++)
            examine_hazard(ctx, e, m, &verdict.hazards.items[i]);
    }
    swp_context_free(ctx);
}

static void examine_base(examiner *e, swp_schedule *base)
{
    role_mutants_visit(base, examine, e);
    role_mutants_visit_removals(base, examine, e);
}

/* --- The table --- */

static void print_row(const char *name, const tally *sum)
{
    print_message("%-24s %8d %14d %8d %12d %14d\n", name, sum->hazards, sum->named, sum->gone,
                  sum->clean, sum->warned);
}

static void check(const examiner *e)
{
    tally all = {0};
    print_message("%d schedules\n%-24s %8s %14s %8s %12s %14s\n", e->schedules, "", "hazards",
                  "name an edit", "gone", "none comes", "another hides");
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++) {
        const tally *sum = &e->sums[kind];
        if (sum->hazards > 0)
            print_row(swp_hazard_name((swp_hazard_kind)kind), sum);
        all.hazards += sum->hazards;
        all.named += sum->named;
        all.gone += sum->gone;
        all.clean += sum->clean;
        all.warned += sum->warned;
    }
    print_row("all", &all);
    assert_int_equal(all.gone, all.named);
    assert_int_equal(all.clean + all.warned, all.named);
    assert_true(100 * all.named >= 95 * all.hazards);
}

static bool is_taken(const char *words)
{
    const char *only = getenv("SWP_ONLY");
    return !only || strstr(words, only);
}

static void hints_repair_builtins(void **state)
{
    examiner e = {.part = getenv("SWP_FULL") ? 1 : PART};
    e.random = random_for_case(random_seed(1), 0);
    for (size_t i = 0; i < COUNT_OF(origins); i++) {
        e.words = origins[i];
        if (!is_taken(e.words))
            continue;
        swp_schedule *base = compile_builtin(*state, e.words);
        examine_base(&e, base);
        swp_schedule_free(base);
    }
    check(&e);
}

static void hints_repair_random_schedules(void **state)
{
    (void)state;
    const uint64_t seed = random_seed(1);
    examiner e = {.words = "random",
                  .part = getenv("SWP_FULL") ? FULL_PART_OF_RANDOM : PART_OF_RANDOM};
    for (int i = 0; i < RANDOM_SCHEDULES && is_taken(e.words); i++) {
        e.random = random_for_case(seed, (uint64_t)i);
        random_roles p = random_roles_safe(&e.random);
        examine_base(&e, &p.schedule);
        random_roles_free(&p);
    }
    check(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(hints_repair_builtins),
        CONTEXT_TEST(hints_repair_random_schedules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
