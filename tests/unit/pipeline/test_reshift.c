/* SPDX-License-Identifier: Apache-2.0 */
/* Instances shifted in other ways: two that share the matrix unit all the time can only take turns. */
#include "fixture.h"

#include "builtins.h"
#include "pipeline/reshift.h"

static void instances_take_turns_or_are_not_found(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = compile_builtin(ctx, "gemm_ws");
    const swp_pipeline *given = schedule->pipeline;
    swp_pipeline other;
    bool found = false;
    for (int part = 0; part < SWP_PIPELINE_SHIFT_PARTS; part++) {
        assert_ok(ctx, swp_pipeline_reshift(ctx, given, given->answer.value, given->slots,
                                            given->stages, part, &other, &found));
        assert_int_equal(found, part == SWP_PIPELINE_SHIFT_PARTS / 2);
        if (!found)
            continue;
        assert_int_equal(other.answer.value, given->answer.value);
        assert_int_equal(other.shifts[0], given->answer.value / 2);
    }
    swp_schedule_free(schedule);
}

/* Two ops of a role that have nothing to do with each other, and one that reads the first. */
static swp_loop three_ops(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "three");
    swp_loop loop;
    const int role = swp_loop_add_role(l, (swp_loop_role){.name = "worker", .warps = 4});
    const int alu = swp_loop_add_unit(l, "alu", 1);
    const int a = swp_value(l, "a", .space = SWP_SPACE_REGISTERS, .bytes = 512, .most_slots = 1);
    const int b = swp_value(l, "b", .space = SWP_SPACE_REGISTERS, .bytes = 512);
    const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS, .bytes = 512);
    swp_work(l, "MAKE", .role = role, .uses = {{.unit = alu, .cycles = 10}}, .latency = 10,
             .writes = {a});
    swp_work(l, "ADD", .role = role, .uses = {{.unit = alu, .cycles = 10}}, .latency = 10,
             .updates = {b});
    swp_work(l, "SUM", .role = role, .uses = {{.unit = alu, .cycles = 10}}, .latency = 10,
             .read_cycles = 10, .reads = {{.value = a}}, .updates = {c});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static void neighbours_are_swapped_where_none_depends_on_the_other(void **state)
{
    enum { MAKE, ADD, SUM };
    swp_context *ctx = *state;
    const swp_loop loop = three_ops(ctx);
    swp_pipeline given;
    swp_pipeline other;
    bool found = false;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &given));
    const int64_t *times = given.answer.times;
    const int first = times[ADD] < times[SUM] ? ADD : SUM;
    assert_ok(ctx, swp_pipeline_swap(ctx, &given, ADD + SUM - first, first, 0, &other, &found));
    assert_true(found);
    assert_true(other.answer.times[ADD + SUM - first] < other.answer.times[first]);
    assert_int_equal(other.answer.value, given.answer.value);
    assert_ok(ctx, swp_pipeline_swap(ctx, &given, SUM, MAKE, 0, &other, &found));
    assert_false(found);
    size_t diags = 0;
    (void)swp_context_diags(ctx, &diags);
    assert_int_equal(diags, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(instances_take_turns_or_are_not_found),
        CONTEXT_TEST(neighbours_are_swapped_where_none_depends_on_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
