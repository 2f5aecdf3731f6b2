/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules without a proxy fence, by all judges, where ordinary reads need one and where they do not. */
#include "fixture.h"

#include "executed.h"
#include "roles_explorer.h"
#include "roles_unrolled.h"
#include "roles_words.h"

enum { ITERATIONS = 4 };

/* The only thing that is missing stands between USE and the arrival: the next LOAD overwrites what USE reads. */
static const char reads[] = "value T shared 1\n"
                            "op LOAD copy_mbarrier writes T\n"
                            "op USE none reads T\n"
                            "mbarrier full 1 1\n"
                            "mbarrier empty 1 32\n"
                            "role producer 1 1\n"
                            "wait_phase empty -1 one\n"
                            "arrive_expect full 0 bytes 8\n"
                            "LOAD full 0 bytes 8\n"
                            "role consumer 1 1\n"
                            "wait_phase full 0\n"
                            "USE 0\n"
                            "arrive empty 0\n";
static const judged_hazard overwrites = {
    .kind = SWP_UNFENCED, .stream = 0, .phase = SWP_KERNEL, .entry = 2, .smallest_n = 2};

/* Here between WRITE and the barrier: STORE reads what WRITE wrote. */
static const char writes[] = "value S shared 1\n"
                             "op WRITE none writes S\n"
                             "op STORE store_group reads S\n"
                             "role writer 1 1\n"
                             "WRITE 0\n"
                             "barrier\n"
                             "STORE 0\n"
                             "bulk_commit\n"
                             "bulk_wait_read 0\n"
                             "barrier\n";
static const judged_hazard stores = {
    .kind = SWP_UNFENCED, .stream = 0, .phase = SWP_KERNEL, .entry = 2, .smallest_n = 1};

static void is_proven(swp_context *ctx, const swp_schedule *schedule, const judged_hazard *hazard)
{
    swp_verdict verdict = {0};
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    assert_int_equal(verdict.hazards.count, hazard ? 1 : 0);
    if (!hazard)
        return;
    const swp_hazard *found = &verdict.hazards.items[0];
    assert_int_equal(found->kind, hazard->kind);
    assert_int_equal(found->stream, hazard->stream);
    assert_int_equal(found->at.entry, hazard->entry);
    assert_int_equal(found->smallest_n, hazard->smallest_n);
}

static void is_judged(const swp_schedule *schedule, const judged_hazard *hazard)
{
    judgement judged;
    roles_unrolled_judge(schedule, ITERATIONS, &judged);
    assert_int_equal(judged.count, hazard ? 1 : 0);
    if (hazard) {
        const judged_hazard *found = judgement_find(&judged, hazard);
        assert_non_null(found);
        assert_int_equal(found->smallest_n, hazard->smallest_n);
    }
    judgement_free(&judged);
}

static void is_explored(const swp_schedule *schedule, const judged_hazard *hazard)
{
    for (int n = 0; n <= ITERATIONS; n++) {
        roles_exploration x = roles_explore(schedule, n, NULL);
        const bool shows = hazard && n >= hazard->smallest_n;
        assert_false(x.undecided);
        assert_int_equal(x.count, shows ? 1 : 0);
        if (shows) {
            assert_int_equal(x.items[0].kind, hazard->kind);
            assert_int_equal(x.items[0].stream, hazard->stream);
            assert_int_equal(x.items[0].entry, hazard->entry);
        }
        roles_exploration_free(&x);
    }
}

/* An execution shows the hazard where there is one; else adversarial runs go right. */
static void is_executed(swp_context *ctx, const swp_schedule *schedule, const judged_hazard *hazard)
{
    roles_executions seen = {0};
    assert_true(roles_run_as_proven(ctx, schedule, &seen));
    assert_int_equal(seen.hazards, hazard ? 1 : 0);
    assert_int_equal(seen.runs > 0, !hazard);
}

/* NULL: it is safe. */
static void expect(swp_context *ctx, const char *text, bool fence_reads,
                   const judged_hazard *hazard)
{
    role_program *p = role_program_read(ctx, text);
    p->schedule.machine.fence_reads = fence_reads;
    is_proven(ctx, &p->schedule, hazard);
    is_judged(&p->schedule, hazard);
    is_explored(&p->schedule, hazard);
    is_executed(ctx, &p->schedule, hazard);
    role_program_free(p);
}

static void reads_need_a_fence_where_the_machine_says_so(void **state)
{
    expect(*state, reads, true, &overwrites);
    expect(*state, reads, false, NULL);
}

static void writes_always_do(void **state)
{
    expect(*state, writes, true, &stores);
    expect(*state, writes, false, &stores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(reads_need_a_fence_where_the_machine_says_so),
        CONTEXT_TEST(writes_always_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
