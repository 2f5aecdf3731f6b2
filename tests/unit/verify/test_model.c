/* SPDX-License-Identifier: Apache-2.0 */
/* What only a caller of the library can give the proof: no reader of files lets it through. */
#include "fixture.h"
#include "words.h"

#include "swp/verify.h"

#include <time.h>

static program safe_program(void)
{
    program p = program_double_buffer();
    program_read(&p, SWP_PROLOGUE, "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0");
    program_read(&p, SWP_KERNEL,
                 "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |");
    program_read(&p, SWP_EPILOGUE, "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0");
    return p;
}

static void expect_refused(swp_context *ctx, program *p, const char *why)
{
    swp_verdict verdict;
    assert_status(ctx, swp_verify(ctx, &p->schedule, NULL, 0, &verdict), SWP_INVALID);
    assert_diag(ctx, "E0701", why);
    swp_context_clear_diags(ctx);
    program_free(p);
}

static void sync_is_a_barrier_or_a_wait(void **state)
{
    static const int tags[] = {SWP_TAG_SET_PRIO, SWP_TAG_SCHEDULE_BARRIER, 0, SWP_TAG_NONE};
    for (size_t i = 0; i < COUNT_OF(tags); i++) {
        program p = safe_program();
        p.schedule.streams[0].kernel.items[2].op.tag = tags[i];
        expect_refused(*state, &p, "kernel entry 2");
    }
    program p = safe_program();
    p.schedule.streams[0].kernel.items[2].op.wait_value = -1;
    expect_refused(*state, &p, "fewer than no accesses");
}

static void a_product_is_in_the_grid(void **state)
{
    static const int outside[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (size_t i = 0; i < COUNT_OF(outside); i++) {
        program p = safe_program();
        p.schedule.streams[0].kernel.items[6].op.stage = outside[i][0];
        p.schedule.streams[0].kernel.items[6].op.subtile = outside[i][1];
        expect_refused(*state, &p, "outside the loop's grid");
    }
}

static void ops_need_no_names(void **state)
{
    swp_context *ctx = *state;
    swp_verdict verdict;
    program p = safe_program();
    p.schedule.op_names = NULL;
    program_delete(&p, SWP_PROLOGUE, 4);
    assert_ok(ctx, swp_verify(ctx, &p.schedule, NULL, 0, &verdict));
    assert_false(verdict.safe);
    assert_string_equal(verdict.hazards.items[0].name, "?");
    program_free(&p);
}

/* A million accumulators are numbered at once; to look each up among the others took hours. */
static void a_large_grid_is_numbered_in_time(void **state)
{
    swp_context *ctx = *state;
    swp_verdict verdict;
    program p = safe_program();
    const clock_t start = clock();
    p.schedule.loop.m_mmas = p.schedule.loop.n_mmas = 1024;
    p.schedule.streams[0].kernel.items[6].op.stage = 1023;
    p.schedule.streams[0].kernel.items[6].op.subtile = 1022;
    assert_ok(ctx, swp_verify(ctx, &p.schedule, NULL, 0, &verdict));
    assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
    const swp_hazard *last = &verdict.hazards.items[verdict.hazards.count - 1];
    assert_int_equal(last->kind, SWP_MISSING_WORK);
    assert_int_equal(last->stage, 0); /* the first without a product */
    assert_int_equal(last->subtile, 1);
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(sync_is_a_barrier_or_a_wait),
        CONTEXT_TEST(a_product_is_in_the_grid),
        CONTEXT_TEST(ops_need_no_names),
        CONTEXT_TEST(a_large_grid_is_numbered_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
