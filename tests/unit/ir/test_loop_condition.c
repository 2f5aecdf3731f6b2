/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "ir/loop_condition.h"

/* A loop whose ADD is as said, beside ops that make what it may read and update. */
static swp_status check(swp_context *ctx, swp_loop_op_args args)
{
    swp_loop loop = {0};
    swp_loop_builder *l = swp_loop_new(ctx, "conditions");
    const int tile = swp_value(l, "tile", .space = SWP_SPACE_SHARED, .bytes = 16);
    const int part = swp_value(l, "part", .space = SWP_SPACE_REGISTERS, .bytes = 16);
    (void)swp_value(l, "sum", .space = SWP_SPACE_REGISTERS, .bytes = 16);
    (void)swp_value(l, "wide", .space = SWP_SPACE_REGISTERS, .bytes = 16, .most_slots = 2);
    swp_work(l, "LOAD", .latency = 1, .completion = SWP_COMPLETION_COUNTER, .writes = {tile});
    swp_work(l, "FRAGMENT", .latency = 1, .completion = SWP_COMPLETION_COUNTER,
             .reads = {{.value = tile}}, .writes = {part});
    args.name = "ADD";
    swp_loop_add_op(l, args);
    return swp_loop_done(l, &loop);
}

enum { TILE = 1, PART, SUM, WIDE };

static void refuse(swp_context *ctx, swp_loop_op_args args, const char *what)
{
    assert_int_equal(check(ctx, args), SWP_INVALID);
    assert_diag(ctx, "E0331", what);
}

static void registers_are_read_and_updated(void **state)
{
    static const swp_loop_when whens[] = {{SWP_WHEN_USER, 0, 0},
                                          {SWP_WHEN_FIRST, 0, 0},
                                          {SWP_WHEN_LAST, 0, 0},
                                          {SWP_WHEN_NOT_FIRST, 0, 0},
                                          {SWP_WHEN_NOT_LAST, 0, 0},
                                          {SWP_WHEN_EVERY, 2, 0},
                                          {SWP_WHEN_EVERY, SWP_MOST_EVERY, SWP_MOST_EVERY - 1}};
    for (size_t i = 0; i < sizeof whens / sizeof whens[0]; i++) {
        assert_ok(*state, check(*state, (swp_loop_op_args){.reads = {{.value = PART}},
                                                           .updates = {SUM},
                                                           .when = whens[i]}));
        /* FRAGMENT makes the version first, so ADD may leave it as it is in any slot. */
        assert_ok(*state, check(*state, (swp_loop_op_args){.updates = {PART}, .when = whens[i]}));
    }
}

static void iterations_are_in_range(void **state)
{
    static const swp_loop_when whens[] = {
        {SWP_WHEN_EVERY, 1, 0}, {SWP_WHEN_EVERY, SWP_MOST_EVERY + 1, 0},
        {SWP_WHEN_EVERY, 4, 4}, {SWP_WHEN_EVERY, 4, -1},
        {SWP_WHEN_USER, 2, 0},  {SWP_WHEN_ALWAYS, 0, 1},
        {SWP_WHEN_LAST, 0, 1},  {SWP_WHEN_EVERY + 1, 0, 0}};
    for (size_t i = 0; i < sizeof whens / sizeof whens[0]; i++)
        refuse(*state, (swp_loop_op_args){.updates = {SUM}, .when = whens[i]}, "op ADD would run");
}

static void what_others_count_on_is_always_done(void **state)
{
    const swp_loop_when user = {.kind = SWP_WHEN_USER};
    refuse(*state,
           (swp_loop_op_args){.updates = {SUM}, .completion = SWP_COMPLETION_VMCNT, .when = user},
           "its completion is `vmcnt`");
    refuse(*state, (swp_loop_op_args){.writes = {SUM}, .when = user}, "writes sum");
    refuse(*state, (swp_loop_op_args){.updates = {SUM}, .writes_global = true, .when = user},
           "writes global memory");
    refuse(*state, (swp_loop_op_args){.reads = {{.value = TILE}}, .updates = {SUM}, .when = user},
           "reads tile in shared memory");
    refuse(*state,
           (swp_loop_op_args){.updates = {TILE}, .completion = SWP_COMPLETION_NONE, .when = user},
           "updates tile in shared memory");
    refuse(*state, (swp_loop_op_args){.updates = {WIDE}, .when = user}, "2 slots");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(registers_are_read_and_updated),
        CONTEXT_TEST(iterations_are_in_range),
        CONTEXT_TEST(what_others_count_on_is_always_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
