/* SPDX-License-Identifier: Apache-2.0 */
/* Cost models (docs/descriptions.md, "costs") and targets. */
#include "fixture.h"
#include "ops.h"
#include "swp/target.h"

static void a_cost_is_none_by_default(void **state)
{
    (void)state;
    const swp_cost_model model = swp_cost_model_none();
    assert_int_equal(COUNT_OF(model.costs), 128);
    for (int tag = 0; tag < 128; tag++) {
        assert_int_equal(model.costs[tag].resource, SWP_RESOURCE_NONE);
        assert_int_equal(model.costs[tag].role, SWP_ROLE_NONE);
        assert_int_equal(model.costs[tag].latency, 0);
        assert_int_equal(model.costs[tag].vgpr_def, 0);
        assert_int_equal(model.costs[tag].vgpr_kill, 0);
    }
}

static void annotation_stamps_five_fields_and_keeps_the_rest(void **state)
{
    (void)state;
    swp_cost_model model = swp_cost_model_none();
    model.costs[127] = (swp_op_cost){SWP_VALU, 9, SWP_VALU_COMPUTE, 2, 1};
    swp_op op = swp_op_logical(127, 1, 2, 3, SWP_K1);
    op.vm_cost = 4;
    op.lgkm_cost = 5;
    op.wait_value = 6;
    swp_op expected = op;
    expected.resource = SWP_VALU;
    expected.latency = 9;
    expected.role = SWP_VALU_COMPUTE;
    expected.vgpr_def = 2;
    expected.vgpr_kill = 1;
    swp_annotate_ops(&op, 1, &model);
    assert_true(same_op(&op, &expected));
}

static void annotation_passes_the_framework_ops_through(void **state)
{
    (void)state;
    const swp_cost_model model = swp_cost_model_none();
    swp_op ops[] = {swp_op_barrier(), swp_op_wait_vm(3), swp_op_set_prio(1), swp_op_none()};
    swp_op kept[COUNT_OF(ops)];
    for (size_t i = 0; i < COUNT_OF(ops); i++)
        kept[i] = ops[i];
    swp_annotate_ops(ops, COUNT_OF(ops), &model);
    for (size_t i = 0; i < COUNT_OF(ops); i++)
        assert_true(same_op(&ops[i], &kept[i]));
}

static void a_negative_tag_has_no_cost(void **state)
{
    (void)state;
    const swp_cost_model model = swp_cost_model_none();
    swp_op op = mma_op(0, 0);
    op.tag = -1;
    swp_annotate_ops(&op, 1, &model);
    assert_int_equal(op.role, SWP_COMPUTE);
}

static void mi355x_is_found_by_its_name(void **state)
{
    (void)state;
    size_t count = 0;
    const swp_target *const *targets = swp_targets(&count);
    assert_true(count >= 1);
    assert_non_null(targets);
    const swp_target *target = swp_target_find("mi355x");
    assert_non_null(target);
    assert_int_equal(target->accesses.dma_bytes, 16);
    assert_int_equal(target->figures[SWP_TARGET_VMCNT].value, 63);
    assert_int_equal(target->figures[SWP_TARGET_LGKMCNT].value, 15);
    assert_int_equal(target->double_buffer(4, 4, 1).pipeline.depth, 2);
    assert_int_equal(target->single_buffer().pipeline.depth, 1);
    assert_null(swp_target_find("mi355"));
    assert_null(swp_target_find(""));
}

static void targets_have_the_other_names_of_their_machines(void **state)
{
    static const char *const names[][2] = {
        {"MI355X", "mi355x"}, {"gfx950", "mi355x"}, {"gfx942", "mi300x"}, {"A100", "sm_80"},
        {"h100", "sm_90"},    {"H200", "sm_90"},    {"sm_90a", "sm_90"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const swp_target *target = swp_target_find(names[i][0]);
        assert_non_null(target);
        assert_string_equal(target->name, names[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cost_is_none_by_default),
        cmocka_unit_test(annotation_stamps_five_fields_and_keeps_the_rest),
        cmocka_unit_test(annotation_passes_the_framework_ops_through),
        cmocka_unit_test(a_negative_tag_has_no_cost),
        cmocka_unit_test(mi355x_is_found_by_its_name),
        cmocka_unit_test(targets_have_the_other_names_of_their_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
