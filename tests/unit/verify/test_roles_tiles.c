/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of schedules with output tiles: safe ones, and what one edit of them does in the smallest sequence
 * (docs/roles-reference.md, "Output tiles").
 */
#include "fixture.h"
#include "safe_roles.h"

#include "verify/roles_prove.h"

#include "swp/emit.h"
#include "swp/report.h"
#include "swp/verify.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TILES = 4 };

typedef struct told {
    swp_hazard_kind kind;
    int role;
    swp_phase list;
    int entry;
    int count; /* of the smallest sequence */
    int tiles[MOST_TILES];
} told;

static void expect_verdict(roles_program *p, const told *expected, size_t count)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < verdict.hazards.count && i < count; i++) {
        const swp_hazard *h = &verdict.hazards.items[i];
        int sum = 0;
        assert_string_equal(swp_hazard_name(h->kind), swp_hazard_name(expected[i].kind));
        assert_int_equal(h->stream, expected[i].role);
        assert_int_equal(h->at.phase, expected[i].list);
        assert_int_equal(h->at.entry, expected[i].entry);
        assert_int_equal(h->tile_count, expected[i].count);
        assert_in_range(h->tile, 0, h->tile_count);
        for (int t = 0; t < h->tile_count; t++) {
            assert_int_equal(h->tiles[t], expected[i].tiles[t]);
            sum += h->tiles[t];
        }
        assert_int_equal(h->smallest_n, sum);
        assert_true(h->detail[0]);
    }
    assert_int_equal(verdict.hazards.count, count);
    assert_int_equal(verdict.safe, count == 0);
}

#define expect(p, ...)                                                                             \
    expect_verdict((p), (const told[]){__VA_ARGS__},                                               \
                   sizeof((const told[]){__VA_ARGS__}) / sizeof(told))

/* --- Safe --- */

static void persistent_schedules_are_safe(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    expect_verdict(&p, NULL, 0);
    safe_queries(&p, *state);
    expect_verdict(&p, NULL, 0);
    safe_pairs(&p, *state);
    expect_verdict(&p, NULL, 0);
}

static void more_slots_are_safe(void **state)
{
    roles_program p;
    safe_queries(&p, *state);
    for (int i = 2; i < 4; i++)
        p.objects[i].slots = 2;
    ((int *)p.dataflow.slots)[0] = 2;
    roles_program_op(&p, PRODUCER, SWP_BEGIN, 0)->iteration = -2;
    expect_verdict(&p, NULL, 0);
}

/* The ways in which tiles divide the window of a ring are more than a hundred times as many with twelve slots as with four. */
static void rings_of_many_slots_take_few_cuts(void **state)
{
    roles_program p;
    uint64_t work[2];
    for (int i = 0; i < 2; i++) {
        const int slots = i == 0 ? 4 : 12;
        swp_verdict verdict = {0};
        safe_queries(&p, *state);
        p.objects[0].slots = p.objects[1].slots = slots;
        ((int *)p.dataflow.slots)[1] = slots;
        roles_program_op(&p, PRODUCER, SWP_KERNEL, 0)->iteration = -slots;
        assert_ok(p.ctx, swp_verify(p.ctx, &p.schedule, NULL, 0, &verdict));
        assert_true(verdict.safe);
        work[i] = verdict.work;
    }
    assert_true(work[1] < 40 * work[0]);
}

/* A proof of what a search can do without ends with it, and one that is needed does not. */
static void a_proof_that_nobody_needs(void **state)
{
    enum { ALL_FORMS = -1 };
    const swp_limits limits = {.seconds = 1e-9, .nominal = true};
    roles_program p;
    swp_verdict verdict = {0};
    safe_tiles(&p, *state);
    swp_context_set_limits(p.ctx, &limits);
    assert_ok(p.ctx, swp_verify_roles_until_unsafe(p.ctx, &p.schedule, ALL_FORMS, SWP_PROOF_NEEDED,
                                                   NULL, &verdict));
    assert_true(verdict.safe);
    assert_int_equal(swp_verify_roles_until_unsafe(p.ctx, &p.schedule, ALL_FORMS, SWP_PROOF_OF_LESS,
                                                   NULL, &verdict),
                     SWP_INVALID);
    assert_diag(p.ctx, "E0702", "in the time of the search");
}

/* --- Between tiles --- */

static void a_stage_that_is_written_again_without_a_meeting(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_END, 1);
    expect(&p, {SWP_OVERWRITTEN, CONSUMER, SWP_END, 1, 2, {0, 0}});
}

static void a_store_that_nobody_drains(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_DRAIN, 0);
    expect(&p, {SWP_LOST_PEER, CONSUMER, SWP_END, 5, 1, {0}});
}

/*
 * The writer meets the reader behind the uses of a tile, but for tiles of two iterations, where it does so in front of them. The cuts behind
 * tiles of one and of two are alike, and the proof comes first to the one where more is known. From there it comes to those behind a tile of
 * none, in which nobody meets, and which has the other slot.
 */
static void what_is_known_behind_some_tiles_alone(void **state)
{
    roles_program p;
    swp_loop_builder *l = swp_loop_new(*state, "notes");
    const int note = swp_value(l, "S", .space = SWP_SPACE_SHARED, .bytes = 64, .least_slots = 2);
    swp_work(l, "PUT", .latency = 9, .completion = SWP_COMPLETION_NONE, .writes = {note});
    swp_work(l, "USE", .latency = 9, .completion = SWP_COMPLETION_NONE, .reads = {{.value = note}});
    roles_program_begin(&p, *state, l, 1, 3);
    roles_program_once_a_tile(&p, "PUT");
    (void)roles_program_named(&p, "there", 1, 64);
    (void)roles_program_named(&p, "back", 1, 64);
    (void)roles_program_named(&p, "own", 1, 32);
    roles_program_add(&p, .name = "writer", .begin = "PUT named_sync@own",
                      .prologue = "named_sync@there", .epilogue = "named_sync@back",
                      .straight = "/named_sync@there named_sync@back"
                                  "/named_sync@there named_sync@back");
    roles_program_add(&p, .name = "reader", .prologue = "named_sync@there USE+0 USE+1 USE+2",
                      .kernel = "USE+3", .epilogue = "named_sync@back",
                      .straight = "/named_sync@there USE+0 named_sync@back"
                                  "/named_sync@there named_sync@back USE+0 USE+1");
    expect(&p, {SWP_OVERWRITTEN, PRODUCER, SWP_BEGIN, 0, 3, {2, 0, 0}});
}

/* A tile alone never takes that slot again. */
static void a_slot_that_a_tile_keeps(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_EPILOGUE, 1);
    expect(&p, {SWP_DEADLOCK, PRODUCER, SWP_PROLOGUE, 0, 3, {1, 1, 1}},
           {SWP_DEADLOCK, PRODUCER, SWP_KERNEL, 0, 2, {1, 2}},
           {SWP_DEADLOCK, CONSUMER, SWP_PROLOGUE, 0, 3, {1, 1, 1}},
           {SWP_DEADLOCK, CONSUMER, SWP_KERNEL, 0, 2, {1, 2}});
}

static void sums_that_are_cleared_behind_their_use(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    swp_stream *consumer = &p.schedule.streams[CONSUMER];
    assert_ok(p.ctx, swp_entry_list_push(p.ctx, &consumer->end, consumer->begin.items[0]));
    roles_program_drop(&p, CONSUMER, SWP_BEGIN, 0);
    expect(&p, {SWP_WRONG_TILE, CONSUMER, SWP_PROLOGUE, 2, 1, {1}},
           {SWP_WRONG_TILE, CONSUMER, SWP_END, 2, 1, {0}});
}

/* --- The clock of tiles --- */

/* Any tile but the first may ask for its query before the one before it has been read. */
static void a_query_that_is_copied_too_early(void **state)
{
    roles_program p;
    safe_queries(&p, *state);
    roles_program_op(&p, PRODUCER, SWP_BEGIN, 0)->iteration = -2;
    expect(&p, {SWP_PHASE_ALIAS, PRODUCER, SWP_BEGIN, 0, 1, {0}},
           {SWP_ARRIVALS, PRODUCER, SWP_BEGIN, 1, 2, {0, 0}},
           {SWP_ARRIVALS, PRODUCER, SWP_BEGIN, 2, 2, {0, 0}},
           {SWP_ARRIVALS, CONSUMER, SWP_END, 0, 2, {0, 0}});
}

/* Counted in passes, the mbarrier of the query has no phase for a tile without any. */
static void a_wait_on_the_wrong_clock(void **state)
{
    roles_program p;
    safe_queries(&p, *state);
    p.objects[3].clock = SWP_PASS_CLOCK;
    swp_verdict verdict = {0};
    assert_ok(p.ctx, swp_verify(p.ctx, &p.schedule, NULL, 0, &verdict));
    assert_false(verdict.safe);
    assert_int_equal(verdict.hazards.items[0].kind, SWP_ARRIVALS);
}

/* It reads behind its answer: a tile later the query may be another one. */
static void a_query_that_is_given_back_too_early(void **state)
{
    roles_program p;
    safe_queries(&p, *state);
    swp_stream *consumer = &p.schedule.streams[CONSUMER];
    assert_ok(p.ctx, swp_entry_list_push(p.ctx, &consumer->begin, consumer->end.items[0]));
    consumer->end.count = 0;
    expect(&p, {SWP_UNFENCED, PRODUCER, SWP_BEGIN, 2, 2, {1, 0}});
}

/*
 * With two stages a tile waits for the store before the last. Tiles without passes count a group of their own, and so
 * wait too little where the tile before had none.
 */
static void a_hazard_of_one_sequence_only(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    swp_stream *consumer = &p.schedule.streams[CONSUMER];
    swp_entry wait = consumer->end.items[0];
    const swp_entry commit = consumer->end.items[6];
    roles_program_drop(&p, CONSUMER, SWP_END, 0);
    ((int *)p.dataflow.slots)[2] = 2;
    wait.op.wait_value = 1;
    assert_ok(p.ctx, swp_entry_list_push(p.ctx, &consumer->epilogue, wait));
    assert_ok(p.ctx, swp_entry_list_push(p.ctx, &consumer->tails.straight[0], wait));
    assert_ok(p.ctx, swp_entry_list_push(p.ctx, &consumer->tails.straight[0], commit));
    expect_verdict(&p, NULL, 0);
    consumer->tails.straight[0].items[0].op.wait_value = 2;
    expect(&p, {SWP_OVERWRITTEN, CONSUMER, SWP_END, 1, 3, {0, 1, 0}});
}

/* --- In words --- */

static void the_sequence_is_told(void **state)
{
    roles_program p;
    swp_verdict verdict = {0};
    char *text = NULL;
    safe_tiles(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_EPILOGUE, 1);
    assert_ok(p.ctx, swp_verify(p.ctx, &p.schedule, NULL, 0, &verdict));
    assert_ok(p.ctx, swp_verdict_text(p.ctx, &p.schedule, &verdict, &text, NULL));
    assert_non_null(strstr(text, "smallest sequence: 3 output tiles of 1, 1, 1 iterations"));
    assert_ok(p.ctx, swp_verdict_json(p.ctx, &p.schedule, &verdict, &text, NULL));
    assert_non_null(strstr(text, "\"tiles\": [1, 1, 1], \"tile\": 2"));
}

/* --- Rules --- */

static void copy_too_early(roles_program *p, swp_context *ctx)
{
    safe_tiles(p, ctx);
    roles_program_drop(p, PRODUCER, SWP_PROLOGUE, 0);
}

/* The last of an odd number of iterations is done twice. */
static void remainder_twice(roles_program *p, swp_context *ctx)
{
    safe_pairs(p, ctx);
    swp_entry *entries = p->schedule.streams[CONSUMER].tails.epilogues[0].items;
    entries[2] = entries[1]; /* in place of a fence */
}

/* Rules in rows, and programs of which the proof of all sequences says something else without them. */
static const struct need {
    void (*build)(roles_program *p, swp_context *ctx);
    swp_happens_rule first;
    swp_happens_rule last;
} needs[] = {
    {safe_tiles, SWP_HAPPENS_LIST, SWP_HAPPENS_PHASE_WAIT},
    {safe_tiles, SWP_HAPPENS_PART, SWP_HAPPENS_OPENING},
    {safe_tiles, SWP_HAPPENS_ISSUES, SWP_HAPPENS_FOR_ALL},
    {copy_too_early, SWP_HAPPENS_FIRST_KIND, SWP_HAPPENS_FIRST_KIND},
    {copy_too_early, SWP_HAPPENS_EARLY_ARRIVAL, SWP_HAPPENS_EARLY_ARRIVAL},
    {safe_tiles, SWP_HAPPENS_ACCUMULATORS, SWP_HAPPENS_ACCUMULATORS},
    {safe_tiles, SWP_HAPPENS_OWN_SHARE, SWP_HAPPENS_OWN_SHARE},
    {remainder_twice, SWP_HAPPENS_EVERY_FORM, SWP_HAPPENS_EVERY_FORM},
    {copy_too_early, SWP_HAPPENS_EVERY_PASS, SWP_HAPPENS_EVERY_PASS},
    {safe_cluster_tiles, SWP_HAPPENS_TO_ALL, SWP_HAPPENS_MULTICAST},
};

static bool says_else(const swp_verdict *a, const swp_verdict *b)
{
    bool same = a->hazards.count == b->hazards.count;
    for (size_t i = 0; same && i < a->hazards.count; i++)
        same = a->hazards.items[i].kind == b->hazards.items[i].kind &&
               a->hazards.items[i].at.entry == b->hazards.items[i].at.entry;
    return !same;
}

static void rules_are_needed_with_output_tiles(void **state)
{
    for (const struct need *n = needs; n < needs + COUNT_OF(needs); n++)
        for (int rule = (int)n->first; rule <= (int)n->last; rule++) {
            roles_program p;
            swp_verdict with = {0};
            swp_verdict without = {0};
            n->build(&p, *state);
            assert_ok(p.ctx, swp_verify_roles(p.ctx, &p.schedule, -1, (swp_acceptances){0}, &with));
            assert_ok(p.ctx, swp_verify_roles_without(p.ctx, &p.schedule, -1,
                                                      (swp_happens_rule)rule, &without));
            if (!says_else(&with, &without))
                fail_msg("without \"%s\" the proof says the same",
                         swp_happens_rule_meaning((swp_happens_rule)rule));
        }
}

/* Its runs have tiles of all forms. */
static void no_form_is_judged_alone(void **state)
{
    roles_program p;
    swp_verdict verdict = {0};
    safe_pairs(&p, *state);
    assert_int_equal(swp_verify_form(p.ctx, &p.schedule, 1, &verdict), SWP_INVALID);
    assert_diag(p.ctx, "E0704", "form 1 of a schedule with output tiles");
}

/* Which arrivals a phase waits for, the cut of a sequence does not say. */
static void nothing_is_proven_behind_accepted_counts(void **state)
{
    roles_program p;
    swp_verdict verdict = {0};
    swp_acceptance accepted[8];
    size_t count = 0;
    safe_tiles(&p, *state);
    p.objects[0].arrivals++;
    assert_ok(p.ctx, swp_verify(p.ctx, &p.schedule, NULL, 0, &verdict));
    assert_in_range(verdict.hazards.count, 1, COUNT_OF(accepted));
    for (; count < verdict.hazards.count; count++) {
        const swp_hazard *hazard = &verdict.hazards.items[count];
        assert_int_equal(hazard->kind, SWP_ARRIVALS);
        accepted[count] = (swp_acceptance){hazard->kind, hazard->at, hazard->role};
    }
    assert_int_equal(swp_verify(p.ctx, &p.schedule, accepted, count, &verdict), SWP_INVALID);
    assert_diag(p.ctx, "E0702", "behind an accepted `arrivals`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(persistent_schedules_are_safe),
        CONTEXT_TEST(more_slots_are_safe),
        CONTEXT_TEST(rings_of_many_slots_take_few_cuts),
        CONTEXT_TEST(a_proof_that_nobody_needs),
        CONTEXT_TEST(a_stage_that_is_written_again_without_a_meeting),
        CONTEXT_TEST(a_store_that_nobody_drains),
        CONTEXT_TEST(what_is_known_behind_some_tiles_alone),
        CONTEXT_TEST(a_slot_that_a_tile_keeps),
        CONTEXT_TEST(sums_that_are_cleared_behind_their_use),
        CONTEXT_TEST(a_query_that_is_copied_too_early),
        CONTEXT_TEST(a_wait_on_the_wrong_clock),
        CONTEXT_TEST(a_query_that_is_given_back_too_early),
        CONTEXT_TEST(a_hazard_of_one_sequence_only),
        CONTEXT_TEST(the_sequence_is_told),
        CONTEXT_TEST(rules_are_needed_with_output_tiles),
        CONTEXT_TEST(no_form_is_judged_alone),
        CONTEXT_TEST(nothing_is_proven_behind_accepted_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
