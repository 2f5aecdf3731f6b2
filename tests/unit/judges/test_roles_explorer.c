/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer of warp roles on programs whose hazards can be told by hand: each rule both ways. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roles_explorer.h"
#include "roles_programs.h"
#include "roles_words.h"

/* --- Cases --- */

typedef struct edit {
    const char *from;
    const char *to;
} edit;

enum { MOST_EDITS = 2, MOST_HAZARDS = 4 };

typedef struct explorer_case {
    const char *program;
    int n;
    const char *outcome; /* of the hardware: w(rong), s(tuck), u(ndefined), p(arted) */
    edit edits[MOST_EDITS];
    roles_hazard hazards[MOST_HAZARDS];
    int count;
} explorer_case;

#define EXPECT(...) .hazards = {__VA_ARGS__}, .count = COUNT_OF(((roles_hazard[]){__VA_ARGS__}))
#define AT(kind, stream, phase, entry)                                                             \
    {                                                                                              \
        SWP_##kind, stream, SWP_##phase, entry                                                     \
    }

/* One thread tells of what all of its instance have written. */
static const char told_by_one[] = "value T shared 1\n"
                                  "op STORE none writes T\n"
                                  "op USE none reads T\n"
                                  "mbarrier ready 1 1\n"
                                  "role writer 1 1\n"
                                  "STORE 0\n"
                                  "arrive ready 0 one\n"
                                  "role reader 1 1\n"
                                  "wait_phase ready 0\n"
                                  "USE 0\n";

/* Registers of a wgmma that may be in flight: its sums are read, what it reads is written. */
static const char sums_taken[] = "value C registers 1\n"
                                 "op MMA matrix_group updates C\n"
                                 "op TAKE none reads C\n"
                                 "role worker 4 1\n"
                                 "matrix_fence\n"
                                 "MMA 0\n"
                                 "matrix_commit\n"
                                 "TAKE 0\n"
                                 "matrix_wait 0\n";
static const char factor_written[] = "value A registers 1\n"
                                     "value C registers 1\n"
                                     "op SET none writes A\n"
                                     "op MMA matrix_group reads A updates C\n"
                                     "role worker 4 1\n"
                                     "SET 0\n"
                                     "matrix_fence\n"
                                     "MMA 0\n"
                                     "matrix_commit\n"
                                     "SET 1\n"
                                     "matrix_wait 0\n";

/* A place that is written and then updated, by threads that meet in between or do not. */
static const char in_place[] = "value T shared 1\n"
                               "op FIRST none writes T\n"
                               "op SECOND none updates T\n"
                               "role worker 1 1\n"
                               "FIRST 0\n"
                               "barrier\n"
                               "SECOND 0\n"
                               "barrier\n";

/* Both instances arrive where one is expected: what stands first is the second one's. */
static const char second_first[] = "value C registers 1\n"
                                   "op WORK none updates C\n"
                                   "mbarrier ready 1 1\n"
                                   "role worker 1 2\n"
                                   "WORK 0\n"
                                   "arrive ready 0 one only 2\n"
                                   "arrive ready 0 one only 1\n";

static const explorer_case cases[] = {
    {second_first, 1, "p", EXPECT(AT(ARRIVALS, 0, KERNEL, 1))},
    {sums_taken, 1, "", EXPECT(AT(ACCUMULATOR_IN_FLIGHT, 0, KERNEL, 3))},
    {factor_written, 1, "", EXPECT(AT(ACCUMULATOR_IN_FLIGHT, 0, KERNEL, 4))},
    {in_place, 2, "", .count = 0},
    {in_place, 1, "", {{"FIRST 0\nbarrier", "FIRST 0"}}, EXPECT(AT(WRITE_RACE, 0, KERNEL, 1))},
    /* Phases whose arrivals or bytes are not those that they should be. */
    {roles_ring, 4, "", .count = 0},
    {roles_ring, 3, "s", {{"empty 2 2", "empty 2 3"}}, EXPECT(AT(ARRIVALS, 1, KERNEL, 5))},
    {roles_ring, 3, "wsp", {{"empty 2 2", "empty 2 1"}}, EXPECT(AT(ARRIVALS, 1, KERNEL, 5))},
    {roles_ring,
     1,
     "s",
     {{"LOAD full 0 bytes 64", "LOAD full 0 bytes 32"}},
     EXPECT(AT(ARRIVALS, 0, KERNEL, 1))},
    {roles_ring,
     1,
     "s",
     {{"LOAD full 0 bytes 64", "LOAD full 0 bytes 96"}},
     EXPECT(AT(ARRIVALS, 0, KERNEL, 1))},
    /* An arrival in a phase below 0; arrivals and copies of a phase before the one before is complete. */
    {roles_ring,
     1,
     "p",
     {{"arrive empty 0", "arrive empty -2"}},
     EXPECT(AT(ARRIVALS, 1, KERNEL, 5))},
    {roles_ring,
     3,
     "wsup",
     {{"wait_phase empty -2 one\n", ""}},
     EXPECT(AT(ARRIVALS, 0, KERNEL, 0), AT(ARRIVALS, 0, KERNEL, 1), AT(ARRIVALS, 1, KERNEL, 5))},
    /* Barriers whose threads do not add up, or that are used again before they opened. */
    {roles_turns, 3, "", .count = 0},
    {roles_turns,
     1,
     "up",
     {{"turn 2 256", "turn 2 128"}},
     EXPECT(AT(NAMED_BARRIER, 0, PROLOGUE, 0), AT(NAMED_BARRIER, 0, KERNEL, 0),
            AT(NAMED_BARRIER, 0, KERNEL, 2), AT(NAMED_BARRIER, 0, EPILOGUE, 0))},
    {roles_one_way, 1, "", .count = 0},
    {roles_one_way, 2, "sup", EXPECT(AT(NAMED_BARRIER, 0, KERNEL, 0))},
    /* The producer knows that its own copy landed, and laps the consumers. */
    {roles_ring,
     3,
     "wsp",
     {{"wait_phase empty -2 one", "wait_phase full -2 one"}, {"arrive empty 0 one\n", ""}},
     EXPECT(AT(PHASE_ALIAS, 1, KERNEL, 0))},
    /* By two phases: the parity is that of the first. */
    {roles_ring,
     5,
     "wsp",
     {{"wait_phase empty -2 one", "wait_phase full -2 one"}, {"arrive empty 0 one\n", ""}},
     EXPECT(AT(PHASE_ALIAS, 1, KERNEL, 0))},
    {roles_ring,
     1,
     "sp",
     {{"wait_phase empty -2", "wait_phase empty -4"}},
     EXPECT(AT(PHASE_ALIAS, 0, KERNEL, 0))},
    {roles_early, 4, "sp", EXPECT(AT(PHASE_ALIAS, 1, KERNEL, 0))},
    {roles_early, 4, "wp", {{"wait_phase full 0\n", ""}}, EXPECT(AT(PHASE_ALIAS, 1, KERNEL, 0))},
    {roles_plain_ring,
     1,
     "w",
     {{"wait_phase full 0\n", ""}},
     EXPECT(AT(PHASE_ALIAS, 0, KERNEL, 0))},
    /* Waits in a circle, and a barrier to which not all come. */
    {roles_ring,
     1,
     "s",
     {{"wait_phase empty -2", "wait_phase empty 0"}},
     EXPECT(AT(DEADLOCK, 0, KERNEL, 0), AT(DEADLOCK, 1, KERNEL, 0))},
    {roles_turns,
     1,
     "s",
     {{"WORK 0", "barrier only 1\nWORK 0"}},
     EXPECT(AT(DEADLOCK, 0, KERNEL, 1), AT(DEADLOCK, 0, KERNEL, 0))},
    /* Operations that nobody waits for. */
    {roles_ring, 1, "", {{"matrix_wait 0\n", ""}}, EXPECT(AT(LOST_PEER, 1, KERNEL, 2))},
    {roles_ring, 1, "", {{"matrix_commit\n", ""}}, EXPECT(AT(LOST_PEER, 1, KERNEL, 2))},
    {roles_ring, 1, "", {{"matrix_wait 0", "matrix_wait 1"}}, EXPECT(AT(LOST_PEER, 1, KERNEL, 2))},
    {roles_no_reader, 1, "", EXPECT(AT(LOST_PEER, 0, KERNEL, 1))},
    {roles_no_reader,
     1,
     "",
     {{"bytes 8\nepilogue", "bytes 8\nepilogue\nwait_phase full -1"}},
     .count = 0},
    {roles_store, 1, "", {{"bulk_wait_read 0\n", ""}}, EXPECT(AT(LOST_PEER, 0, KERNEL, 3))},
    {roles_store, 2, "", {{"bulk_wait_read 0", "bulk_wait 0"}}, .count = 0},
    /* What ordinary instructions wrote or read, without a fence of each of their threads. */
    {roles_store, 3, "", .count = 0},
    {roles_store, 1, "", {{"fence_async\n", ""}}, EXPECT(AT(UNFENCED, 0, KERNEL, 2))},
    {roles_store, 1, "", {{"fence_async", "fence_async one"}}, EXPECT(AT(UNFENCED, 0, KERNEL, 3))},
    {roles_store,
     1,
     "",
     {{"fence_async\nbarrier", "barrier\nfence_async"}},
     EXPECT(AT(UNFENCED, 0, KERNEL, 3))},
    {roles_plain_ring, 3, "", .count = 0},
    {roles_plain_ring, 1, "", {{"fence_async\n", ""}}, .count = 0},
    {roles_plain_ring, 2, "", {{"fence_async\n", ""}}, EXPECT(AT(UNFENCED, 0, KERNEL, 2))},
    {roles_ring, 1, "", {{"matrix_fence\n", ""}}, EXPECT(AT(UNFENCED, 1, KERNEL, 1))},
    {roles_scale, 2, "", .count = 0},
    {roles_scale,
     1,
     "",
     {{"SET 0\nmatrix_fence", "matrix_fence\nSET 0"}},
     EXPECT(AT(UNFENCED, 0, KERNEL, 2))},
    /* Registers of a wgmma in flight. */
    {roles_scale,
     1,
     "",
     {{"matrix_wait 0\nSCALE 0", "SCALE 0\nmatrix_wait 0"}},
     EXPECT(AT(ACCUMULATOR_IN_FLIGHT, 0, KERNEL, 4))},
    {roles_scale,
     1,
     "",
     {{"MMA 0\nmatrix_commit", "MMA 0\nmatrix_commit\nmatrix_commit"},
      {"matrix_wait 0", "matrix_wait 1"}},
     .count = 0},
    /* Shared memory. */
    {roles_exchange, 3, "", .count = 0},
    {roles_exchange, 1, "w", {{"barrier\nREAD 0", "READ 0"}}, EXPECT(AT(STALE_READ, 0, KERNEL, 1))},
    {told_by_one, 1, "w", EXPECT(AT(STALE_READ, 1, KERNEL, 1))},
    {told_by_one,
     1,
     "",
     {{"ready 1 1", "ready 1 32"}, {"arrive ready 0 one", "arrive ready 0"}},
     .count = 0},
    {roles_exchange,
     2,
     "w",
     {{"READ 0\nbarrier\n", "READ 0\n"}},
     EXPECT(AT(OVERWRITTEN, 0, KERNEL, 0))},
    {roles_exchange,
     2,
     "w",
     {{"barrier\nREAD 0\nbarrier\n", "READ 0\n"}},
     EXPECT(AT(STALE_READ, 0, KERNEL, 1), AT(OVERWRITTEN, 0, KERNEL, 0),
            AT(WRITE_RACE, 0, KERNEL, 0))},
    {roles_ring,
     3,
     "w",
     {{"role producer", "named me 2 128\nrole producer"},
      {"matrix_wait 0\narrive empty 0 one",
       "named_sync me slot 0 step 1\narrive empty 0 one\nmatrix_wait 0"}},
     EXPECT(AT(OVERWRITTEN, 0, KERNEL, 2))},
    /* Work. */
    {roles_exchange,
     1,
     "w",
     {{"role all 1 1", "role all 1 2"}, {"WRITE 0", "WRITE 0 only 1"}},
     EXPECT(AT(WRONG_TILE, 0, KERNEL, 2), AT(MISSING_WORK, 0, KERNEL, 0))},
    {roles_scale,
     2,
     "",
     {{"matrix_wait 0\nSCALE 0", "matrix_wait 0\nepilogue\nSCALE -1"}},
     EXPECT(AT(WRONG_TILE, 0, KERNEL, 2), AT(MISSING_WORK, 0, EPILOGUE, 0))},
    {roles_scale,
     1,
     "",
     {{"SCALE 0", "SCALE 0\nSCALE 0"}},
     EXPECT(AT(DOUBLE_WORK, 0, KERNEL, 6), AT(WRONG_TILE, 0, KERNEL, 6))},
    {roles_scale,
     1,
     "",
     {{"SCALE 0", "SCALE 0\nepilogue\nSET 0"}},
     EXPECT(AT(OUT_OF_RANGE, 0, EPILOGUE, 0))},
};

/* --- Checks --- */

static char *edited(const explorer_case *c)
{
    char *text = malloc(4096);
    assert_non_null(text);
    strcpy(text, c->program);
    for (int i = 0; i < MOST_EDITS && c->edits[i].from; i++) {
        char *at = strstr(text, c->edits[i].from);
        assert_non_null(at);
        memmove(at + strlen(c->edits[i].to), at + strlen(c->edits[i].from),
                strlen(at + strlen(c->edits[i].from)) + 1);
        memcpy(at, c->edits[i].to, strlen(c->edits[i].to));
    }
    return text;
}

static bool has(const roles_exploration *found, const roles_hazard *wanted)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].kind == wanted->kind && found->items[i].stream == wanted->stream &&
            found->items[i].phase == wanted->phase && found->items[i].entry == wanted->entry)
            return true;
    return false;
}

static void print(const explorer_case *c, const roles_exploration *found)
{
    char *text = edited(c);
    printf("%sN = %d\n", text, c->n);
    for (size_t i = 0; i < found->count; i++)
        printf("%s: role %d, %s entry %d\n", swp_hazard_name(found->items[i].kind),
               found->items[i].stream, swp_phase_name(found->items[i].phase),
               found->items[i].entry);
    free(text);
}

static bool check(swp_context *ctx, const explorer_case *c, const roles_explorer_options *options)
{
    char *text = edited(c);
    role_program *p = role_program_read(ctx, text);
    roles_exploration found = roles_explore(&p->schedule, c->n, options);
    bool right = !found.undecided && (int)found.count == c->count;
    for (int i = 0; i < c->count; i++)
        right &= has(&found, &c->hazards[i]);
    if (!right)
        print(c, &found);
    roles_exploration_free(&found);
    role_program_free(p);
    free(text);
    return right;
}

static void each_rule_is_seen_both_ways(void **state)
{
    bool right = true;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        right &= check(*state, &cases[i], NULL);
    assert_true(right);
}

static void every_moment_shows_the_same(void **state)
{
    const roles_explorer_options options = {
        .every_moment = true, .others = 2, .most_states = 3000000};
    bool right = true;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].n <= 2)
            right &= check(*state, &cases[i], &options);
    assert_true(right);
}

static void the_hardware_goes_wrong_as_it_should(void **state)
{
    bool right = true;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *text = edited(&cases[i]);
        role_program *p = role_program_read(*state, text);
        const roles_outcome o = roles_explore_hardware(&p->schedule, cases[i].n, NULL);
        char outcome[5];
        (void)snprintf(outcome, sizeof outcome, "%s%s%s%s", o.wrong ? "w" : "", o.stuck ? "s" : "",
                       o.undefined ? "u" : "", o.parted ? "p" : "");
        if (o.undecided || strcmp(outcome, cases[i].outcome) != 0) {
            printf("%sN = %d: %s, and should be %s\n", text, cases[i].n, outcome, cases[i].outcome);
            right = false;
        }
        role_program_free(p);
        free(text);
    }
    assert_true(right);
}

/* The rule is not that a wait for the phase stands somewhere: it has to come before. */
static void who_knows_that_a_phase_is_complete_has_seen_it(void **state)
{
    const roles_explorer_options options = {.every_kind = true};
    role_program *p = role_program_read(*state, roles_ring);
    p->schedule.streams[0].kernel.items[0].op.iteration = -4;
    roles_exploration found = roles_explore(&p->schedule, 3, &options);
    const roles_hazard both[] = {AT(ARRIVALS, 0, KERNEL, 1), AT(UNOBSERVED_PHASE, 0, KERNEL, 1)};
    assert_true(has(&found, &both[0]));
    assert_true(has(&found, &both[1]));
    roles_exploration_free(&found);
    role_program_free(p);
}

static void what_has_too_many_states_is_undecided(void **state)
{
    const roles_explorer_options options = {.most_states = 10};
    role_program *p = role_program_read(*state, roles_ring);
    roles_exploration found = roles_explore(&p->schedule, 4, &options);
    assert_true(found.undecided);
    assert_true(roles_explore_hardware(&p->schedule, 4, &options).undecided);
    roles_exploration_free(&found);
    role_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(who_knows_that_a_phase_is_complete_has_seen_it),
        CONTEXT_TEST(what_has_too_many_states_is_undecided),
        CONTEXT_TEST(each_rule_is_seen_both_ways),
        CONTEXT_TEST(every_moment_shows_the_same),
        CONTEXT_TEST(the_hardware_goes_wrong_as_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
