/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of schedules of clusters: safe ones, what one edit of them does, and that each rule of clusters is needed
 * (docs/roles-reference.md, "Clusters"). safe_roles.h has the safe ones.
 */
#include "fixture.h"
#include "safe_roles.h"

#include "verify/roles_prove.h"

#include <string.h>

enum { SEEN = 2 }; /* object of reads_of_another_rank() */

typedef struct told {
    swp_hazard_kind kind;
    int role;
    swp_phase list;
    int entry;
    int n;
} told;

static void expect_verdict(roles_program *p, const told *expected, size_t count)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    for (size_t i = 0; i < verdict.hazards.count && i < count; i++) {
        const swp_hazard *h = &verdict.hazards.items[i];
        assert_string_equal(swp_hazard_name(h->kind), swp_hazard_name(expected[i].kind));
        assert_int_equal(h->stream, expected[i].role);
        assert_int_equal(h->at.phase, expected[i].list);
        assert_int_equal(h->at.entry, expected[i].entry);
        assert_int_equal(h->smallest_n, expected[i].n);
        assert_true(h->is_in_cluster);
    }
    assert_int_equal(verdict.hazards.count, count);
}

#define expect(p, ...)                                                                             \
    expect_verdict((p), (const told[]){__VA_ARGS__},                                               \
                   sizeof((const told[]){__VA_ARGS__}) / sizeof(told))

static void expect_detail(roles_program *p, const char *text)
{
    swp_verdict verdict = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    assert_true(verdict.hazards.count > 0);
    if (!strstr(verdict.hazards.items[0].detail, text))
        fail_msg("no `%s` in `%s`", text, verdict.hazards.items[0].detail);
}

/* Takes the meeting of the cluster out of the end of all roles. */
static void part_at_once(roles_program *p, swp_phase list)
{
    for (int role = PRODUCER; role <= CONSUMER; role++)
        for (int i = 0; i < 2; i++)
            roles_program_drop(p, role, list,
                               (int)swp_stream_phase(&p->schedule.streams[role], list)->count - 1);
}

/* --- Safe --- */

static void clusters_are_safe(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    expect_verdict(&p, NULL, 0);
    safe_cluster_readers(&p, *state);
    expect_verdict(&p, NULL, 0);
    safe_cluster_meetings(&p, *state);
    expect_verdict(&p, NULL, 0);
    safe_cluster_tiles(&p, *state);
    expect_verdict(&p, NULL, 0);
}

static void clusters_of_any_size_are_safe(void **state)
{
    for (int ranks = 2; ranks <= SWP_MOST_CLUSTER; ranks += 3) {
        roles_program p;
        safe_cluster(&p, *state);
        p.schedule.cluster = ranks;
        p.objects[EMPTY].arrivals = 2 * ranks;
        roles_program_op(&p, PRODUCER, SWP_PROLOGUE, 1)->bytes = 32 * ranks;
        roles_program_op(&p, PRODUCER, SWP_KERNEL, 1)->bytes = 32 * ranks;
        expect_verdict(&p, NULL, 0);
        p.objects[EMPTY].arrivals--;
        expect(&p, {SWP_ARRIVALS, CONSUMER, SWP_KERNEL, 4, 2},
               {SWP_ARRIVALS, CONSUMER, SWP_EPILOGUE, 1, 1});
    }
}

/* --- Arrivals --- */

static void an_expected_count_without_the_peers_arrivals(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    p.objects[EMPTY].arrivals = 2;
    expect(&p, {SWP_ARRIVALS, CONSUMER, SWP_KERNEL, 4, 2},
           {SWP_ARRIVALS, CONSUMER, SWP_EPILOGUE, 1, 1});
    expect_detail(&p, "empty of rank 0 expects 2 arrivals and gets 4");
}

static void bytes_of_the_own_share_alone(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    roles_program_op(&p, PRODUCER, SWP_KERNEL, 1)->bytes = 32;
    expect(&p, {SWP_ARRIVALS, PRODUCER, SWP_KERNEL, 1, 2});
    expect_detail(&p, "expects 32 bytes and its copies bring 64");
}

/* A work group tells its own producer alone, and that copies into a slot that the other may still use. */
static void release_to_own(roles_program *p, swp_context *ctx)
{
    safe_cluster(p, ctx);
    roles_program_op(p, CONSUMER, SWP_KERNEL, 4)->to = SWP_TO_OWN;
    roles_program_op(p, CONSUMER, SWP_EPILOGUE, 1)->to = SWP_TO_OWN;
    p->objects[EMPTY].arrivals = 2;
}

static void a_release_that_goes_to_the_own_rank_alone(void **state)
{
    roles_program p;
    release_to_own(&p, *state);
    expect(&p, {SWP_ARRIVALS, PRODUCER, SWP_KERNEL, 2, 3});
    expect_detail(&p, "may come before phase 0 of slot 0 of full of rank 1 is complete");
}

/* --- The cluster's barrier --- */

static void a_wait_that_is_left_out(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    roles_program_drop(&p, PRODUCER, SWP_EPILOGUE, 1);
    expect(&p, {SWP_NAMED_BARRIER, PRODUCER, SWP_EPILOGUE, 0, 1});
    expect_detail(&p, "its threads end without a wait");
}

static void operations_that_do_not_take_turns(void **state)
{
    roles_program p;
    safe_cluster_meetings(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_KERNEL, 4);
    expect(&p, {SWP_NAMED_BARRIER, CONSUMER, SWP_KERNEL, 3, 1});
    safe_cluster_meetings(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_KERNEL, 3);
    expect(&p, {SWP_NAMED_BARRIER, CONSUMER, SWP_KERNEL, 3, 1});
    expect_detail(&p, "waits for a meeting that its threads have not arrived at");
}

static void a_role_that_does_not_come(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    roles_program_drop(&p, PRODUCER, SWP_EPILOGUE, 0);
    roles_program_drop(&p, PRODUCER, SWP_EPILOGUE, 0);
    expect(&p, {SWP_DEADLOCK, CONSUMER, SWP_EPILOGUE, 3, 1});
    expect_detail(&p, "waits for producer 0 of rank 0, which has ended");
}

/* --- Work groups that end --- */

static void an_arrival_at_a_work_group_that_has_ended(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    part_at_once(&p, SWP_EPILOGUE);
    expect(&p, {SWP_LOST_PEER, CONSUMER, SWP_KERNEL, 4, 2},
           {SWP_LOST_PEER, CONSUMER, SWP_EPILOGUE, 1, 1});
    expect_detail(&p, "may come to another work group when that has ended");
}

static void an_arrival_behind_the_last_meeting(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    swp_op *of[] = {roles_program_op(&p, CONSUMER, SWP_EPILOGUE, 1),
                    roles_program_op(&p, CONSUMER, SWP_EPILOGUE, 2),
                    roles_program_op(&p, CONSUMER, SWP_EPILOGUE, 3)};
    const swp_op arrive = *of[0];
    *of[0] = *of[1];
    *of[1] = *of[2];
    *of[2] = arrive;
    expect(&p, {SWP_LOST_PEER, CONSUMER, SWP_EPILOGUE, 3, 1});
}

static void arrivals_that_the_next_output_tile_waits_for(void **state)
{
    roles_program p;
    safe_cluster_tiles(&p, *state);
    part_at_once(&p, SWP_DRAIN);
    expect(&p, {SWP_LOST_PEER, CONSUMER, SWP_KERNEL, 4, 2},
           {SWP_LOST_PEER, CONSUMER, SWP_EPILOGUE, 1, 1});
}

/* --- Places --- */

/* The producer knows of the other work group that the tile has come, and of its own alone that it is read. */
static void reads_of_another_rank(roles_program *p, swp_context *ctx)
{
    safe_cluster_readers(p, ctx);
    p->objects[EMPTY].arrivals = 32;
    assert_int_equal(roles_program_mbarrier(p, "seen", 2, 64), SEEN);
    p->schedule.stream_count = 0;
    roles_program_add(p, .name = "producer",
                      .kernel = "wait_phase@empty-2! wait_phase@seen-2! arrive_expect@full+0=128! "
                                "LOAD_A@full+0=64! LOAD@full+0=32!",
                      .epilogue = "cluster_arrive cluster_wait");
    roles_program_add(p, .name = "consumer",
                      .kernel = "wait_phase@full+0 arrive@seen+0* READ+0 fence_async "
                                "arrive@empty+0",
                      .epilogue = "cluster_arrive cluster_wait");
}

static void a_copy_over_what_another_work_group_reads(void **state)
{
    roles_program p;
    reads_of_another_rank(&p, *state);
    expect(&p, {SWP_UNFENCED, PRODUCER, SWP_KERNEL, 4, 3});
    expect_detail(&p, "READ of iteration 0 in consumer of rank 1 touches T[0]");
}

static void a_fence_that_another_work_group_leaves_out(void **state)
{
    roles_program p;
    safe_cluster_readers(&p, *state);
    roles_program_drop(&p, CONSUMER, SWP_KERNEL, 2);
    expect(&p, {SWP_UNFENCED, PRODUCER, SWP_KERNEL, 2, 3},
           {SWP_UNFENCED, PRODUCER, SWP_KERNEL, 3, 3});
}

/* --- Rules --- */

typedef struct need {
    swp_happens_rule rule;
    void (*build)(roles_program *p, swp_context *ctx); /* of which the proof is wrong without it */
} need;

static void no_meeting(roles_program *p, swp_context *ctx)
{
    safe_cluster(p, ctx);
    part_at_once(p, SWP_EPILOGUE);
}

static void no_wait(roles_program *p, swp_context *ctx)
{
    safe_cluster(p, ctx);
    roles_program_drop(p, PRODUCER, SWP_EPILOGUE, 1);
}

static const need needs[] = {
    {SWP_HAPPENS_TO_ALL, safe_cluster},
    {SWP_HAPPENS_MULTICAST, safe_cluster},
    {SWP_HAPPENS_CLUSTER_PART, safe_cluster_meetings},
    {SWP_HAPPENS_CLUSTER_OPENING, safe_cluster_meetings},
    {SWP_HAPPENS_EACH_DESTINATION, release_to_own},
    {SWP_HAPPENS_ALTERNATE, no_wait},
    {SWP_HAPPENS_LOST_ARRIVAL, no_meeting},
    {SWP_HAPPENS_OWN_RANK, safe_cluster_readers},
    {SWP_HAPPENS_EACH_RANK, reads_of_another_rank},
};

static bool says_else(const swp_verdict *a, const swp_verdict *b)
{
    bool same = a->hazards.count == b->hazards.count;
    for (size_t i = 0; same && i < a->hazards.count; i++)
        same = a->hazards.items[i].kind == b->hazards.items[i].kind &&
               a->hazards.items[i].at.entry == b->hazards.items[i].at.entry;
    return !same;
}

static void every_rule_of_clusters_is_needed(void **state)
{
    assert_int_equal(sizeof needs / sizeof *needs,
                     SWP_HAPPENS_BEHIND_CLUSTERS - SWP_HAPPENS_RULE_COUNT);
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        roles_program p;
        swp_verdict with = {0};
        swp_verdict without = {0};
        assert_int_equal(needs[i].rule, SWP_HAPPENS_RULE_COUNT + i);
        needs[i].build(&p, *state);
        assert_ok(p.ctx, swp_verify_roles(p.ctx, &p.schedule, -1, (swp_acceptances){0}, &with));
        assert_ok(p.ctx, swp_verify_roles_without(p.ctx, &p.schedule, -1, needs[i].rule, &without));
        if (!says_else(&with, &without))
            fail_msg("without \"%s\" the proof says the same",
                     swp_happens_rule_meaning(needs[i].rule));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(clusters_are_safe),
        CONTEXT_TEST(clusters_of_any_size_are_safe),
        CONTEXT_TEST(an_expected_count_without_the_peers_arrivals),
        CONTEXT_TEST(bytes_of_the_own_share_alone),
        CONTEXT_TEST(a_release_that_goes_to_the_own_rank_alone),
        CONTEXT_TEST(a_wait_that_is_left_out),
        CONTEXT_TEST(operations_that_do_not_take_turns),
        CONTEXT_TEST(a_role_that_does_not_come),
        CONTEXT_TEST(an_arrival_at_a_work_group_that_has_ended),
        CONTEXT_TEST(an_arrival_behind_the_last_meeting),
        CONTEXT_TEST(arrivals_that_the_next_output_tile_waits_for),
        CONTEXT_TEST(a_copy_over_what_another_work_group_reads),
        CONTEXT_TEST(a_fence_that_another_work_group_leaves_out),
        CONTEXT_TEST(every_rule_of_clusters_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
