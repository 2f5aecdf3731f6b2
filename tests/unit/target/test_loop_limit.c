/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory and registers of a target, and what a loop is held to. */
#include "fixture.h"

#include "swp/target.h"

static void a_lane_has_its_share_of_the_register_file(void **state)
{
    (void)state;
    const swp_target *amd = swp_target_find("mi355x");
    const swp_target *nvidia = swp_target_find("sm_90");
    assert_int_equal(swp_target_lane_registers(amd, 1), 512);
    assert_int_equal(swp_target_lane_registers(amd, 4), 512);
    assert_int_equal(swp_target_lane_registers(amd, 5), 256);
    assert_int_equal(swp_target_lane_registers(amd, 16), 128);
    assert_int_equal(swp_target_lane_registers(nvidia, 8), 255);
    assert_int_equal(swp_target_lane_registers(nvidia, 12), 168); /* 65536 / 384 = 170 */
    assert_int_equal(swp_target_lane_registers(nvidia, 32), 64);
}

static swp_loop one_value(swp_loop_value *value, swp_loop_op *op)
{
    static const int writes[] = {0};
    value->name = "v";
    value->least_slots = 1;
    *op = (swp_loop_op){.name = "op", .accesses = 1, .writes = writes, .write_count = 1};
    return (swp_loop){.name = "loop", .values = value, .value_count = 1, .ops = op, .op_count = 1};
}

static void a_loop_is_held_to_what_the_target_has(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = {.groups = 2, .waves_per_group = 4};
    swp_loop_value value = {.space = SWP_SPACE_REGISTERS, .bytes = 1024, .bytes_of = SWP_OF_WAVE};
    swp_loop_op op;
    swp_loop loop = one_value(&value, &op);
    assert_ok(ctx, swp_loop_limit(ctx, swp_target_find("mi300x"), &machine, &loop));
    assert_int_equal(loop.shared_budget, 65536);
    assert_int_equal(loop.lane_registers, 256);
    assert_int_equal(loop.lanes, 512);
    assert_int_equal(loop.values[0].bytes, 8 * 1024);
    /* Once more changes nothing. */
    assert_ok(ctx, swp_loop_limit(ctx, swp_target_find("mi300x"), &machine, &loop));
    assert_int_equal(loop.values[0].bytes, 8 * 1024);
}

static void budgets_beyond_the_target_are_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_machine machine = {.groups = 1, .waves_per_group = 4};
    swp_loop_value value = {.space = SWP_SPACE_REGISTERS, .bytes = 1024};
    swp_loop_op op;
    swp_loop loop = one_value(&value, &op);
    loop.shared_budget = 65537;
    assert_status(ctx, swp_loop_limit(ctx, swp_target_find("mi300x"), &machine, &loop),
                  SWP_INVALID);
    assert_diag(ctx, "E0328", "65537");
    swp_context_clear_diags(ctx);
    loop.shared_budget = 65536;
    loop.lane_registers = 513;
    assert_status(ctx, swp_loop_limit(ctx, swp_target_find("mi300x"), &machine, &loop),
                  SWP_INVALID);
    assert_diag(ctx, "E0328", "513");
    swp_context_clear_diags(ctx);
    value.space = SWP_SPACE_SHARED;
    value.bytes_of = SWP_OF_WAVE;
    loop = one_value(&value, &op);
    assert_status(ctx, swp_loop_limit(ctx, swp_target_find("mi300x"), &machine, &loop),
                  SWP_INVALID);
    assert_diag(ctx, "E0321", "those of a wave");
}

static void waves_are_as_many_as_registers_take(void **state)
{
    (void)state;
    swp_loop_value value = {.space = SWP_SPACE_REGISTERS, .bytes = 4 * 32 * 255 * 4};
    swp_loop_op op;
    const swp_loop loop = one_value(&value, &op);
    const swp_target *target = swp_target_find("sm_90");
    assert_int_equal(swp_loop_waves(target, &loop, 1, 4), 4);
    value.bytes++;
    assert_int_equal(swp_loop_waves(target, &loop, 1, 4), 8);
    assert_int_equal(swp_loop_waves(target, &loop, 2, 2), 4);
    value.bytes = 1 << 20; /* more than an SM has */
    assert_int_equal(swp_loop_waves(target, &loop, 1, 4), 4);
}

/* Every other kind of completion names one of these objects, or none. */
static void ops_complete_by_what_the_target_has(void **state)
{
    static const struct {
        const char *target;
        bool has[SWP_COMPLETION_COUNT];
    } rows[] = {
        {"mi355x", {[SWP_COMPLETION_VMCNT] = true, [SWP_COMPLETION_LGKMCNT] = true}},
        {"mi300x", {[SWP_COMPLETION_VMCNT] = true, [SWP_COMPLETION_LGKMCNT] = true}},
        {"sm_80", {[SWP_COMPLETION_COPY_GROUP] = true, [SWP_COMPLETION_COPY_MBARRIER] = true}},
        {"sm_90",
         {[SWP_COMPLETION_COPY_GROUP] = true,
          [SWP_COMPLETION_MATRIX_GROUP] = true,
          [SWP_COMPLETION_COPY_MBARRIER] = true,
          [SWP_COMPLETION_STORE_GROUP] = true}},
    };
    const swp_machine machine = {.groups = 1, .waves_per_group = 4};
    swp_context *ctx = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int c = SWP_COMPLETION_VMCNT; c < SWP_COMPLETION_COUNT; c++) {
            swp_loop_value value = {.space = SWP_SPACE_SHARED, .bytes = 1024};
            swp_loop_op op;
            swp_loop loop = one_value(&value, &op);
            op.completion = (swp_completion)c;
            const swp_status status =
                swp_loop_limit(ctx, swp_target_find(rows[i].target), &machine, &loop);
            assert_int_equal(status, rows[i].has[c] ? SWP_OK : SWP_INVALID);
            if (!rows[i].has[c])
                assert_diag(ctx, "E0332", rows[i].target);
            swp_context_clear_diags(ctx);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lane_has_its_share_of_the_register_file),
        CONTEXT_TEST(a_loop_is_held_to_what_the_target_has),
        CONTEXT_TEST(budgets_beyond_the_target_are_refused),
        CONTEXT_TEST(ops_complete_by_what_the_target_has),
        cmocka_unit_test(waves_are_as_many_as_registers_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
