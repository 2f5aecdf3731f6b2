/* SPDX-License-Identifier: Apache-2.0 */
/* One answer to which loops and numbers of tiles there are, from every judge of a schedule. */
#include "fixture.h"
#include "words.h"

#include "swp/audit_schedule.h"
#include "swp/diff.h"
#include "swp/emit.h"
#include "swp/explain.h"
#include "swp/run.h"
#include "swp/simulate.h"
#include "swp/sync.h"

static const swp_loop_shape good = {2, 2, 2, 2, 1, 1, SWP_PLACE_K_OFFSET};

/* None of them has a meaning. */
static const swp_loop_shape bad[] = {
    {0, 2, 2, 0, 1, 1, SWP_PLACE_K_OFFSET},       {-1, 2, 2, -1, 1, 1, SWP_PLACE_K_OFFSET},
    {2, 2, 0, 2, 1, 1, SWP_PLACE_K_OFFSET},       {2, 2, 2, 1, 1, 1, SWP_PLACE_K_OFFSET},
    {2, 2, 2, 4, 1, 1, SWP_PLACE_K_OFFSET},       {2, 2, 3, 2, 1, 1, SWP_PLACE_K_OFFSET},
    {2, 2, 2, 2, 0, 1, SWP_PLACE_K_OFFSET},       {2, 2, 2, 2, 1, -1, SWP_PLACE_K_OFFSET},
    {2, 2, 2, 2, 1024, 1025, SWP_PLACE_K_OFFSET}, {1, 1, 1, 1, 1, 1, SWP_PLACE_NEXT_TILE},
};

static program safe_program(void)
{
    program p = program_double_buffer();
    program_read(&p, SWP_PROLOGUE, "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0");
    program_read(&p, SWP_KERNEL,
                 "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 a1.0 b1.0 l0 | A1.0:k1 B1.0:k1 m0.0 v0 |");
    program_read(&p, SWP_EPILOGUE, "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0");
    return p;
}

static void no_judge_takes_a_loop_without_a_meaning(void **state)
{
    swp_context *ctx = *state;
    program p = safe_program();
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        swp_verdict verdict;
        swp_run_outcome outcome;
        swp_simulation simulation;
        const swp_run_options options = {.n = 2};
        p.schedule.loop = bad[i];
        assert_status(ctx, swp_loop_shape_check(ctx, &bad[i]), SWP_INVALID);
        assert_status(ctx, swp_verify(ctx, &p.schedule, NULL, 0, &verdict), SWP_INVALID);
        assert_status(ctx, swp_run(ctx, &p.schedule, &options, &outcome), SWP_INVALID);
        assert_status(ctx, swp_simulate(ctx, &p.schedule, NULL, &simulation), SWP_INVALID);
        size_t count = 0;
        const swp_diag *diags = swp_context_diags(ctx, &count);
        assert_int_equal(count, 4);
        for (size_t d = 0; d < count; d++)
            assert_string_equal(diags[d].code, "E0701");
        swp_context_clear_diags(ctx);
    }
    program_free(&p);
}

static void no_judge_takes_several_streams(void **state)
{
    swp_context *ctx = *state;
    program p = safe_program();
    const char *text = NULL;
    swp_verdict verdict;
    swp_run_outcome outcome;
    swp_simulation simulation;
    swp_explanation_list explanations;
    swp_sync_result sync;
    swp_diff diff;
    swp_audit_report report;
    const swp_run_options options = {.n = 2};
    p.schedule.streams[1] = p.schedule.streams[0];
    p.schedule.stream_count = 2;
    const swp_schedule *s = &p.schedule;
    assert_status(ctx, swp_verify(ctx, s, NULL, 0, &verdict), SWP_INVALID);
    assert_status(ctx, swp_run(ctx, s, &options, &outcome), SWP_INVALID);
    assert_status(ctx, swp_simulate(ctx, s, NULL, &simulation), SWP_INVALID);
    assert_status(ctx, swp_explain(ctx, s, &explanations), SWP_INVALID);
    assert_status(ctx, swp_derive_sync(ctx, &p.schedule, SWP_SYNC_CYCLES, false, &sync),
                  SWP_INVALID);
    assert_status(ctx, swp_diff_schedules(ctx, s, s, NULL, &diff), SWP_INVALID);
    assert_status(ctx, swp_emit_c_header(ctx, s, NULL, (char **)&text, NULL), SWP_INVALID);
    assert_status(ctx, swp_audit_schedule(ctx, "", 0, "k.s", s, NULL, &report), SWP_INVALID);
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t d = 0; d < count; d++)
        assert_string_equal(diags[d].code, "E0704");
    assert_int_equal(count, 8);
    program_free(&p);
}

static void a_loop_takes_its_least_tiles_and_whole_passes(void **state)
{
    swp_context *ctx = *state;
    assert_ok(ctx, swp_loop_shape_check(ctx, &good));
    for (int n = -2; n < 12; n++)
        assert_int_equal(swp_loop_shape_takes(&good, n), n >= 2 && n % 2 == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(no_judge_takes_a_loop_without_a_meaning),
        CONTEXT_TEST(no_judge_takes_several_streams),
        CONTEXT_TEST(a_loop_takes_its_least_tiles_and_whole_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
