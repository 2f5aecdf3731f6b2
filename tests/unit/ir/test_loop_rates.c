/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of an iteration have of a rate stands for all of them at one op. */
#include "fixture.h"

#include "ir/loop_rates.h"
#include "swp/loop_compile.h"

/* A copy beside short loads of two instances, and what they work on; the memory is a rate or is not. */
static swp_loop copies(swp_context *ctx, bool is_rate)
{
    swp_loop_builder *l = swp_loop_new(ctx, "copies");
    swp_loop loop;
    const int producer = swp_loop_add_role(l, (swp_loop_role){.name = "producer", .warps = 1});
    const int consumer =
        swp_loop_add_role(l, (swp_loop_role){.name = "consumer", .warps = 4, .instances = 2});
    const int mma = swp_loop_add_unit(l, "mma_unit", 1);
    const int memory =
        is_rate ? swp_loop_add_rate(l, "memory", 2) : swp_loop_add_unit(l, "memory", 2);
    const int alu = swp_loop_add_unit(l, "alu", 1);
    const int a = swp_value(l, "A", .space = SWP_SPACE_SHARED, .bytes = 16384, .most_slots = 6);
    const int s = swp_value(l, "S", .space = SWP_SPACE_REGISTERS, .bytes = 1024, .most_slots = 2);
    const int t = swp_value(l, "T", .space = SWP_SPACE_REGISTERS, .bytes = 65536, .most_slots = 2);
    const int c = swp_value(l, "C", .space = SWP_SPACE_REGISTERS, .bytes = 65536);
    swp_work(l, "SCALE", .role = consumer, .uses = {{.unit = memory, .cycles = 1}}, .latency = 300,
             .reads_global = true, .writes = {s});
    swp_work(l, "LOAD", .role = producer, .uses = {{.unit = memory, .cycles = 520, .amount = 2}},
             .latency = 1000, .completion = SWP_COMPLETION_COPY_MBARRIER, .writes = {a});
    swp_work(l, "MMA", .role = consumer, .uses = {{.unit = mma, .cycles = 256}}, .latency = 356,
             .read_cycles = 256, .completion = SWP_COMPLETION_MATRIX_GROUP, .reads = {{.value = a}},
             .writes = {t});
    swp_work(l, "ADD", .role = consumer, .issue = 74, .uses = {{.unit = alu, .cycles = 64}},
             .latency = 78, .read_cycles = 64, .reads = {{.value = t}, {.value = s}},
             .updates = {c});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static void a_rate_has_its_load_at_one_op(void **state)
{
    enum { SCALE, LOAD, MEMORY = 1 };
    swp_context *ctx = *state;
    const swp_loop loop = copies(ctx, true);
    swp_loop_problem p;
    assert_true(swp_ir_loop_has_rates(&loop));
    assert_false(swp_ir_loop_is_rate(&loop, 0));
    assert_true(swp_ir_loop_is_rate(&loop, MEMORY));
    assert_int_equal(swp_ir_loop_work_on(&loop, SCALE, MEMORY), 1); /* a half, in whole cycles */
    assert_int_equal(swp_ir_loop_work_on(&loop, LOAD, MEMORY), 520);
    assert_ok(ctx, swp_loop_dependences(ctx, &loop, NULL, &p));
    for (size_t i = 0; i < p.problem.op_count; i++)
        for (size_t u = 0; u < p.problem.ops[i].use_count; u++) {
            const swp_problem_use *use = &p.problem.ops[i].uses[u];
            if (use->resource != MEMORY)
                continue;
            assert_int_equal(i, LOAD);
            assert_int_equal(use->amount, 2);
            assert_int_equal(use->cycles, 522);
        }
}

/* No time of the two loads is apart from the copy's in less than 777 cycles, as both instances have the same shift. */
static void nobody_waits_for_a_rate(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *rate = NULL;
    const swp_loop loop = copies(ctx, true);
    assert_ok(ctx, swp_compile_loop(ctx, &loop, NULL, &rate));
    assert_int_equal(rate->pipeline->answer.value, 522);
    assert_true(rate->sync.cycles <= INT64_C(524) * rate->sync.passes * rate->loop.tiles_per_pass);
    assert_true(rate->sync.cycles >= INT64_C(522) * rate->sync.passes * rate->loop.tiles_per_pass);
    swp_schedule_free(rate);
}

static void one_list_has_none(void **state)
{
    swp_context *ctx = *state;
    swp_schedule *schedule = NULL;
    swp_loop_builder *l = swp_loop_new(ctx, "plain");
    swp_loop loop;
    const int memory = swp_loop_add_rate(l, "memory", 1);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 64);
    swp_work(l, "ADD", .latency = 8, .uses = {{.unit = memory, .cycles = 4}}, .updates = {sum});
    assert_ok(ctx, swp_loop_done(l, &loop));
    assert_status(ctx, swp_compile_loop(ctx, &loop, NULL, &schedule), SWP_INVALID);
    assert_diag(ctx, "E0327", "is a rate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_rate_has_its_load_at_one_op),
        CONTEXT_TEST(nobody_waits_for_a_rate),
        CONTEXT_TEST(one_list_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
