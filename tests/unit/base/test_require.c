/* SPDX-License-Identifier: Apache-2.0 */
/* What may be NULL: texts of no length, files, lengths that nobody asks for. The rest: tests/null. */
#include "fixture.h"

#include "swp/swp.h"

static void an_empty_text_may_be_null(void **state)
{
    swp_context *ctx = *state;
    swp_audit_report report;
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    swp_problem_texts texts = {0};
    swp_certificate_parts parts = {0};
    swp_counterexample counterexample;
    assert_status(ctx, swp_audit(ctx, NULL, 0, NULL, &report), SWP_INVALID);
    assert_status(ctx, swp_description_read_yaml(ctx, NULL, 0, NULL, &description), SWP_INVALID);
    assert_status(ctx, swp_schedule_read_json(ctx, NULL, 0, NULL, &schedule), SWP_INVALID);
    assert_status(ctx, swp_counterexample_read(ctx, NULL, 0, NULL, &counterexample), SWP_INVALID);
    (void)swp_problem_split(ctx, NULL, 0, NULL, &texts);
    (void)swp_certificate_split(ctx, NULL, 0, NULL, &parts);
    assert_false(swp_looks_like_json(NULL, 0));
}

static swp_schedule *compiled(swp_context *ctx)
{
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, "pingpong", &description));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    return schedule;
}

static void nobody_need_ask_for_a_length(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compiled(ctx);
    size_t count = 0;
    char *text = NULL;
    swp_verdict verdict;
    swp_simulation simulation;
    const swp_emit_format *formats = swp_emit_formats(&count);
    for (size_t i = 0; i < count; i++) {
        assert_ok(ctx, formats[i].emit(ctx, schedule, &text, NULL));
        assert_int_equal(formats[i].emit(ctx, NULL, &text, NULL), SWP_INVALID);
    }
    assert_ok(ctx, swp_verify(ctx, schedule, NULL, 0, &verdict));
    assert_ok(ctx, swp_verdict_text(ctx, schedule, &verdict, &text, NULL));
    assert_ok(ctx, swp_verdict_json(ctx, schedule, &verdict, &text, NULL));
    assert_ok(ctx, swp_simulate(ctx, schedule, NULL, &simulation));
    assert_ok(ctx, swp_simulation_text(ctx, schedule, &simulation, &text, NULL));
    swp_schedule_free(schedule);
}

static void a_loop_without_a_name_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_loop loop;
    swp_loop_builder *builder = swp_loop_new(ctx, "loop");
    (void)swp_loop_add_unit(builder, NULL, 1);
    swp_work(builder, "op", .latency = 1);
    assert_status(ctx, swp_loop_done(builder, &loop), SWP_INVALID);
    assert_diag(ctx, "E0320", "no unit can be named ``");
}

static void nothing_is_freed(void **state)
{
    (void)state;
    swp_schedule_free(NULL);
    swp_context_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_empty_text_may_be_null),
        CONTEXT_TEST(nobody_need_ask_for_a_length),
        CONTEXT_TEST(a_loop_without_a_name_is_refused),
        cmocka_unit_test(nothing_is_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
