/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops are labelled as GEMMs, and with what. */
#include "fixture.h"
#include "ir/gemm_labels.h"

enum { ROWS = 1, COLUMNS = 2, OPERANDS = ROWS + COLUMNS, OPS = 2 * OPERANDS + ROWS * COLUMNS };

/* What is done otherwise than in a GEMM. */
typedef enum fault {
    NO_FAULT,
    READ_OF_BEFORE, /* an MMA that reads the fragment of the iteration before */
    MISSING_MMA,
    OTHER_SIDE, /* an MMA whose row is a column of another one */
    SHARED_SUM, /* two MMAs in one accumulator */
    OTHER_OP    /* an op that reads a fragment, and is no MMA */
} fault;

static void add_operands(swp_loop_builder *l, int *fragments)
{
    static const char *const places[] = {"A", "B0", "B1"};
    static const char *const registers[] = {"a", "b0", "b1"};
    static const char *const loads[] = {"one", "two", "three"};
    static const char *const reads[] = {"four", "five", "six"};
    for (int i = 0; i < OPERANDS; i++) {
        const int place = swp_value(l, places[i], .space = SWP_SPACE_SHARED, .bytes = 64);
        fragments[i] = swp_value(l, registers[i], .space = SWP_SPACE_REGISTERS, .bytes = 16);
        swp_work(l, loads[i], .latency = 9, .completion = SWP_COMPLETION_COUNTER,
                 .writes = {place});
        swp_work(l, reads[i], .latency = 9, .completion = SWP_COMPLETION_COUNTER,
                 .reads = {{.value = place}}, .writes = {fragments[i]});
    }
}

/* One row of A and two columns of B; what ops are called says nothing. */
static swp_op_list labelled(swp_context *ctx, fault what)
{
    swp_loop_builder *l = swp_loop_new(ctx, "gemm");
    swp_op_list body = {0};
    swp_loop loop;
    int a[OPERANDS];
    add_operands(l, a);
    const int sum = swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 16);
    const int other = swp_value(l, "other", .space = SWP_SPACE_REGISTERS, .bytes = 16);
    swp_work(l, "seven", .latency = 4, .updates = {sum},
             .reads = {{.value = a[0], .distance = what == READ_OF_BEFORE}, {.value = a[1]}});
    if (what != MISSING_MMA)
        swp_work(l, "eight", .latency = 4, .updates = {what == SHARED_SUM ? sum : other},
                 .reads = {{.value = a[what == OTHER_SIDE ? 1 : 0]}, {.value = a[2]}});
    if (what == OTHER_OP)
        swp_work(l, "nine", .latency = 4, .reads = {{.value = a[0]}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    for (int i = 0; i < (int)loop.op_count; i++) {
        swp_op op = swp_op_none();
        op.tag = i;
        assert_ok(ctx, swp_op_list_push(ctx, &body, op));
    }
    assert_ok(ctx, swp_ir_gemm_label_body(ctx, &loop, &body));
    return body;
}

static void assert_label(const swp_op *op, swp_role kind, int channel, int stage, int subtile)
{
    assert_int_equal(op->role, kind);
    assert_int_equal(op->channel, channel);
    assert_int_equal(op->stage, stage);
    assert_int_equal(op->subtile, subtile);
    assert_int_equal(op->k_offset, kind == SWP_GLOBAL_LOAD ? SWP_K0 : SWP_K_NONE);
}

static void ops_of_a_gemm_are_labelled(void **state)
{
    const swp_op_list body = labelled(*state, NO_FAULT);
    const int subtiles[OPERANDS] = {0, 0, 1};
    assert_int_equal(body.count, OPS);
    for (int i = 0; i < OPERANDS; i++) {
        const int channel = i >= ROWS;
        assert_label(&body.items[2 * i], SWP_GLOBAL_LOAD, channel, 0, subtiles[i]);
        assert_label(&body.items[2 * i + 1], SWP_FRAGMENT_LOAD, channel, 0, subtiles[i]);
    }
    for (int column = 0; column < COLUMNS; column++)
        assert_label(&body.items[2 * OPERANDS + column], SWP_COMPUTE, -1, 0, column);
}

static void what_is_no_gemm_is_left_alone(void **state)
{
    for (fault what = READ_OF_BEFORE; what <= OTHER_OP; what++) {
        const swp_op_list body = labelled(*state, what);
        for (size_t i = 0; i < body.count; i++)
            assert_label(&body.items[i], SWP_ROLE_NONE, -1, 0, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(ops_of_a_gemm_are_labelled),
        CONTEXT_TEST(what_is_no_gemm_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
