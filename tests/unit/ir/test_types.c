/* SPDX-License-Identifier: Apache-2.0 */
/* Enumerators, factories, k multiples, the prefetch predicate, names (docs/json.md, "body"). */
#include "fixture.h"
#include "ops.h"

static void enumerators_have_the_published_numbers(void **state)
{
    (void)state;
    const int numbers[] = {SWP_GLOBAL_MEM, SWP_LDS, SWP_MMA_UNIT, SWP_SCALAR, SWP_VALU};
    for (int i = 0; i < 5; i++)
        assert_int_equal(numbers[i], i);
    const int roles[] = {SWP_GLOBAL_LOAD, SWP_SHARED_STORE, SWP_FRAGMENT_LOAD, SWP_COMPUTE,
                         SWP_SYNC,        SWP_FENCE,        SWP_VALU_COMPUTE};
    for (int i = 0; i < 7; i++)
        assert_int_equal(roles[i], i);
    assert_int_equal(SWP_RESOURCE_NONE, 255);
    assert_int_equal(SWP_ROLE_NONE, 255);
    assert_int_equal(SWP_K0, 0);
    assert_int_equal(SWP_K1, 1);
    assert_int_equal(SWP_K_NEXT, 2);
    assert_int_equal(SWP_K_PREV, 3);
    assert_int_equal(SWP_K_NONE, 255);
    assert_int_equal(SWP_PROLOGUE, 0);
    assert_int_equal(SWP_KERNEL, 1);
    assert_int_equal(SWP_EPILOGUE, 2);
    assert_int_equal(SWP_FLOW, 0);
    assert_int_equal(SWP_ANTI, 1);
    assert_int_equal(SWP_OUTPUT, 2);
    assert_int_equal(SWP_TAG_BARRIER, 128);
    assert_int_equal(SWP_TAG_WAIT_VM, 129);
    assert_int_equal(SWP_TAG_WAIT_LGKM, 130);
    assert_int_equal(SWP_TAG_SET_PRIO, 131);
    assert_int_equal(SWP_TAG_SCHEDULE_BARRIER, 132);
    assert_int_equal(SWP_TAG_SCHED_GROUP_BARRIER, 133);
    assert_int_equal(SWP_TAG_NONE, 255);
}

static void names_are_those_of_the_page_in_lower_case(void **state)
{
    (void)state;
    assert_string_equal(swp_resource_name(SWP_MMA_UNIT), "mma_unit");
    assert_string_equal(swp_role_name(SWP_FRAGMENT_LOAD), "fragment_load");
    assert_string_equal(swp_k_offset_name(SWP_K_PREV), "k_prev");
    assert_string_equal(swp_phase_name(SWP_EPILOGUE), "epilogue");
    assert_string_equal(swp_dep_kind_name(SWP_OUTPUT), "output");
    assert_string_equal(swp_role_name((swp_role)99), "?");
    assert_string_equal(swp_infrastructure_name(129), "wait_vm");
    assert_null(swp_infrastructure_name(127));
    assert_string_equal(swp_infrastructure_name(SWP_LAST_ROLE_TAG), "cluster_wait");
    assert_null(swp_infrastructure_name(SWP_LAST_ROLE_TAG + 1));
    assert_null(swp_infrastructure_name(-1));
}

static void names_lead_back_to_their_enumerators(void **state)
{
    (void)state;
    swp_resource resource = SWP_RESOURCE_NONE;
    swp_role role = SWP_ROLE_NONE;
    swp_k_offset k_offset = SWP_K_NONE;
    swp_dep_kind kind = SWP_FLOW;
    assert_true(swp_resource_from_name("valu", &resource));
    assert_int_equal(resource, SWP_VALU);
    assert_true(swp_role_from_name("valu_compute", &role));
    assert_int_equal(role, SWP_VALU_COMPUTE);
    assert_true(swp_k_offset_from_name("k_next", &k_offset));
    assert_int_equal(k_offset, SWP_K_NEXT);
    assert_true(swp_dep_kind_from_name("anti", &kind));
    assert_int_equal(kind, SWP_ANTI);
    assert_false(swp_role_from_name("COMPUTE", &role));
    assert_int_equal(role, SWP_VALU_COMPUTE);
}

static void framework_names_lead_back_to_their_tags(void **state)
{
    (void)state;
    int tag = 7;
    assert_false(swp_infrastructure_tag("LOAD_A", &tag));
    assert_int_equal(tag, 7);
    assert_true(swp_infrastructure_tag("set_prio", &tag));
    assert_int_equal(tag, SWP_TAG_SET_PRIO);
}

static void a_role_has_a_resource_and_perhaps_a_stage(void **state)
{
    (void)state;
    const struct {
        swp_role role;
        swp_resource resource;
        bool has_stage;
    } rows[] = {{SWP_GLOBAL_LOAD, SWP_GLOBAL_MEM, true}, {SWP_SHARED_STORE, SWP_LDS, true},
                {SWP_FRAGMENT_LOAD, SWP_LDS, true},      {SWP_COMPUTE, SWP_MMA_UNIT, false},
                {SWP_SYNC, SWP_SCALAR, false},           {SWP_FENCE, SWP_SCALAR, false},
                {SWP_VALU_COMPUTE, SWP_VALU, false},     {SWP_ROLE_NONE, SWP_RESOURCE_NONE, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(swp_role_resource(rows[i].role), rows[i].resource);
        assert_int_equal(swp_role_has_stage(rows[i].role), rows[i].has_stage);
    }
}

static void signed_multiples_are_minus_one_for_k_prev_and_the_number_for_others(void **state)
{
    (void)state;
    assert_int_equal(swp_k_multiple(SWP_K0), 0);
    assert_int_equal(swp_k_multiple(SWP_K1), 1);
    assert_int_equal(swp_k_multiple(SWP_K_NEXT), 2);
    assert_int_equal(swp_k_multiple(SWP_K_PREV), -1);
    assert_int_equal(swp_k_multiple(SWP_K3), 3);
    assert_int_equal(swp_k_multiple(SWP_K8), 8);
    assert_int_equal(swp_k_multiple(SWP_K_PREV2), -2);
    assert_int_equal(swp_k_multiple(SWP_K_PREV8), -8);
    for (int multiple = -8; multiple <= 8; multiple++) {
        swp_k_offset k_offset = SWP_K_NONE;
        assert_true(swp_k_offset_of(multiple, &k_offset));
        assert_int_equal(swp_k_multiple(k_offset), multiple);
    }
    swp_k_offset unchanged = SWP_K1;
    assert_false(swp_k_offset_of(9, &unchanged));
    assert_int_equal(unchanged, SWP_K1);
}

static void no_op_has_the_published_defaults(void **state)
{
    (void)state;
    const swp_op none = swp_op_none();
    const swp_op expected = {.tag = 255,
                             .k_offset = SWP_K_NONE,
                             .resource = SWP_RESOURCE_NONE,
                             .role = SWP_ROLE_NONE,
                             .channel = -1};
    assert_true(same_op(&none, &expected));
    assert_false(swp_op_present(&none));
}

static void a_logical_op_has_five_fields(void **state)
{
    (void)state;
    const swp_op op = swp_op_logical(9, 1, 2, 3, SWP_K1);
    const swp_op expected = {.tag = 9,
                             .channel = 1,
                             .stage = 2,
                             .subtile = 3,
                             .k_offset = SWP_K1,
                             .resource = SWP_RESOURCE_NONE,
                             .role = SWP_ROLE_NONE};
    assert_true(same_op(&op, &expected));
    assert_true(swp_op_present(&op));
}

static void expect_scalar(swp_op found, int tag, swp_role role, int wait_value, int subtile)
{
    swp_op expected = swp_op_none();
    expected.tag = tag;
    expected.role = role;
    expected.resource = SWP_SCALAR;
    expected.wait_value = wait_value;
    expected.subtile = subtile;
    assert_true(same_op(&found, &expected));
}

static void infrastructure_ops_are_scalar_syncs_and_fences(void **state)
{
    (void)state;
    expect_scalar(swp_op_barrier(), SWP_TAG_BARRIER, SWP_SYNC, 0, 0);
    expect_scalar(swp_op_wait_vm(12), SWP_TAG_WAIT_VM, SWP_SYNC, 12, 0);
    expect_scalar(swp_op_wait_lgkm(3), SWP_TAG_WAIT_LGKM, SWP_SYNC, 3, 0);
    expect_scalar(swp_op_set_prio(1), SWP_TAG_SET_PRIO, SWP_FENCE, 1, 0);
    expect_scalar(swp_op_schedule_barrier(), SWP_TAG_SCHEDULE_BARRIER, SWP_FENCE, 0, 0);
    expect_scalar(swp_op_sched_group_barrier(2, 5), SWP_TAG_SCHED_GROUP_BARRIER, SWP_FENCE, 5, 2);
}

static void a_prefetch_is_present_and_has_a_k_offset_that_is_not_k_prev(void **state)
{
    (void)state;
    const swp_k_offset offsets[] = {SWP_K0, SWP_K1, SWP_K_NEXT, SWP_K_PREV, SWP_K_NONE};
    const bool expected[] = {true, true, true, false, false};
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        swp_op op = load_op(0, 0, 0, offsets[i]);
        assert_int_equal(swp_op_is_prefetch(&op), expected[i]);
        op.tag = SWP_TAG_NONE;
        assert_false(swp_op_is_prefetch(&op));
    }
}

static const char *name_of_five(const void *user, int tag)
{
    return tag == 5 ? user : NULL;
}

static void an_op_is_named_by_the_framework_the_caller_or_its_tag(void **state)
{
    (void)state;
    char buffer[SWP_OP_NAME_SIZE];
    const swp_op_namer namer = {name_of_five, "five"};
    assert_string_equal(swp_op_name(&namer, 5, buffer), "five");
    assert_string_equal(swp_op_name(&namer, 6, buffer), "op6");
    assert_string_equal(swp_op_name(&namer, 128, buffer), "barrier");
    assert_string_equal(swp_op_name(&(swp_op_namer){0}, 5, buffer), "op5");
}

static void lists_keep_what_is_pushed(void **state)
{
    swp_context *ctx = *state;
    swp_op_list ops = {0};
    swp_edge_list edges = {0};
    swp_entry_list entries = {0};
    for (int i = 0; i < 40; i++) {
        assert_ok(ctx, swp_op_list_push(ctx, &ops, mma_op(i, 0)));
        assert_ok(ctx, swp_edge_list_push(ctx, &edges, (swp_edge){i, i + 1, SWP_FLOW, 0}));
        assert_ok(ctx, swp_entry_list_push(ctx, &entries,
                                           (swp_entry){mma_op(i, 0), i, SWP_KERNEL, false}));
    }
    assert_int_equal(ops.count, 40);
    assert_int_equal(ops.items[39].stage, 39);
    assert_int_equal(edges.items[39].consumer, 40);
    assert_int_equal(entries.items[39].time_slot, 39);
}

static void tags_of_a_loops_ops_leave_out_the_frameworks(void **state)
{
    (void)state;
    assert_int_equal(swp_tag_of_loop_op(127), 127);
    assert_int_equal(swp_tag_of_loop_op(128), 256);
    assert_int_equal(swp_tag_of_loop_op(SWP_MOST_SCHEDULE_OPS - 1), SWP_SCHEDULE_TAGS - 1);
    for (int op = 0; op < SWP_MOST_SCHEDULE_OPS; op++) {
        assert_int_equal(swp_loop_op_of_tag(swp_tag_of_loop_op(op)), op);
        assert_null(swp_infrastructure_name(swp_tag_of_loop_op(op)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enumerators_have_the_published_numbers),
        cmocka_unit_test(names_are_those_of_the_page_in_lower_case),
        cmocka_unit_test(names_lead_back_to_their_enumerators),
        cmocka_unit_test(framework_names_lead_back_to_their_tags),
        cmocka_unit_test(a_role_has_a_resource_and_perhaps_a_stage),
        cmocka_unit_test(signed_multiples_are_minus_one_for_k_prev_and_the_number_for_others),
        cmocka_unit_test(no_op_has_the_published_defaults),
        cmocka_unit_test(a_logical_op_has_five_fields),
        cmocka_unit_test(infrastructure_ops_are_scalar_syncs_and_fences),
        cmocka_unit_test(a_prefetch_is_present_and_has_a_k_offset_that_is_not_k_prev),
        cmocka_unit_test(an_op_is_named_by_the_framework_the_caller_or_its_tag),
        CONTEXT_TEST(lists_keep_what_is_pushed),
        cmocka_unit_test(tags_of_a_loops_ops_leave_out_the_frameworks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
