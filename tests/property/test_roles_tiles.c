/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of schedules with output tiles, a few edits from safe ones, against the judge that writes out all
 * sequences of a few tiles, and against the executor. SWP_SEED replays a run, SWP_CASES scales it, SWP_ONLY takes the
 * tests of that name, which may have a *.
 */
#include "fixture.h"
#include "random.h"
#include "roles_accept.h"
#include "roles_agree.h"
#include "roles_unrolled.h"
#include "safe_roles.h"

#include "ir/roles.h"

#include "swp/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4 /* two more than the rings have slots */, MOST_EDITS = 2, RUNS = 64 };

static roles_accept_tally accepted; /* that a test has seen */

/* What a test asks of a program. @return whether it is as it should be */
typedef bool ask_program(roles_program *p, test_random *random);

static void (*const shapes[])(roles_program *p, swp_context *ctx) = {
    safe_tiles, safe_queries, safe_pairs, safe_cluster_tiles, safe_halves};

/* An edit, in words, so that it can be made by hand. */
typedef struct edit {
    int what;
    int role;
    int list; /* swp_phase; then the epilogues of remainders, and the straight lists */
    int entry;
    int by;
} edit;

enum {
    DROP,
    EXCHANGE,
    MOVE_ITERATION,
    CHANGE_WAIT,
    CHANGE_TARGET,
    CHANGE_ARRIVALS,
    CHANGE_SLOTS,
    EDITS
};

static int list_count(const roles_program *p)
{
    const swp_tails *tails = &p->schedule.streams[0].tails;
    return SWP_DRAIN + 1 + (int)(tails->epilogue_count + tails->straight_count);
}

static swp_entry_list *list_of(roles_program *p, const edit *e)
{
    swp_stream *stream = &p->schedule.streams[e->role];
    const size_t tail = e->list > SWP_DRAIN ? (size_t)(e->list - SWP_DRAIN - 1) : 0;
    if (e->list <= SWP_DRAIN)
        return (swp_entry_list *)swp_stream_phase(stream, (swp_phase)e->list);
    return tail < stream->tails.epilogue_count
               ? &stream->tails.epilogues[tail]
               : &stream->tails.straight[tail - stream->tails.epilogue_count];
}

static edit draw(roles_program *p, test_random *random)
{
    edit e = {.what = random_int(random, 0, EDITS - 1),
              .role = random_int(random, 0, (int)p->schedule.stream_count - 1),
              .list = random_int(random, SWP_PROLOGUE, list_count(p) - 1),
              .by = random_chance(random, 50) ? 1 : -1};
    const size_t count = list_of(p, &e)->count;
    if (e.what >= CHANGE_ARRIVALS)
        e.entry = random_int(random, 0, (int)p->schedule.object_count - 1);
    else
        e.entry = count > 0 ? random_int(random, 0, (int)count - 1) : -1;
    return e;
}

static bool exchange(swp_entry_list *list, size_t entry)
{
    if (entry + 1 >= list->count)
        return false;
    const swp_op kept = list->items[entry].op;
    list->items[entry].op = list->items[entry + 1].op;
    list->items[entry + 1].op = kept;
    return true;
}

static bool drop(swp_entry_list *list, size_t entry)
{
    list->count--;
    memmove(&list->items[entry], &list->items[entry + 1],
            (list->count - entry) * sizeof *list->items);
    return true;
}

static bool change_object(swp_role_object *object, const edit *e)
{
    *(e->what == CHANGE_SLOTS ? &object->slots : &object->arrivals) += e->by;
    return object->kind == SWP_OBJECT_MBARRIER;
}

/* @return false: it fits nothing there */
static bool make(roles_program *p, const edit *e)
{
    swp_entry_list *list = list_of(p, e);
    if (e->what >= CHANGE_ARRIVALS)
        return change_object(&p->objects[e->entry], e);
    if (e->entry < 0)
        return false;
    swp_op *op = &list->items[e->entry].op;
    switch (e->what) {
    case DROP:
        return drop(list, (size_t)e->entry);
    case EXCHANGE:
        return exchange(list, (size_t)e->entry);
    case MOVE_ITERATION:
        op->iteration += e->by;
        return true;
    case CHANGE_TARGET:
        op->to = op->to == SWP_TO_ALL ? SWP_TO_OWN : SWP_TO_ALL;
        return op->tag == SWP_TAG_ARRIVE;
    default:
        op->wait_value += e->by;
        return op->tag == SWP_TAG_MATRIX_WAIT || op->tag == SWP_TAG_BULK_WAIT_READ;
    }
}

static void print(const edit *edits, int count)
{
    for (int i = 0; i < count; i++)
        print_message("edit %d: role %d, list %d, entry %d, by %d\n", edits[i].what, edits[i].role,
                      edits[i].list, edits[i].entry, edits[i].by);
}

static bool agree(roles_program *p)
{
    swp_verdict verdict = {0};
    role_judgement judged = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    roles_unrolled_judge_tiles(&p->schedule, LONGEST, ROLE_MOST_TILES, &judged);
    const bool same = roles_tiles_agree(&verdict, &judged, ROLE_MOST_TILES, LONGEST);
    if (!same)
        (void)roles_differences(&verdict, &judged, LONGEST, stdout);
    role_judgement_free(&judged);
    return same;
}

/* Whether an execution of the hazard is found, and goes wrong again when it is replayed. */
static bool is_shown(const roles_program *p, const swp_hazard *hazard)
{
    swp_counterexample example;
    swp_run_outcome outcome = {0};
    const swp_status status = swp_counterexample_find(p->ctx, &p->schedule, hazard, &example);
    if (status != SWP_INFEASIBLE) {
        assert_ok(p->ctx, status);
        assert_ok(p->ctx, swp_counterexample_replay(p->ctx, &p->schedule, &example, &outcome));
        assert_no_diag(p->ctx, "W0710");
    }
    if (outcome.symptom == SWP_NO_SYMPTOM)
        print_message("no execution shows %s of %s in %s entry %d\n", swp_hazard_name(hazard->kind),
                      hazard->role, swp_phase_name(hazard->at.phase), hazard->at.entry);
    return outcome.symptom != SWP_NO_SYMPTOM;
}

static bool goes_right(const roles_program *p, test_random *random)
{
    for (int seed = 0; seed < RUNS; seed++) {
        int tiles[ROLE_MOST_TILES];
        const int count = random_int(random, 0, ROLE_MOST_TILES);
        for (int t = 0; t < count; t++)
            tiles[t] = random_int(random, 0, LONGEST);
        const swp_run_options options = {.timing = SWP_TIMING_ADVERSARIAL,
                                         .seed = (uint64_t)seed,
                                         .tiles = tiles,
                                         .tile_count = count};
        swp_run_outcome outcome;
        assert_ok(p->ctx, swp_run(p->ctx, &p->schedule, &options, &outcome));
        if (outcome.symptom == SWP_NO_SYMPTOM)
            continue;
        print_message("%s, safe: seed %d, %d tiles\n", swp_symptom_name(outcome.symptom), seed,
                      count);
        return false;
    }
    return true;
}

/* A safe one goes right whatever the timing does; of another every hazard is shown. */
static bool runs_as_proven(roles_program *p, test_random *random)
{
    swp_verdict verdict = {0};
    bool all_shown = true;
    if (swp_ir_ranks(&p->schedule) > 1) /* the executor knows none */
        return true;
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < verdict.hazards.count; i++)
        all_shown &= is_shown(p, &verdict.hazards.items[i]);
    return all_shown && (!verdict.safe || goes_right(p, random));
}

static bool is_judged_as_proven(roles_program *p, test_random *random)
{
    (void)random;
    return agree(p);
}

/* Longer sequences, or more of them, take the judge too long. */
static bool is_judged_behind(roles_program *p, test_random *random)
{
    enum { SHORT = 2, FEW_TILES = 2, ALL_SUBSETS_OF = 2, SUBSETS = 4 };
    const roles_accept_case of = {.schedule = &p->schedule,
                                  .most_n = SHORT,
                                  .most_tiles = FEW_TILES,
                                  .all_subsets_of = ALL_SUBSETS_OF,
                                  .subsets = SUBSETS,
                                  .orders = 1};
    return roles_accept_all(&of, random, &accepted);
}

/* A case, in a context of its own. @return false: it is not as it should be */
static bool try_case(test_random *random, ask_program *ask)
{
    swp_context *ctx = swp_context_new(NULL);
    const size_t shape = (size_t)random_int(random, 0, (int)COUNT_OF(shapes) - 1);
    const int count = random_int(random, 0, MOST_EDITS);
    edit edits[MOST_EDITS];
    roles_program p;
    bool is_legal = true;
    shapes[shape](&p, ctx);
    for (int i = 0; i < count; i++) {
        edits[i] = draw(&p, random);
        is_legal = is_legal && make(&p, &edits[i]);
    }
    p.schedule.machine.fence_reads = random_chance(random, 75);
    is_legal = is_legal && swp_ir_check_role_loop(ctx, &p.schedule) == SWP_OK;
    const bool same = !is_legal || ask(&p, random);
    if (!same) {
        print_message("shape %zu, fence_reads %d\n", shape, p.schedule.machine.fence_reads);
        print(edits, count);
    }
    swp_context_free(ctx);
    return same;
}

static void try_cases(uint64_t standard, size_t sample, ask_program *ask)
{
    const uint64_t seed = random_seed(standard);
    const size_t cases = random_sample(sample);
    size_t failed = 0;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        if (try_case(&random, ask))
            continue;
        print_message("case %zu\n", i);
        failed++;
    }
    assert_int_equal(failed, 0);
}

static void proof_and_judge_say_the_same(void **state)
{
    (void)state;
    try_cases(61, 110, is_judged_as_proven);
}

static void runs_go_as_proven(void **state)
{
    (void)state;
    try_cases(62, 40, runs_as_proven);
}

static void what_is_accepted_ends_no_judgement(void **state)
{
    (void)state;
    accepted = (roles_accept_tally){0};
    try_cases(72, 36, is_judged_behind);
    roles_accept_print(&accepted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proof_and_judge_say_the_same),
        cmocka_unit_test(runs_go_as_proven),
        cmocka_unit_test(what_is_accepted_ends_no_judgement),
    };
    cmocka_set_test_filter(getenv("SWP_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
