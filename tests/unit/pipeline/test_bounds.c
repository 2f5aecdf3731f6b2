/* SPDX-License-Identifier: Apache-2.0 */
/* What a loop of the C API may have at most, and how much of its pipeline is written out. */
#include "fixture.h"
#include "swp/loop.h"
#include "swp/loop_compile.h"

/* Two values, each loaded and read once, with so many slots. */
static swp_loop two_values(swp_context *ctx, int first, int second)
{
    swp_loop_builder *l = swp_loop_new(ctx, "two");
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int slots[] = {first, second};
    const int values[] = {
        swp_value(l, "A", .space = SWP_SPACE_SHARED, .bytes = 4, .least_slots = first,
                  .most_slots = first),
        swp_value(l, "B", .space = SWP_SPACE_SHARED, .bytes = 4, .least_slots = second,
                  .most_slots = second),
    };
    swp_loop loop;
    for (int i = 0; i < (int)(sizeof slots / sizeof *slots); i++)
        swp_work(l, i ? "LOAD_B" : "LOAD_A", .latency = 5, .completion = SWP_COMPLETION_COUNTER,
                 .uses = {{.unit = unit, .cycles = 1}}, .writes = {values[i]});
    swp_work(l, "USE", .latency = 2, .uses = {{.unit = unit, .cycles = 1}},
             .reads = {{.value = values[0]}, {.value = values[1]}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static size_t count_steps(const swp_loop_phases *p)
{
    size_t count = p->prologue.count + p->kernel.count;
    for (int r = 0; r < p->unroll; r++)
        count += p->epilogues[r].count;
    for (int n = 0; n < p->least; n++)
        count += p->straight[n].count;
    return count;
}

/* 992 iterations of 3 ops, and epilogues of 0 to 991 more; the message counts them as they would be. */
static void slots_that_come_back_together_late_are_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = two_values(ctx, 32, 31);
    swp_loop_phases phases;
    swp_pipeline pipeline;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &pipeline));
    assert_int_equal(swp_loop_expand(ctx, &pipeline, false, &phases), SWP_INVALID);
    assert_diag(ctx, "E0326", "a kernel of 992 iterations");
    assert_diag(ctx, "E0326", "the slots are 32 (A), 31 (B)");
    swp_context_clear_diags(ctx);
    assert_int_equal(swp_compile_loop(ctx, &loop, NULL, &schedule), SWP_INVALID);
    assert_diag(ctx, "E0326", "two written out");
    assert_null(schedule);
}

static void what_rotates_is_not_unrolled(void **state)
{
    swp_context *ctx = *state;
    const swp_loop loop = two_values(ctx, 32, 31);
    swp_loop_phases phases;
    swp_pipeline pipeline;
    assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &pipeline));
    assert_ok(ctx, swp_loop_expand(ctx, &pipeline, true, &phases));
    assert_int_equal(phases.unroll, 1);
}

/* The largest that is written out has as many entries as may be, and not more. */
static void what_is_written_out_stays_below_the_bound(void **state)
{
    swp_context *ctx = *state;
    enum { MOST = 65536 };
    bool refused = false;
    bool written = false;
    for (int slots = 5; slots < 32; slots += 2) {
        const swp_loop loop = two_values(ctx, slots, slots + 1);
        swp_loop_phases phases;
        swp_pipeline pipeline;
        assert_ok(ctx, swp_pipeline_loop(ctx, &loop, &pipeline));
        const swp_status status = swp_loop_expand(ctx, &pipeline, false, &phases);
        refused = refused || status == SWP_INVALID;
        written = written || status == SWP_OK;
        if (status == SWP_OK)
            assert_in_range(count_steps(&phases), 1, MOST);
    }
    assert_true(refused && written);
}

static void a_loop_has_so_many_units_and_no_more(void **state)
{
    swp_context *ctx = *state;
    for (int more = 0; more < 2; more++) {
        swp_loop_builder *l = swp_loop_new(ctx, "wide");
        swp_loop loop;
        for (int i = 0; i < SWP_MOST_LOOP_UNITS + more; i++)
            (void)swp_loop_add_unit(l, "unit", 1);
        swp_work(l, "OP", .latency = 1);
        assert_int_equal(swp_loop_done(l, &loop), more ? SWP_INVALID : SWP_OK);
    }
    assert_diag(ctx, "E0320", "1025 units are more than the 1024");
}

static void an_op_has_so_many_operands_and_no_more(void **state)
{
    swp_context *ctx = *state;
    static swp_loop_read reads[SWP_MOST_OP_OPERANDS + 1];
    const swp_loop_value value = {.name = "V", .bytes = 4, .least_slots = 1};
    for (int more = 0; more < 2; more++) {
        const swp_loop_op op = {.name = "OP",
                                .latency = 1,
                                .accesses = 1,
                                .reads = reads,
                                .read_count = SWP_MOST_OP_OPERANDS + (size_t)more};
        const swp_loop loop = {
            .name = "many",
            .ops = &op,
            .op_count = 1,
            .values = &value,
            .value_count = 1,
            .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES}};
        assert_int_equal(swp_check_loop(ctx, &loop), more ? SWP_INVALID : SWP_OK);
    }
    assert_diag(ctx, "E0322", "1025 uses, reads, writes and updates");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(slots_that_come_back_together_late_are_refused),
        CONTEXT_TEST(what_rotates_is_not_unrolled),
        CONTEXT_TEST(what_is_written_out_stays_below_the_bound),
        CONTEXT_TEST(a_loop_has_so_many_units_and_no_more),
        CONTEXT_TEST(an_op_has_so_many_operands_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
