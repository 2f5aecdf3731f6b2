/* SPDX-License-Identifier: Apache-2.0 */
/* What only the C API can say: enumerators that there are not. */
#include "fixture.h"
#include "swp/loop.h"

static swp_loop loaded_value(swp_context *ctx)
{
    swp_loop_builder *l = swp_loop_new(ctx, "loaded");
    const int unit = swp_loop_add_unit(l, "unit", 1);
    const int value = swp_value(l, "A", .space = SWP_SPACE_SHARED, .bytes = 4, .most_slots = 2);
    swp_loop loop;
    swp_work(l, "LOAD", .latency = 9, .completion = SWP_COMPLETION_COUNTER, .writes = {value});
    swp_work(l, "USE", .latency = 4, .uses = {{.unit = unit, .cycles = 4}},
             .reads = {{.value = value}});
    assert_ok(ctx, swp_loop_done(l, &loop));
    return loop;
}

static void refuse_value(swp_context *ctx, swp_loop_value value)
{
    swp_loop loop = loaded_value(ctx);
    swp_pipeline pipeline;
    loop.values = &value;
    assert_status(ctx, swp_pipeline_loop(ctx, &loop, &pipeline), SWP_INVALID);
    assert_diag(ctx, "E0321", "value A: there is no space");
}

static void values_are_in_a_space_that_there_is(void **state)
{
    swp_loop_value value = loaded_value(*state).values[0];
    value.space = (swp_space)SWP_SPACE_COUNT;
    refuse_value(*state, value);
    value.space = (swp_space)-1;
    refuse_value(*state, value);
}

static void bytes_are_those_of_somebody(void **state)
{
    swp_loop_value value = loaded_value(*state).values[0];
    value.bytes_of = (swp_bytes_of)(SWP_OF_WAVE + 1);
    refuse_value(*state, value);
}

static void objectives_are_some_that_there_are(void **state)
{
    swp_context *ctx = *state;
    swp_loop loop = loaded_value(ctx);
    swp_pipeline pipeline;
    loop.objectives[0] = (swp_objective)SWP_OBJECTIVE_COUNT;
    assert_status(ctx, swp_pipeline_loop(ctx, &loop, &pipeline), SWP_INVALID);
    assert_diag(ctx, "E0320", "there is no objective 3");
}

static void an_op_makes_a_value_once(void **state)
{
    swp_context *ctx = *state;
    swp_loop loop = loaded_value(ctx);
    swp_loop_op ops[2] = {loop.ops[0], loop.ops[1]};
    const int twice[] = {0, 0};
    swp_pipeline pipeline;
    ops[0].writes = twice;
    ops[0].write_count = 2;
    loop.ops = ops;
    assert_status(ctx, swp_pipeline_loop(ctx, &loop, &pipeline), SWP_INVALID);
    assert_diag(ctx, "E0323", "op LOAD makes A twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(values_are_in_a_space_that_there_is),
        CONTEXT_TEST(bytes_are_those_of_somebody),
        CONTEXT_TEST(objectives_are_some_that_there_are),
        CONTEXT_TEST(an_op_makes_a_value_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
