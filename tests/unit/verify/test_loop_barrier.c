/* SPDX-License-Identifier: Apache-2.0 */
/* The barrier before the loop, which published lists leave out: there, dropped, and dropped where it is needed. */
#include "fixture.h"

#include "words.h"

#include "swp/run.h"
#include "swp/verify.h"

/* Double buffer, 1x1 MMAs, raw barriers. Nothing in a pass waits for what the prologue loads but the loop's barrier. */
static program double_buffer(const char *prologue, bool drops_loop_barrier)
{
    program p = program_double_buffer();
    program_read(&p, SWP_PROLOGUE, prologue);
    program_read(&p, SWP_KERNEL,
                 "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |");
    program_read(&p, SWP_EPILOGUE, "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0");
    p.schedule.drops_loop_barrier = drops_loop_barrier;
    return p;
}

static const char loads[] = "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0";
static const char loads_and_barrier[] = "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0 |";

static swp_verdict verdict_of(swp_context *ctx, const program *p)
{
    swp_verdict verdict = {0};
    assert_ok(ctx, swp_verify(ctx, &p->schedule, NULL, 0, &verdict));
    return verdict;
}

/* Loads as late as they may be: a wave that passes another one's wait reads what is not there yet. */
static swp_symptom run_with_late_loads(swp_context *ctx, const program *p)
{
    const swp_run_options options = {.n = 4, .timing = SWP_TIMING_VICTIM};
    swp_run_outcome outcome;
    assert_ok(ctx, swp_run(ctx, &p->schedule, &options, &outcome));
    return outcome.symptom;
}

static void the_loop_has_it_unless_it_is_dropped(void **state)
{
    program p = double_buffer(loads, false);
    assert_true(verdict_of(*state, &p).safe);
    assert_int_equal(run_with_late_loads(*state, &p), SWP_NO_SYMPTOM);
    program_free(&p);
}

static void it_may_go_where_an_entry_does_its_work(void **state)
{
    program p = double_buffer(loads_and_barrier, true);
    assert_true(verdict_of(*state, &p).safe);
    assert_int_equal(run_with_late_loads(*state, &p), SWP_NO_SYMPTOM);
    program_free(&p);
}

static void a_schedule_that_needs_it_has_a_hazard_without(void **state)
{
    program p = double_buffer(loads, true);
    const swp_verdict verdict = verdict_of(*state, &p);
    swp_counterexample found;
    assert_false(verdict.safe);
    const swp_hazard *first = &verdict.hazards.items[0];
    assert_int_equal(first->kind, SWP_STALE_READ);
    assert_int_equal(first->at.phase, SWP_KERNEL);
    assert_int_equal(first->at.entry, 0);
    assert_ok(*state, swp_counterexample_find(*state, &p.schedule, first, &found));
    assert_int_equal(found.symptom, SWP_WRONG_VALUE);
    program_free(&p);
}

/* A counterexample is of a schedule: the barrier makes another one of it. */
static void the_digest_tells_whether_it_was_dropped(void **state)
{
    (void)state;
    char digests[2][SWP_DIGEST_SIZE];
    for (int dropped = 0; dropped < 2; dropped++) {
        program p = double_buffer(loads, dropped);
        swp_schedule_digest(&p.schedule, digests[dropped]);
        program_free(&p);
    }
    assert_string_not_equal(digests[0], digests[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_loop_has_it_unless_it_is_dropped),
        CONTEXT_TEST(it_may_go_where_an_entry_does_its_work),
        CONTEXT_TEST(a_schedule_that_needs_it_has_a_hazard_without),
        cmocka_unit_test(the_digest_tells_whether_it_was_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
