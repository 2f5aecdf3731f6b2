/* SPDX-License-Identifier: Apache-2.0 */
/* Where the proof of warp roles ends: by passes, by steps, and with what it has found (docs/roles-proof.md, "The proof"). */
#include "fixture.h"
#include "safe_roles.h"

#include "swp/verify.h"

#include <string.h>

/* Groups that a wait leaves in flight: their order does not come back before so many passes. */
enum { FAR = 2000 };

static void push(roles_program *p, int tag, swp_threads by, int wait)
{
    swp_entry entry = {.op = swp_op_none(), .phase = SWP_KERNEL};
    entry.op.tag = tag;
    entry.op.by = by;
    entry.op.slot = 0;
    entry.op.wait_value = wait;
    assert_ok(p->ctx, swp_entry_list_push(p->ctx, &p->schedule.streams[PRODUCER].kernel, entry));
}

static void turns_that_reach_far(roles_program *p, swp_context *ctx, int fences)
{
    safe_turns(p, ctx);
    push(p, SWP_TAG_BULK_COMMIT, SWP_ONE_THREAD, 0);
    push(p, SWP_TAG_BULK_WAIT, SWP_ONE_THREAD, FAR);
    for (int i = 0; i < fences; i++)
        push(p, SWP_TAG_FENCE_ASYNC, SWP_ALL_THREADS, 0);
}

static bool has_hint(const swp_context *ctx, const char *text)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    return count > 0 && strstr(diags[count - 1].hint, text);
}

/* Does an op twice. Behind what is accepted states are not asked for, only whether the order comes back. */
static void do_twice(roles_program *p, swp_acceptance accepted[2])
{
    swp_entry_list *kernel = &p->schedule.streams[PRODUCER].kernel;
    const swp_entry work = kernel->items[1];
    const swp_entry_ref at = {SWP_KERNEL, (int)kernel->count};
    assert_ok(p->ctx, swp_entry_list_push(p->ctx, kernel, work));
    accepted[0] = (swp_acceptance){SWP_DOUBLE_WORK, at, "worker"};
    accepted[1] = (swp_acceptance){SWP_WRONG_TILE, at, "worker"};
}

/* The hint says which limit it was. */
static void expect_no_end(swp_context *ctx, int fences, const char *passes, const char *limit)
{
    roles_program p;
    swp_acceptance accepted[2];
    swp_verdict verdict = {0};
    turns_that_reach_far(&p, ctx, fences);
    do_twice(&p, accepted);
    assert_status(ctx, swp_verify(ctx, &p.schedule, accepted, 2, &verdict), SWP_INVALID);
    assert_diag(ctx, "E0702", passes);
    assert_true(has_hint(ctx, limit));
}

static void many_passes_are_no_proof(void **state)
{
    expect_no_end(*state, 0, "within 1024 passes", "follows 1024 passes: let waits leave fewer");
}

/* 2^26 of them: too many for a build with sanitizers. */
static void many_steps_are_no_proof(void **state)
{
#ifdef NDEBUG
    expect_no_end(*state, 1000, "within 149 passes", "follows 67108864 steps of threads");
#else
    (void)state;
    skip();
#endif
}

/* Groups that no wait tells apart any more are no new state. */
static void what_reaches_far_is_proven_by_states(void **state)
{
    roles_program p;
    swp_verdict verdict = {0};
    turns_that_reach_far(&p, *state, 0);
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_true(verdict.safe);
}

static void what_was_found_is_told(void **state)
{
    roles_program p;
    swp_verdict verdict = {0};
    turns_that_reach_far(&p, *state, 0);
    roles_program_drop(&p, PRODUCER, SWP_KERNEL, 0);
    assert_ok(*state, swp_verify(*state, &p.schedule, NULL, 0, &verdict));
    assert_false(verdict.safe);
    assert_no_diag(*state, "E0702");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(many_passes_are_no_proof),
        CONTEXT_TEST(many_steps_are_no_proof),
        CONTEXT_TEST(what_reaches_far_is_proven_by_states),
        CONTEXT_TEST(what_was_found_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
