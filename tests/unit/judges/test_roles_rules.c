/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of docs/roles-reference.md on runs that can be told by hand, each both ways. */
#include "fixture.h"

#include "roles_draft.h"
#include "roles_rules.h"
#include "roles_unrolled.h"

#include "swp/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROLES = 3, MOST_EXPECTED = 4, WORD_SIZE = 40, TEXT_SIZE = 1 << 17 };

/* A run of n iterations, all of whose entries stand in the prologues. */
typedef struct role_case {
    int n;
    const char *lists[MOST_ROLES]; /* of roles of one warp */
    int instances;                 /* of the first role; 0: 1 */
    judged_hazard expected[MOST_EXPECTED];
    int count;
} role_case;

#define LISTS(...) .lists = {__VA_ARGS__}
#define EXPECT(...) .expected = {__VA_ARGS__}, .count = COUNT_OF(((judged_hazard[]){__VA_ARGS__}))
#define AT(NAME, ROLE, PLACE)                                                                      \
    {                                                                                              \
        .kind = SWP_##NAME, .stream = (ROLE), .phase = SWP_PROLOGUE, .entry = (PLACE)              \
    }

/* --- Reading a list: NAME[.OBJECT][:ITERATION][=NUMBER][+STEP][%INSTANCES][!] --- */

/* Each value has one slot. */
static void add_ops(draft *d)
{
    const int t = draft_add_value(d, "T", SWP_SPACE_SHARED, 1);
    const int s = draft_add_value(d, "D", SWP_SPACE_SHARED, 1);
    const int c = draft_add_value(d, "C", SWP_SPACE_REGISTERS, 1);
    const int q = draft_add_value(d, "S", SWP_SPACE_REGISTERS, 1);
    const int f = draft_add_value(d, "F", SWP_SPACE_REGISTERS, 1);
    draft_writes(d, draft_add_op(d, "COPY", SWP_COMPLETION_COPY_MBARRIER), t);
    draft_reads(d, draft_add_op(d, "READ", SWP_COMPLETION_NONE), t, 0);
    draft_updates(d, draft_add_op(d, "MMA", SWP_COMPLETION_MATRIX_GROUP), c);
    draft_reads(d, draft_add_op(d, "USE", SWP_COMPLETION_NONE), c, 0);
    draft_reads(d, draft_add_op(d, "MMT", SWP_COMPLETION_MATRIX_GROUP), t, 0);
    draft_writes(d, draft_add_op(d, "QK", SWP_COMPLETION_MATRIX_GROUP), q);
    draft_writes(d, draft_add_op(d, "PACK", SWP_COMPLETION_NONE), s);
    draft_reads(d, draft_add_op(d, "TAKE", SWP_COMPLETION_NONE), s, 0);
    draft_reads(d, draft_add_op(d, "STORE", SWP_COMPLETION_STORE_GROUP), s, 0);
    (void)draft_add_op(d, "PUT", SWP_COMPLETION_STORE_GROUP);
    draft_writes(d, draft_add_op(d, "SET", SWP_COMPLETION_NONE), f);
    draft_reads(d, draft_add_op(d, "GET", SWP_COMPLETION_NONE), f, 0);
    (void)draft_add_op(d, "LOG", SWP_COMPLETION_NONE);
    draft_updates(d, draft_add_op(d, "FOLD", SWP_COMPLETION_MATRIX_GROUP), q);
    draft_reads(d, draft_add_op(d, "PV", SWP_COMPLETION_MATRIX_GROUP), q, 0);
}

static void add_objects(draft *d)
{
    (void)draft_add_mbarrier(d, "full", 1, 1);
    (void)draft_add_mbarrier(d, "empty", 1, 1);
    (void)draft_add_mbarrier(d, "all", 1, 32);
    (void)draft_add_mbarrier(d, "ring", 2, 1);
    (void)draft_add_named_barrier(d, "own", 2, 32);
    (void)draft_add_named_barrier(d, "both", 1, 64);
    (void)draft_add_named_barrier(d, "turns", 2, 64);
}

static int tag_of(const draft *d, const char *name)
{
    int tag = -1;
    for (int i = 0; i < d->op_count; i++)
        if (!strcmp(d->ops[i].name, name))
            return swp_tag_of_loop_op(i);
    assert_true(swp_infrastructure_tag(name, &tag));
    return tag;
}

static int object_of(const draft *d, const char *name)
{
    for (int i = 0; i < d->object_count; i++)
        if (!strcmp(d->objects[i].name, name))
            return i;
    fail();
    return -1;
}

/* A number is bytes, groups or a slot, as the operation says. */
static void set_number(swp_op *op, int number)
{
    if (op->tag == SWP_TAG_MATRIX_WAIT || op->tag == SWP_TAG_BULK_WAIT ||
        op->tag == SWP_TAG_BULK_WAIT_READ)
        op->wait_value = number;
    else if (op->tag == SWP_TAG_NAMED_SYNC || op->tag == SWP_TAG_NAMED_ARRIVE)
        op->slot = number;
    else
        op->bytes = number;
}

static bool is_of_one(const draft *d, const swp_op *op)
{
    const int number = op->tag < d->op_count ? op->tag : -1;
    return op->tag == SWP_TAG_ARRIVE_EXPECT || op->tag == SWP_TAG_BULK_COMMIT ||
           op->tag == SWP_TAG_BULK_WAIT || op->tag == SWP_TAG_BULK_WAIT_READ ||
           (number >= 0 && (d->ops[number].completion == SWP_COMPLETION_COPY_MBARRIER ||
                            d->ops[number].completion == SWP_COMPLETION_STORE_GROUP));
}

static swp_op read_word(const draft *d, const char *word)
{
    char name[WORD_SIZE];
    swp_op op = swp_op_none();
    const char *at = word + strcspn(word, ".:=+%!");
    (void)snprintf(name, sizeof name, "%.*s", (int)(at - word), word);
    op.tag = tag_of(d, name);
    op.by = is_of_one(d, &op) ? SWP_ONE_THREAD : SWP_ALL_THREADS;
    while (*at) {
        const char mark = *at++;
        const size_t length = strcspn(at, ".:=+%!");
        const int number = atoi(at);
        (void)snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        if (mark == '.')
            op.object = object_of(d, name);
        else if (mark == ':')
            op.iteration = number;
        else if (mark == '=')
            set_number(&op, number);
        else if (mark == '+')
            op.slot_step = number;
        else if (mark == '%')
            op.instances = number;
        else
            op.by = SWP_ONE_THREAD;
    }
    return op;
}

static void add_role(draft *d, const char *list, int number, int instances)
{
    static const char *const names[] = {"first", "second", "third"};
    draft_body *body = draft_add_body(d, names[number], 1, instances);
    const char *at = list;
    while (*at) {
        char word[WORD_SIZE];
        const size_t length = strcspn(at, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
        draft_add_line(body, read_word(d, word), 0)->when = DRAFT_FIRST;
        at += length + strspn(at + length, " ");
    }
}

static swp_schedule schedule_of(swp_context *ctx, const role_case *c)
{
    draft d = {.ctx = ctx, .tiles_per_pass = 1, .min_tiles = c->n, .only_whole_passes = true};
    add_ops(&d);
    add_objects(&d);
    for (int r = 0; r < MOST_ROLES && c->lists[r]; r++)
        add_role(&d, c->lists[r], r, r == 0 && c->instances > 0 ? c->instances : 1);
    return draft_schedule(&d);
}

/* --- Cases --- */

#define COPIED "arrive_expect.full=8 COPY.full=8"
#define COPIED_AGAIN "arrive_expect.full:1=8 COPY.full:1=8"
#define TAKEN "wait_phase.full READ"
#define TAKEN_AGAIN "wait_phase.full:1 READ:1"
#define GIVEN_BACK "fence_async arrive.all"
#define STORED "STORE bulk_commit bulk_wait_read=0"

static const role_case cases[] = {
    /* A tile that is copied and read. */
    {.n = 1, LISTS(COPIED, TAKEN)},
    /* Two, one after the other. */
    {.n = 2, LISTS(COPIED " wait_phase.all! " COPIED_AGAIN, TAKEN " " GIVEN_BACK " " TAKEN_AGAIN)},

    /* arrivals (a): too few, too many, too few bytes and too many of them. */
    {.n = 1, LISTS("COPY.full=8", TAKEN), EXPECT(AT(ARRIVALS, 0, 0))},
    {.n = 1, LISTS(COPIED " arrive.full!", TAKEN), EXPECT(AT(ARRIVALS, 0, 0))},
    {.n = 1, LISTS(COPIED, TAKEN " arrive.all!"), EXPECT(AT(ARRIVALS, 1, 2))},
    {.n = 1, LISTS("arrive_expect.full=9 COPY.full=8", TAKEN), EXPECT(AT(ARRIVALS, 0, 0))},
    {.n = 1, LISTS("COPY.full=9 arrive_expect.full=8", TAKEN), EXPECT(AT(ARRIVALS, 0, 0))},
    /* arrivals (b): the second phase begins before the first is complete; a phase below 0. */
    {.n = 2,
     LISTS(COPIED " " COPIED_AGAIN, TAKEN " " TAKEN_AGAIN),
     EXPECT(AT(ARRIVALS, 0, 2), AT(ARRIVALS, 0, 3))},
    {.n = 1,
     LISTS("arrive_expect.full:-1=8 COPY.full:-1=8"),
     EXPECT(AT(ARRIVALS, 0, 0), AT(ARRIVALS, 0, 1))},
    /* Turn 1 is another slot of a ring of two: its phase 0. */
    {.n = 2,
     LISTS("arrive_expect.ring=8 COPY.ring=8 arrive_expect.ring:1=8 LOG LOG:1 wait_phase.ring!"),
     EXPECT(AT(ARRIVALS, 0, 2))},

    /* named_barrier (a): one of two is not there. */
    {.n = 1, LISTS("named_sync.both", "named_sync.both")},
    {.n = 1, LISTS("named_sync.both", ""), EXPECT(AT(NAMED_BARRIER, 0, 0))},
    /* By slots: 0 and 1 of two instances, both of them in one. */
    {.n = 1, LISTS("named_sync.own+1"), .instances = 2},
    {.n = 1, LISTS("named_sync.own"), .instances = 2, EXPECT(AT(NAMED_BARRIER, 0, 0))},
    {.n = 1,
     LISTS("named_arrive.turns=1+-1%2 named_sync.turns+1 named_arrive.turns=1+-1"),
     .instances = 2},
    /* named_barrier (b) */
    {.n = 1, LISTS("named_sync.both named_sync.both", "named_sync.both named_sync.both")},
    {.n = 1,
     LISTS("named_arrive.both named_arrive.both", "named_sync.both named_sync.both"),
     EXPECT(AT(NAMED_BARRIER, 0, 1))},

    /* phase_alias: the phase before may not be complete. */
    {.n = 2,
     LISTS(COPIED " wait_phase.full! wait_phase.all! " COPIED_AGAIN,
           "READ " GIVEN_BACK " " TAKEN_AGAIN),
     EXPECT(AT(PHASE_ALIAS, 1, 3))},
    /* The next one may be complete when the wait returns. */
    {.n = 2,
     LISTS(COPIED " wait_phase.all! " COPIED_AGAIN, TAKEN " " GIVEN_BACK " " TAKEN_AGAIN,
           "wait_phase.full"),
     EXPECT(AT(PHASE_ALIAS, 2, 0))},
    {.n = 1, LISTS("wait_phase.full:-1! " COPIED, TAKEN)},
    {.n = 1, LISTS(COPIED, "wait_phase.full:-1 " TAKEN), EXPECT(AT(PHASE_ALIAS, 1, 0))},
    {.n = 1, LISTS("wait_phase.full:-2!"), EXPECT(AT(PHASE_ALIAS, 0, 0))},

    /* deadlock: nobody arrives, nobody comes, a circle, a wgmma that one thread does not come to. */
    {.n = 1, LISTS("wait_phase.full"), EXPECT(AT(DEADLOCK, 0, 0))},
    {.n = 1, LISTS("barrier", "barrier")},
    {.n = 1, LISTS("barrier", ""), EXPECT(AT(DEADLOCK, 0, 0))},
    {.n = 1,
     LISTS("named_sync.both", "named_sync.both named_sync.both"),
     EXPECT(AT(DEADLOCK, 1, 1))},
    {.n = 1, LISTS("named_sync.both", "named_sync.both named_arrive.both")},
    {.n = 1,
     LISTS("wait_phase.empty arrive.full!", "wait_phase.full arrive.empty!"),
     EXPECT(AT(DEADLOCK, 0, 0), AT(DEADLOCK, 1, 0))},
    {.n = 1,
     LISTS("wait_phase.full! matrix_fence MMA matrix_commit matrix_wait=0"),
     EXPECT(AT(DEADLOCK, 0, 0), AT(DEADLOCK, 0, 4))},

    /* lost_peer: nobody waits, nothing is committed, one may be in flight. */
    {.n = 1, LISTS(COPIED), EXPECT(AT(LOST_PEER, 0, 1))},
    {.n = 1, LISTS(COPIED, "wait_phase.full!")},
    {.n = 1, LISTS("matrix_fence MMA matrix_commit matrix_wait=0")},
    {.n = 1, LISTS("matrix_fence MMA matrix_commit"), EXPECT(AT(LOST_PEER, 0, 1))},
    {.n = 1, LISTS("matrix_fence MMA matrix_wait=0 matrix_commit"), EXPECT(AT(LOST_PEER, 0, 1))},
    {.n = 1, LISTS("matrix_fence MMA matrix_commit matrix_wait=1"), EXPECT(AT(LOST_PEER, 0, 1))},
    /* An empty group is one too. */
    {.n = 1, LISTS("matrix_fence MMA matrix_commit matrix_commit matrix_wait=1")},
    {.n = 1, LISTS("PUT bulk_commit bulk_wait_read=0")},
    {.n = 1, LISTS("PUT bulk_commit bulk_wait=0")},
    {.n = 1, LISTS("PUT bulk_commit"), EXPECT(AT(LOST_PEER, 0, 0))},
    {.n = 1, LISTS("PUT bulk_commit bulk_wait_read=1"), EXPECT(AT(LOST_PEER, 0, 0))},

    /* unfenced (a): what is read; by each thread, before the others may go on; what is overwritten. */
    {.n = 1, LISTS("PACK fence_async named_sync.own " STORED)},
    {.n = 1, LISTS("PACK named_sync.own " STORED), EXPECT(AT(UNFENCED, 0, 2))},
    {.n = 1, LISTS("PACK fence_async! named_sync.own " STORED), EXPECT(AT(UNFENCED, 0, 3))},
    {.n = 1, LISTS("PACK named_sync.own fence_async " STORED), EXPECT(AT(UNFENCED, 0, 3))},
    {.n = 1, LISTS("fence_async PACK named_sync.own " STORED), EXPECT(AT(UNFENCED, 0, 3))},
    {.n = 1, LISTS("PACK! fence_async! " STORED)},
    {.n = 2,
     LISTS(COPIED " wait_phase.all! " COPIED_AGAIN, TAKEN " arrive.all " TAKEN_AGAIN),
     EXPECT(AT(UNFENCED, 0, 4))},
    /* unfenced (b): at the beginning, and after an ordinary instruction. */
    {.n = 1, LISTS("MMA matrix_commit matrix_wait=0"), EXPECT(AT(UNFENCED, 0, 0))},
    {.n = 2,
     LISTS("matrix_fence MMA matrix_commit matrix_wait=0 USE MMA:1 matrix_commit matrix_wait=0 "
           "USE:1"),
     EXPECT(AT(UNFENCED, 0, 5))},
    {.n = 2,
     LISTS("matrix_fence MMA matrix_commit matrix_wait=0 USE matrix_fence MMA:1 matrix_commit "
           "matrix_wait=0 USE:1")},

    /* accumulator_in_flight: read; the accumulator of two wgmmas is in order, an operand A is not. */
    {.n = 1, LISTS("matrix_fence MMA matrix_commit matrix_wait=0 USE")},
    {.n = 1,
     LISTS("matrix_fence MMA matrix_commit USE matrix_wait=0"),
     EXPECT(AT(ACCUMULATOR_IN_FLIGHT, 0, 3))},
    {.n = 2, LISTS("matrix_fence MMA MMA:1 matrix_commit matrix_wait=0")},
    {.n = 2, LISTS("matrix_fence QK QK:1 matrix_commit matrix_wait=0")},
    {.n = 1, LISTS("matrix_fence QK FOLD matrix_commit matrix_wait=0")},
    {.n = 1,
     LISTS("matrix_fence QK PV matrix_commit matrix_wait=0"),
     EXPECT(AT(ACCUMULATOR_IN_FLIGHT, 0, 2))},
    {.n = 2,
     LISTS("matrix_fence QK matrix_commit matrix_wait=0 PV matrix_commit QK:1 matrix_commit "
           "matrix_wait=0"),
     EXPECT(AT(ACCUMULATOR_IN_FLIGHT, 0, 6))},

    /* stale_read: of a copy, by threads that did not wait, of what another thread stores. */
    {.n = 1, LISTS(COPIED, "READ wait_phase.full"), EXPECT(AT(STALE_READ, 1, 0))},
    {.n = 1, LISTS(COPIED, "wait_phase.full! READ"), EXPECT(AT(STALE_READ, 1, 1))},
    {.n = 1, LISTS(COPIED, "wait_phase.full! READ!")},
    {.n = 1, LISTS("PACK TAKE"), EXPECT(AT(STALE_READ, 0, 1))},
    {.n = 1, LISTS("PACK named_sync.own TAKE")},
    {.n = 1, LISTS("PACK! TAKE!")},
    /* Two instances have shares of their own, and another role reads both. */
    {.n = 1, LISTS("PACK named_sync.own+1 TAKE"), .instances = 2},
    {.n = 1, LISTS("PACK barrier", "barrier TAKE"), .instances = 2},
    {.n = 1,
     LISTS("PACK%1 barrier PACK%2", "barrier TAKE"),
     .instances = 2,
     EXPECT(AT(STALE_READ, 1, 1))},

    /* overwritten: before a wgmma is retired, and before another thread has read. */
    {.n = 2,
     LISTS(COPIED " wait_phase.all! " COPIED_AGAIN,
           "wait_phase.full MMT matrix_commit matrix_wait=0 arrive.all wait_phase.full:1 MMT:1 "
           "matrix_commit matrix_wait=0")},
    {.n = 2,
     LISTS(COPIED " wait_phase.all! " COPIED_AGAIN,
           "wait_phase.full MMT matrix_commit arrive.all wait_phase.full:1 MMT:1 matrix_commit "
           "matrix_wait=0"),
     EXPECT(AT(OVERWRITTEN, 0, 4))},
    {.n = 2,
     LISTS("PACK named_sync.own TAKE PACK:1 named_sync.own TAKE:1"),
     EXPECT(AT(OVERWRITTEN, 0, 3))},
    {.n = 2, LISTS("PACK named_sync.own TAKE named_sync.own PACK:1 named_sync.own TAKE:1")},

    /* write_race */
    {.n = 2, LISTS("PACK PACK:1"), EXPECT(AT(WRITE_RACE, 0, 1))},
    {.n = 2, LISTS("PACK named_sync.own PACK:1")},
    {.n = 2, LISTS("PACK! PACK:1!")},

    /* wrong_tile: of a register never made, made again, made in another thread; of a place. */
    {.n = 1, LISTS("USE"), EXPECT(AT(WRONG_TILE, 0, 0))},
    {.n = 2, LISTS("SET GET SET:1 GET:1")},
    {.n = 2, LISTS("SET SET:1 GET GET:1"), EXPECT(AT(WRONG_TILE, 0, 2))},
    {.n = 1, LISTS("SET! GET"), EXPECT(AT(WRONG_TILE, 0, 1))},
    {.n = 1, LISTS("TAKE"), EXPECT(AT(WRONG_TILE, 0, 0))},
    {.n = 1,
     LISTS("PACK%1 barrier", "barrier TAKE"),
     .instances = 2,
     EXPECT(AT(WRONG_TILE, 1, 1), AT(MISSING_WORK, 0, 0))},

    /* missing_work, double_work, out_of_range */
    {.n = 2, LISTS("LOG LOG:1")},
    {.n = 2, LISTS("LOG"), EXPECT(AT(MISSING_WORK, 0, 0))},
    {.n = 1, LISTS("LOG%1"), .instances = 2, EXPECT(AT(MISSING_WORK, 0, 0))},
    {.n = 1, LISTS("LOG%1 LOG%2"), .instances = 2},
    {.n = 1, LISTS("LOG LOG"), EXPECT(AT(DOUBLE_WORK, 0, 1))},
    {.n = 1, LISTS("LOG LOG:1"), EXPECT(AT(OUT_OF_RANGE, 0, 1))},
    {.n = 1, LISTS("LOG LOG:-1"), EXPECT(AT(OUT_OF_RANGE, 0, 1))},
};

static void explain(size_t number, const role_case *c, const judgement *judged)
{
    char text[128];
    print_message("case %zu:", number);
    for (int r = 0; r < MOST_ROLES && c->lists[r]; r++)
        print_message(" {%s}", c->lists[r]);
    print_message("\n");
    for (size_t i = 0; i < judged->count; i++) {
        judged_hazard_print(text, sizeof text, &judged->items[i]);
        print_message("  %s\n", text);
    }
}

static void rules_tell_what_they_say(void **state)
{
    swp_context *ctx = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const swp_schedule s = schedule_of(ctx, &cases[i]);
        judgement judged;
        roles_unrolled_judge(&s, cases[i].n, &judged);
        bool same = (int)judged.count == cases[i].count;
        for (int k = 0; k < cases[i].count; k++)
            same = same && judgement_find(&judged, &cases[i].expected[k]) != NULL;
        if (!same)
            explain(i, &cases[i], &judged);
        assert_true(same);
        judgement_free(&judged);
    }
}

static size_t count_unobserved(swp_context *ctx, const role_case *c)
{
    const swp_schedule s = schedule_of(ctx, c);
    judgement found = {0};
    role_run run = role_run_new(&s, &(role_sequence){.n = c->n, .count = 1, .tiles = {c->n}}, NULL);
    role_rule_unobserved_phase(&run, &found);
    const size_t count = found.count;
    role_run_free(&run);
    judgement_free(&found);
    return count;
}

/* `arrivals` comes before it, so it is asked by itself. */
static void a_phase_is_observed_before_the_next(void **state)
{
    static const role_case observed = {
        .n = 2,
        LISTS(COPIED " wait_phase.all! " COPIED_AGAIN, TAKEN " " GIVEN_BACK " " TAKEN_AGAIN)};
    static const role_case unobserved = {.n = 2,
                                         LISTS(COPIED " " COPIED_AGAIN, TAKEN " " TAKEN_AGAIN)};
    assert_int_equal(count_unobserved(*state, &observed), 0);
    assert_int_equal(count_unobserved(*state, &unobserved), 1);
}

/* --- The ring of a GEMM, with edits that only some numbers of iterations show --- */

static swp_schedule *read_ring(swp_context *ctx)
{
    static char text[TEXT_SIZE];
    FILE *file = fopen("tests/roles/gemm_ring.json", "r");
    swp_schedule *schedule = NULL;
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    assert_ok(ctx, swp_schedule_read_json(ctx, text, length, "gemm_ring.json", &schedule));
    return schedule;
}

/* Judges it, and expects what is given. */
static void expect_ring(const swp_schedule *schedule, const judged_hazard *expected, size_t count)
{
    judgement judged;
    roles_unrolled_judge(schedule, roles_most_n(schedule), &judged);
    assert_int_equal(judged.count, count);
    for (size_t i = 0; i < count; i++) {
        const judged_hazard *found = judgement_find(&judged, &expected[i]);
        assert_non_null(found);
        assert_int_equal(found->smallest_n, expected[i].smallest_n);
    }
    judgement_free(&judged);
}

static swp_op *entry_of(swp_schedule *s, int stream, swp_phase phase, int entry)
{
    return &swp_stream_phase(&s->streams[stream], phase)->items[entry].op;
}

static void a_ring_is_safe(void **state)
{
    swp_schedule *s = read_ring(*state);
    expect_ring(s, NULL, 0);
    swp_schedule_free(s);
}

/*
 * With two groups in flight the elected thread gives the slot back before the others' part in the wgmma is known: one
 * of these may still wait for the tile when the next one has come.
 */
static void a_ring_gives_no_slot_back_too_early(void **state)
{
    static const judged_hazard expected[] = {
        {.kind = SWP_PHASE_ALIAS, .stream = 1, .phase = SWP_PROLOGUE, .entry = 0, .smallest_n = 5},
        {.kind = SWP_PHASE_ALIAS, .stream = 1, .phase = SWP_KERNEL, .entry = 0, .smallest_n = 6}};
    swp_schedule *s = read_ring(*state);
    entry_of(s, 1, SWP_KERNEL, 3)->wait_value = 2;
    expect_ring(s, expected, COUNT_OF(expected));
    swp_schedule_free(s);
}

/* A lap of two phases: the producer waits for the phase before the one that it has to. */
static void a_ring_is_not_lapped(void **state)
{
    static const judged_hazard expected[] = {
        {.kind = SWP_PHASE_ALIAS, .stream = 0, .phase = SWP_KERNEL, .entry = 0, .smallest_n = 2},
        {.kind = SWP_ARRIVALS, .stream = 0, .phase = SWP_KERNEL, .entry = 1, .smallest_n = 5},
        {.kind = SWP_ARRIVALS, .stream = 0, .phase = SWP_KERNEL, .entry = 2, .smallest_n = 5},
        {.kind = SWP_ARRIVALS, .stream = 1, .phase = SWP_EPILOGUE, .entry = 1, .smallest_n = 5},
        {.kind = SWP_ARRIVALS, .stream = 1, .phase = SWP_KERNEL, .entry = 4, .smallest_n = 6}};
    swp_schedule *s = read_ring(*state);
    entry_of(s, 0, SWP_KERNEL, 0)->iteration -= 4;
    expect_ring(s, expected, COUNT_OF(expected));
    swp_schedule_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(rules_tell_what_they_say), CONTEXT_TEST(a_phase_is_observed_before_the_next),
        CONTEXT_TEST(a_ring_is_safe),           CONTEXT_TEST(a_ring_gives_no_slot_back_too_early),
        CONTEXT_TEST(a_ring_is_not_lapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
