/* SPDX-License-Identifier: Apache-2.0 */
/* What counts an access (docs/loops.md): stated, or told by the spaces that the op touches. */
#include "fixture.h"

#include "ir/sync_objects.h"

enum { SHARED = 1, OTHER, REGISTER, RESULT }; /* the values, as the builder numbers them */

/* The status of a loop whose last op is `op`; on success what tracks it. */
static swp_status object_of(swp_loop_op_args op, swp_sync_object *object)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_loop_builder *l = swp_loop_new(ctx, "loop");
    swp_loop loop;
    (void)swp_value(l, "s", .space = SWP_SPACE_SHARED);
    (void)swp_value(l, "t", .space = SWP_SPACE_SHARED);
    (void)swp_value(l, "r", .space = SWP_SPACE_REGISTERS);
    (void)swp_value(l, "q", .space = SWP_SPACE_REGISTERS);
    op.name = "op";
    swp_loop_add_op(l, op);
    const swp_status status = swp_loop_done(l, &loop);
    if (status == SWP_OK)
        *object = swp_ir_loop_object_of(&loop, &loop.ops[0]);
    else
        assert_diag(ctx, op.completion == SWP_COMPLETION_UNSTATED ? "E0329" : "E0330", "op op");
    swp_context_free(ctx);
    return status;
}

static void expect(swp_loop_op_args op, swp_sync_object expected)
{
    swp_sync_object object = SWP_NO_OBJECT;
    op.completion = SWP_COMPLETION_COUNTER;
    assert_int_equal(object_of(op, &object), SWP_OK);
    assert_int_equal(object, expected);
}

static void expect_open(swp_loop_op_args op)
{
    static const struct {
        swp_completion completion;
        swp_sync_object object;
    } stated[] = {{SWP_COMPLETION_VMCNT, SWP_VMCNT},
                  {SWP_COMPLETION_LGKMCNT, SWP_LGKMCNT},
                  {SWP_COMPLETION_COPY_GROUP, SWP_COPY_GROUP},
                  {SWP_COMPLETION_MATRIX_GROUP, SWP_MATRIX_GROUP},
                  {SWP_COMPLETION_COPY_MBARRIER, SWP_COPY_MBARRIER},
                  {SWP_COMPLETION_MATRIX_MBARRIER, SWP_MATRIX_MBARRIER},
                  {SWP_COMPLETION_NONE, SWP_NO_OBJECT}};
    swp_sync_object object = SWP_NO_OBJECT;
    for (int kind = SWP_COMPLETION_COUNTER; kind <= SWP_COMPLETION_MBARRIER; kind++) {
        op.completion = (swp_completion)kind;
        assert_int_equal(object_of(op, &object), SWP_INVALID);
    }
    for (size_t i = 0; i < sizeof stated / sizeof stated[0]; i++) {
        op.completion = stated[i].completion;
        assert_int_equal(object_of(op, &object), SWP_OK);
        assert_int_equal(object, stated[i].object);
    }
}

#define OP(...) ((swp_loop_op_args){__VA_ARGS__})

static void spaces_tell(void **state)
{
    (void)state;
    expect(OP(.writes = {SHARED}), SWP_VMCNT);
    expect(OP(.writes = {REGISTER}), SWP_VMCNT);
    expect(OP(.reads = {{.value = REGISTER}}), SWP_VMCNT);
    expect(OP(.reads = {{.value = REGISTER}}, .writes_global = true), SWP_VMCNT);
    expect(OP(.reads = {{.value = REGISTER}}, .reads_global = true, .writes = {SHARED}), SWP_VMCNT);
    expect(OP(.reads = {{.value = REGISTER}}, .reads_global = true, .writes = {RESULT}), SWP_VMCNT);
    expect(OP(.reads = {{.value = SHARED}}, .writes = {REGISTER}), SWP_LGKMCNT);
    expect(OP(.reads = {{.value = SHARED}, {.value = REGISTER}}, .writes = {OTHER}), SWP_LGKMCNT);
    expect(OP(.updates = {SHARED}), SWP_LGKMCNT);
}

static void what_they_leave_open_is_asked(void **state)
{
    (void)state;
    expect_open(OP(.reads = {{.value = REGISTER}}, .writes = {SHARED}));
    expect_open(OP(.reads = {{.value = REGISTER}}, .writes = {RESULT}));
    expect_open(OP(.updates = {REGISTER}));
    expect_open(OP(.reads = {{.value = SHARED}}, .reads_global = true, .writes = {REGISTER}));
    expect_open(OP(.reads = {{.value = REGISTER}}, .writes_global = true, .writes = {SHARED}));
}

static void a_store_from_shared_memory_by_groups_is_by_tma(void **state)
{
    swp_loop_op_args op = OP(.reads = {{.value = SHARED}}, .writes_global = true);
    swp_sync_object object = SWP_NO_OBJECT;
    (void)state;
    op.completion = SWP_COMPLETION_GROUP;
    assert_int_equal(object_of(op, &object), SWP_OK);
    assert_int_equal(object, SWP_COPY_GROUP);
    op.completion = SWP_COMPLETION_COUNTER;
    assert_int_equal(object_of(op, &object), SWP_INVALID);
    op.completion = SWP_COMPLETION_MBARRIER;
    assert_int_equal(object_of(op, &object), SWP_INVALID);
}

static void who_writes_shared_memory_says_when(void **state)
{
    swp_sync_object object = SWP_NO_OBJECT;
    (void)state;
    assert_int_equal(object_of(OP(.writes = {SHARED}), &object), SWP_INVALID);
    assert_int_equal(object_of(OP(.updates = {SHARED}), &object), SWP_INVALID);
    assert_int_equal(object_of(OP(.writes = {REGISTER}), &object), SWP_OK);
    assert_int_equal(object, SWP_NO_OBJECT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces_tell),
        cmocka_unit_test(what_they_leave_open_is_asked),
        cmocka_unit_test(a_store_from_shared_memory_by_groups_is_by_tma),
        cmocka_unit_test(who_writes_shared_memory_says_when),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
