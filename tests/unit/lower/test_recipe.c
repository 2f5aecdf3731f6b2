/* SPDX-License-Identifier: Apache-2.0 */
/* Recipes (docs/schedules.md, "Single buffer"). */
#include "fixture.h"
#include "ops.h"
#include "swp/phase.h"
#include "swp/target.h"

static void expect_recipe(swp_context *ctx, const swp_phase_step *steps, size_t count,
                          swp_op_list body, const char *text)
{
    const swp_pipeline_config config = swp_mi355x_single_buffer();
    swp_entry_list entries = {0};
    assert_ok(ctx, swp_apply_phase_recipe(ctx, steps, count, body.items, body.count, &config,
                                          SWP_EPILOGUE, &entries));
    assert_entries(&entries, text);
}

static void the_prologue_loads_stores_loads_and_takes_the_carried_fragment(void **state)
{
    size_t count = 0;
    const swp_phase_step *steps = swp_single_buffer_prologue_recipe(&count);
    expect_recipe(*state, steps, count,
                  OPS(frag_op(0, 0, 1), mma_op(0, 0), swp_op_barrier(), store_op(0, 0, 3),
                      store_op(0, 0, 4), load_op(0, 0, 5, SWP_K_NONE), load_op(0, 0, 6, SWP_K_NONE),
                      frag_op(0, 0, 0)),
                  "LA05 S03 bar LA05 FA00 sb");
}

static void the_epilogue_drains_the_last_store_and_the_last_tile(void **state)
{
    size_t count = 0;
    const swp_phase_step *steps = swp_single_buffer_epilogue_recipe(&count);
    expect_recipe(*state, steps, count,
                  OPS(frag_op(0, 0, 1), frag_op(0, 0, 2), mma_op(0, 0), swp_op_barrier(),
                      store_op(0, 0, 3), store_op(0, 0, 4), load_op(0, 0, 5, SWP_K_NONE),
                      mma_op(0, 1), frag_op(0, 0, 0)),
                  "sb FA01 FA02 bar S03 M00 M01 sb bar FA01 FA02 FA00 M00 M01 sb");
}

static void a_step_may_name_a_subtile(void **state)
{
    const swp_phase_step steps[] = {
        {.kind = SWP_STEP_EMIT, .role = SWP_COMPUTE, .select = SWP_SELECT_SUBTILE, .subtile = 2},
        {.kind = SWP_STEP_FENCE},
        {.kind = SWP_STEP_EMIT,
         .role = SWP_COMPUTE,
         .select = SWP_SELECT_NOT_LOOP_CARRIED,
         .first_only = true},
        {.kind = SWP_STEP_BARRIER}};
    expect_recipe(*state, steps, COUNT_OF(steps),
                  OPS(mma_op(0, 0), mma_op(0, 1), mma_op(0, 2), mma_op(1, 2)),
                  "M02 M12 sb M01 bar");
}

static void a_body_without_an_op_that_the_recipe_names_is_refused(void **state)
{
    swp_context *ctx = *state;
    const swp_pipeline_config config = swp_mi355x_single_buffer();
    size_t count = 0;
    const swp_phase_step *steps = swp_single_buffer_prologue_recipe(&count);
    swp_entry_list entries = {0};
    const swp_op_list body = OPS(load_op(0, 0, 0, SWP_K_NONE), frag_op(0, 0, 0), mma_op(0, 0));
    assert_status(ctx,
                  swp_apply_phase_recipe(ctx, steps, count, body.items, body.count, &config,
                                         SWP_PROLOGUE, &entries),
                  SWP_INVALID);
    assert_diag(ctx, "E0507", "shared_store");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_prologue_loads_stores_loads_and_takes_the_carried_fragment),
        CONTEXT_TEST(the_epilogue_drains_the_last_store_and_the_last_tile),
        CONTEXT_TEST(a_step_may_name_a_subtile),
        CONTEXT_TEST(a_body_without_an_op_that_the_recipe_names_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
